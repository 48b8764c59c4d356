import { ArgsType, Field } from '@nestjs/graphql';
import { MemoryEventActionEnum } from '../enums.js';
import type { MemoryEventAction } from '../subscriptions/memory-event-message.js';

@ArgsType()
export class MemoryEventsArgsType {
  @Field(() => String, { nullable: true, description: "Whose memory; the caller's own without it." })
  scope?: string | null;

  @Field(() => [MemoryEventActionEnum], { nullable: true, description: 'Only these; empty is no filter.' })
  actions?: MemoryEventAction[] | null;
}

/** An alias for the reason given at `AddMemoryArguments`. */
export type MemoryEventsArguments = Pick<MemoryEventsArgsType, keyof MemoryEventsArgsType>;
