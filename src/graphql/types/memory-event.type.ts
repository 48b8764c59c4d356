import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { MemoryEventActionEnum } from '../enums.js';
import type { MemoryEventAction } from '../subscriptions/memory-event-message.js';

/** `memory` is a field of its own resolver: it is read when it is asked for, as the one who asks. */
@ObjectType('MemoryEvent', { description: 'Something happened to a memory of a scope.' })
export class MemoryEventType {
  @Field(() => MemoryEventActionEnum)
  action!: MemoryEventAction;

  @Field(() => ID, { nullable: true, description: 'Null where it is about the whole scope.' })
  memoryId!: string | null;

  @Field(() => String)
  scope!: string;

  @Field(() => GraphQLISODateTime)
  at!: Date;
}
