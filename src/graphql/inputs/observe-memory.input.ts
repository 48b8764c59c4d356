import { Field, GraphQLISODateTime, ID, InputType } from '@nestjs/graphql';
import type { Message, MessageRole } from '../../model/message.js';
import { validateDate, validateText, validateTimeZone } from '../../memory/validate-input.js';
import { MemoryMessageRoleEnum } from '../enums.js';
import { Checked } from './checked.js';

@InputType('MemoryMessageInput')
export class MemoryMessageInputType implements Message {
  @Field(() => MemoryMessageRoleEnum)
  role!: MessageRole;

  @Field(() => String)
  content!: string;
}

@InputType('ObserveMemoryInput')
export class ObserveMemoryInputType {
  @Field(() => [MemoryMessageInputType], { description: 'The new messages of the turn, in order.' })
  messages!: Message[];

  @Field(() => ID, {
    nullable: true,
    description: 'Names the turn: handed in again under the same id, it changes nothing. Derived without one.',
  })
  @Checked(validateText)
  turnId?: string | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was said; now without it.' })
  @Checked(validateDate)
  occurredAt?: Date | null;

  @Field(() => String, { nullable: true, description: 'IANA name, for words like "tomorrow"; UTC without it.' })
  @Checked((_field, value) => validateTimeZone(value))
  timeZone?: string | null;

  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;
}

/** An alias for the reason given at `AddMemoryArguments`. */
export type ObserveMemoryArguments = Pick<ObserveMemoryInputType, keyof ObserveMemoryInputType>;
