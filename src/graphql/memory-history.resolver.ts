import { Inject, UseFilters } from '@nestjs/common';
import { Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { MemoryScopeParam } from '../access/require-memory-access.js';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { MemoryService } from '../memory/memory.service.js';
import type { MemoryRevision } from '../model/revision.js';
import type { Scope } from '../model/scope.js';
import { ForgetStaleArgsType, RestoreMemoryArgsType } from './inputs/history.args.js';
import type { ForgetStaleArguments, RestoreMemoryArguments } from './inputs/history.args.js';
import { MemoryIdArgsType } from './inputs/id.args.js';
import type { MemoryIdArguments } from './inputs/id.args.js';
import { MemoryArgs } from './inputs/memory-args.js';
import { MemoryErrorFilter } from './memory-error.filter.js';
import { MemoryField } from './memory-field.js';
import { toNode } from './types/memory-node.js';
import type { MemoryNode } from './types/memory-node.js';
import { MemoryRevisionType } from './types/memory-revision.type.js';
import { MemoryType } from './types/memory.type.js';

/** What memories were, and what has been of no use. */
@Resolver(() => MemoryRevisionType)
@UseFilters(MemoryErrorFilter)
export class MemoryHistoryResolver {
  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  @Query(() => [MemoryRevisionType], {
    name: 'memoryHistory',
    description:
      'Earlier states, oldest first, of a memory that was forgotten or has expired too; empty for an id that is not in this scope.',
  })
  @MemoryField('read')
  history(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(MemoryIdArgsType) { id }: MemoryIdArguments,
  ): Promise<MemoryRevision[]> {
    return this.memories.for(scope).history(id);
  }

  @Mutation(() => MemoryType, {
    name: 'restoreMemory',
    description: 'Brings an earlier state back, under the next version; a forgotten memory comes back under its id.',
  })
  @MemoryField('write')
  async restore(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(RestoreMemoryArgsType) { id, version }: RestoreMemoryArguments,
  ): Promise<MemoryNode> {
    const { memory, rejection } = await this.memories.for(scope).restore(id, version);
    // The field gives a memory or an error: what may not be kept any more cannot come back.
    if (!memory) throw new InvalidInputError('version', rejection.message);
    return toNode(scope.scope, memory);
  }

  @Mutation(() => Int, {
    name: 'forgetStaleMemories',
    description: 'Forgets what was neither changed nor recalled for so many days and is of less importance; how many.',
  })
  @MemoryField('write')
  forgetStale(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(ForgetStaleArgsType) { olderThanDays, minImportance }: ForgetStaleArguments,
  ): Promise<number> {
    return this.memories
      .for(scope)
      .forgetStale({ olderThan: olderThanDays, ...(minImportance == null ? {} : { minImportance }) });
  }
}
