import { Inject, UseFilters } from '@nestjs/common';
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { MemoryScopeParam, RequireMemoryAccess } from '../access/require-memory-access.js';
import type { AddResult } from '../memory/add.js';
import type { ListInput } from '../memory/list.js';
import { MemoryService } from '../memory/memory.service.js';
import type { RecallInput } from '../memory/recall.js';
import type { AddOptions } from '../memory/scoped-memory.js';
import type { UpdateResult } from '../memory/update.js';
import type { Memory, RecalledMemory } from '../model/memory.js';
import type { Scope } from '../model/scope.js';
import { MemoryErrorFilter } from './memory-error.filter.js';
import { AddMemoryInputType } from './inputs/add-memory.input.js';
import type { AddMemoryArguments } from './inputs/add-memory.input.js';
import { given } from './inputs/given.js';
import { MemoryIdArgsType } from './inputs/id.args.js';
import type { MemoryIdArguments } from './inputs/id.args.js';
import { MemoriesArgsType } from './inputs/memories.args.js';
import type { MemoriesArguments } from './inputs/memories.args.js';
import { MemoryPromptArgsType, RecallArgsType } from './inputs/recall.args.js';
import type { MemoryPromptArguments, RecallArguments } from './inputs/recall.args.js';
import { UpdateMemoryInputType, toMemoryChange } from './inputs/update-memory.input.js';
import type { UpdateMemoryArguments } from './inputs/update-memory.input.js';
import { MemoryConnectionType, toMemoryConnection } from './types/memory-connection.type.js';
import { AddMemoryPayloadType, UpdateMemoryPayloadType } from './types/memory-payload.type.js';
import { MemoryType } from './types/memory.type.js';
import { RecalledMemoryType } from './types/recalled-memory.type.js';

@Resolver(() => MemoryType)
@UseFilters(MemoryErrorFilter)
export class MemoryResolver {
  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  @Query(() => MemoryConnectionType, { name: 'memories', description: 'A page of memories, newest first.' })
  @RequireMemoryAccess('read')
  async list(
    @MemoryScopeParam() scope: Scope,
    @Args({ type: () => MemoriesArgsType }) { kinds, search, first, after }: MemoriesArguments,
  ): Promise<MemoryConnectionType> {
    const page = await this.memories.for(scope).list(given<ListInput>({ kinds, search, first, after }));
    return toMemoryConnection(page, after ?? undefined);
  }

  @Query(() => MemoryType, { name: 'memory', nullable: true, description: 'Null for an id that is not in this scope.' })
  @RequireMemoryAccess('read')
  get(
    @MemoryScopeParam() scope: Scope,
    @Args({ type: () => MemoryIdArgsType }) { id }: MemoryIdArguments,
  ): Promise<Memory | null> {
    return this.memories.for(scope).get(id);
  }

  @Query(() => [RecalledMemoryType], { description: 'The memories that matter to a query, best first; often none.' })
  @RequireMemoryAccess('read')
  recall(
    @MemoryScopeParam() scope: Scope,
    @Args({ type: () => RecallArgsType }) { query, kinds, limit, mode, maxDistance, asOf }: RecallArguments,
  ): Promise<RecalledMemory[]> {
    return this.memories.for(scope).recall(query, given<RecallInput>({ kinds, limit, mode, maxDistance, asOf }));
  }

  @Query(() => String, {
    name: 'memoryPrompt',
    description: 'The recalled memories as a block for a prompt; empty where nothing is relevant.',
  })
  @RequireMemoryAccess('read')
  promptBlock(
    @MemoryScopeParam() scope: Scope,
    @Args({ type: () => MemoryPromptArgsType }) { query, kinds, limit, maxTokens }: MemoryPromptArguments,
  ): Promise<string> {
    return this.memories.for(scope).promptBlock(query, given<RecallInput>({ kinds, limit, maxTokens }));
  }

  @Mutation(() => AddMemoryPayloadType, { name: 'addMemory', description: 'Remembers one statement.' })
  @RequireMemoryAccess('write')
  add(
    @MemoryScopeParam() scope: Scope,
    @Args('input', { type: () => AddMemoryInputType })
    { content, kind, importance, metadata, expiresAt }: AddMemoryArguments,
  ): Promise<AddResult> {
    return this.memories.for(scope).add(content, given<AddOptions>({ kind, importance, metadata, expiresAt }));
  }

  @Mutation(() => UpdateMemoryPayloadType, { name: 'updateMemory', description: 'Changes a memory.' })
  @RequireMemoryAccess('write')
  update(
    @MemoryScopeParam() scope: Scope,
    @Args('input', { type: () => UpdateMemoryInputType }) input: UpdateMemoryArguments,
  ): Promise<UpdateResult> {
    return this.memories.for(scope).update(input.id, toMemoryChange(input));
  }

  @Mutation(() => Boolean, { name: 'forgetMemory', description: 'False for an id that is not in this scope.' })
  @RequireMemoryAccess('write')
  forget(
    @MemoryScopeParam() scope: Scope,
    @Args({ type: () => MemoryIdArgsType }) { id }: MemoryIdArguments,
  ): Promise<boolean> {
    return this.memories.for(scope).forget(id);
  }
}
