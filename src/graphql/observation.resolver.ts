import { Inject, UseFilters } from '@nestjs/common';
import { Mutation, Query, Resolver } from '@nestjs/graphql';
import { MemoryScopeParam } from '../access/require-memory-access.js';
import { MemoryService } from '../memory/memory.service.js';
import type { ObserveInput } from '../memory/submit-turn.js';
import type { Observation } from '../model/observation.js';
import type { Scope } from '../model/scope.js';
import { MemoryErrorFilter } from './memory-error.filter.js';
import { MemoryField } from './memory-field.js';
import { given } from './inputs/given.js';
import { TurnIdArgsType } from './inputs/id.args.js';
import type { TurnIdArguments } from './inputs/id.args.js';
import { ObserveMemoryInputType } from './inputs/observe-memory.input.js';
import type { ObserveMemoryArguments } from './inputs/observe-memory.input.js';
import { MemoryArgs, MemoryInput } from './inputs/memory-args.js';
import { MemoryObservationType } from './types/memory-observation.type.js';

@Resolver(() => MemoryObservationType)
@UseFilters(MemoryErrorFilter)
export class ObservationResolver {
  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  @Query(() => MemoryObservationType, {
    name: 'observation',
    nullable: true,
    description: 'Where a turn stands; null for one that is not in this scope.',
  })
  @MemoryField('read')
  find(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(TurnIdArgsType) { turnId }: TurnIdArguments,
  ): Promise<Observation | null> {
    return this.memories.for(scope).observation(turnId);
  }

  @Mutation(() => MemoryObservationType, { description: 'Learns from a turn now.' })
  @MemoryField('write')
  observe(
    @MemoryScopeParam() scope: Scope,
    @MemoryInput(ObserveMemoryInputType)
    { messages, turnId, occurredAt, timeZone }: ObserveMemoryArguments,
  ): Promise<Observation> {
    return this.memories.for(scope).observe(messages, given<ObserveInput>({ turnId, occurredAt, timeZone }));
  }

  @Mutation(() => MemoryObservationType, {
    description: 'Learns from a turn in the background; the turn is safe as soon as this answers.',
  })
  @MemoryField('write')
  observeLater(
    @MemoryScopeParam() scope: Scope,
    @MemoryInput(ObserveMemoryInputType)
    { messages, turnId, occurredAt, timeZone }: ObserveMemoryArguments,
  ): Promise<Observation> {
    return this.memories.for(scope).observeLater(messages, given<ObserveInput>({ turnId, occurredAt, timeZone }));
  }

  @Mutation(() => MemoryObservationType, {
    name: 'retryObservation',
    description: 'Tries a dead turn again in the background, or a failed one at once.',
  })
  @MemoryField('write')
  retry(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(TurnIdArgsType) { turnId }: TurnIdArguments,
  ): Promise<Observation> {
    return this.memories.for(scope).retryObservation(turnId);
  }
}
