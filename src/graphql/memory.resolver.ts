import { Inject, UseFilters } from '@nestjs/common';
import { Mutation, Query, Resolver } from '@nestjs/graphql';
import { MemoryScopeParam } from '../access/require-memory-access.js';
import type { ListInput } from '../memory/list.js';
import { MemoryService } from '../memory/memory.service.js';
import type { RecallInput } from '../memory/recall.js';
import type { AddOptions } from '../memory/scoped-memory.js';
import type { Scope } from '../model/scope.js';
import { MemoryErrorFilter } from './memory-error.filter.js';
import { MemoryField } from './memory-field.js';
import { AddMemoryInputType } from './inputs/add-memory.input.js';
import type { AddMemoryArguments } from './inputs/add-memory.input.js';
import { given } from './inputs/given.js';
import { MemoryIdArgsType } from './inputs/id.args.js';
import type { MemoryIdArguments } from './inputs/id.args.js';
import { MemoriesArgsType } from './inputs/memories.args.js';
import type { MemoriesArguments } from './inputs/memories.args.js';
import { MemoryPromptArgsType, RecallArgsType, toRecallMode } from './inputs/recall.args.js';
import type { MemoryPromptArguments, RecallArguments } from './inputs/recall.args.js';
import { UpdateMemoryInputType, toMemoryChange } from './inputs/update-memory.input.js';
import type { UpdateMemoryArguments } from './inputs/update-memory.input.js';
import { MemoryArgs, MemoryInput } from './inputs/memory-args.js';
import { MemoryConnectionType, toMemoryConnection } from './types/memory-connection.type.js';
import { AddMemoryPayloadType, UpdateMemoryPayloadType } from './types/memory-payload.type.js';
import { toNode, toNodeOrNull } from './types/memory-node.js';
import type { MemoryNode } from './types/memory-node.js';
import { MemoryType } from './types/memory.type.js';
import { RecalledMemoryType } from './types/recalled-memory.type.js';

@Resolver(() => MemoryType)
@UseFilters(MemoryErrorFilter)
export class MemoryResolver {
  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  @Query(() => MemoryConnectionType, { name: 'memories', description: 'A page of memories, newest first.' })
  @MemoryField('read')
  async list(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(MemoriesArgsType) { kinds, search, first, after }: MemoriesArguments,
  ): Promise<MemoryConnectionType> {
    const page = await this.memories.for(scope).list(given<ListInput>({ kinds, search, first, after }));
    return toMemoryConnection(scope.scope, page, after ?? undefined);
  }

  @Query(() => MemoryType, { name: 'memory', nullable: true, description: 'Null for an id that is not in this scope.' })
  @MemoryField('read')
  async get(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(MemoryIdArgsType) { id }: MemoryIdArguments,
  ): Promise<MemoryNode | null> {
    return toNodeOrNull(scope.scope, await this.memories.for(scope).get(id));
  }

  @Query(() => [RecalledMemoryType], { description: 'The memories that matter to a query, best first; often none.' })
  @MemoryField('read')
  async recall(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(RecallArgsType) { query, kinds, limit, mode, maxDistance, asOf }: RecallArguments,
  ): Promise<RecalledMemoryType[]> {
    const options = given<RecallInput>({ kinds, limit, mode: toRecallMode(mode), maxDistance, asOf });
    const recalled = await this.memories.for(scope).recall(query, options);
    return recalled.map(({ memory, ...found }) => ({ ...found, memory: toNode(found.scope, memory) }));
  }

  @Query(() => String, {
    name: 'memoryPrompt',
    description: 'The recalled memories as a block for a prompt; empty where nothing is relevant.',
  })
  @MemoryField('read')
  promptBlock(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(MemoryPromptArgsType) { query, kinds, limit, maxTokens }: MemoryPromptArguments,
  ): Promise<string> {
    return this.memories.for(scope).promptBlock(query, given<RecallInput>({ kinds, limit, maxTokens }));
  }

  @Mutation(() => AddMemoryPayloadType, { name: 'addMemory', description: 'Remembers one statement.' })
  @MemoryField('write')
  async add(
    @MemoryScopeParam() scope: Scope,
    @MemoryInput(AddMemoryInputType)
    { content, kind, importance, metadata, expiresAt }: AddMemoryArguments,
  ): Promise<AddMemoryPayloadType> {
    const options = given<AddOptions>({ kind, importance, metadata, expiresAt });
    const { memory, rejection } = await this.memories.for(scope).add(content, options);
    return { memory: toNodeOrNull(scope.scope, memory), rejection };
  }

  @Mutation(() => UpdateMemoryPayloadType, { name: 'updateMemory', description: 'Changes a memory.' })
  @MemoryField('write')
  async update(
    @MemoryScopeParam() scope: Scope,
    @MemoryInput(UpdateMemoryInputType) input: UpdateMemoryArguments,
  ): Promise<UpdateMemoryPayloadType> {
    const { memory, rejection } = await this.memories.for(scope).update(input.id, toMemoryChange(input));
    return { memory: toNodeOrNull(scope.scope, memory), rejection };
  }

  @Mutation(() => Boolean, { name: 'forgetMemory', description: 'False for an id that is not in this scope.' })
  @MemoryField('write')
  forget(@MemoryScopeParam() scope: Scope, @MemoryArgs(MemoryIdArgsType) { id }: MemoryIdArguments): Promise<boolean> {
    return this.memories.for(scope).forget(id);
  }
}
