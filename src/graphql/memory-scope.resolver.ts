import { Inject, UseFilters } from '@nestjs/common';
import { Mutation, Query, Resolver } from '@nestjs/graphql';
import { MemoryScopeParam } from '../access/require-memory-access.js';
import { MemoryService } from '../memory/memory.service.js';
import type { ErasureReceipt } from '../model/erasure-receipt.js';
import type { ScopeSettings } from '../model/scope-settings.js';
import type { Scope } from '../model/scope.js';
import { MemoryErrorFilter } from './memory-error.filter.js';
import { MemoryField } from './memory-field.js';
import { ScopeArgsType, SetMemoryEnabledArgsType } from './inputs/scope.args.js';
import type { SetMemoryEnabledArguments } from './inputs/scope.args.js';
import { MemoryArgs } from './inputs/memory-args.js';
import {
  MemoryErasureReceiptType,
  MemorySettingsType,
  MemoryStatsType,
  toMemoryStats,
} from './types/memory-scope.type.js';

/** A scope as a whole: its switch, its figures, its erasure. */
@Resolver(() => MemorySettingsType)
@UseFilters(MemoryErrorFilter)
export class MemoryScopeResolver {
  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  @Query(() => MemorySettingsType, { name: 'memorySettings', description: 'Whether memory is on.' })
  @MemoryField('read')
  settings(@MemoryScopeParam() scope: Scope, @MemoryArgs(ScopeArgsType) _args: object): Promise<ScopeSettings> {
    return this.memories.for(scope).settings();
  }

  @Query(() => MemoryStatsType, { name: 'memoryStats', description: 'How much there is, counted now.' })
  @MemoryField('read')
  async stats(@MemoryScopeParam() scope: Scope, @MemoryArgs(ScopeArgsType) _args: object): Promise<MemoryStatsType> {
    return toMemoryStats(await this.memories.for(scope).stats());
  }

  @Mutation(() => MemorySettingsType, {
    name: 'setMemoryEnabled',
    description:
      'Off: nothing is learned, stored or recalled, and turns that wait are dropped. Seeing and forgetting goes on.',
  })
  @MemoryField('administer')
  setEnabled(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(SetMemoryEnabledArgsType) { enabled }: SetMemoryEnabledArguments,
  ): Promise<ScopeSettings> {
    return this.memories.for(scope).setEnabled(enabled);
  }

  @Mutation(() => MemoryErasureReceiptType, {
    name: 'forgetAllMemories',
    description: 'Erases the scope, with history and turns. It cannot be undone.',
  })
  @MemoryField('erase')
  forgetAll(@MemoryScopeParam() scope: Scope, @MemoryArgs(ScopeArgsType) _args: object): Promise<ErasureReceipt> {
    return this.memories.for(scope).forgetAll();
  }
}
