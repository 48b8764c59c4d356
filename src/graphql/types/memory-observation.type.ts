import { Field, ID, ObjectType } from '@nestjs/graphql';
import type { AppliedDecision, DecisionAction } from '../../model/decision.js';
import type { Observation, ObservationStatus } from '../../model/observation.js';
import { MemoryDecisionActionEnum, MemoryObservationStatusEnum } from '../enums.js';

@ObjectType('MemoryDecision', { description: 'What was made of one statement found in a turn.' })
export class MemoryDecisionType implements AppliedDecision {
  @Field(() => MemoryDecisionActionEnum)
  action!: DecisionAction;

  @Field(() => ID, { nullable: true })
  memoryId!: string | null;
}

@ObjectType('MemoryObservation', { description: 'Where a turn stands.' })
export class MemoryObservationType implements Observation {
  @Field(() => ID)
  turnId!: string;

  @Field(() => MemoryObservationStatusEnum)
  status!: ObservationStatus;

  @Field(() => Boolean, { description: 'The same turn had been handed in before.' })
  duplicate!: boolean;

  @Field(() => [MemoryDecisionType])
  decisions!: readonly AppliedDecision[];

  @Field(() => String, { nullable: true, description: 'A class of fault; null without one.' })
  error!: string | null;
}
