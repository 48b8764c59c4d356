import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import type { ErasureReceipt } from '../../model/erasure-receipt.js';
import type { MemoryKind } from '../../model/kind.js';
import { MEMORY_KINDS } from '../../model/kind.js';
import type { ScopeSettings } from '../../model/scope-settings.js';
import type { ScopeStats } from '../../model/scope-stats.js';
import { MemoryKindEnum } from '../enums.js';

@ObjectType('MemorySettings', { description: 'What is set for a scope.' })
export class MemorySettingsType implements ScopeSettings {
  @Field(() => Boolean, {
    description: 'False: nothing is learned, stored or recalled; seeing and forgetting goes on.',
  })
  enabled!: boolean;
}

@ObjectType('MemoryKindCount')
export class MemoryKindCountType {
  @Field(() => MemoryKindEnum)
  kind!: MemoryKind;

  @Field(() => Int)
  count!: number;
}

@ObjectType('MemoryStats', { description: 'How much there is in a scope, counted now.' })
export class MemoryStatsType {
  @Field(() => Int, { description: 'Live memories.' })
  total!: number;

  @Field(() => [MemoryKindCountType], { description: 'Every kind, those without a memory too.' })
  byKind!: MemoryKindCountType[];

  @Field(() => Int, { description: 'Memories that only words find until the embeddings are rebuilt.' })
  staleEmbeddings!: number;

  @Field(() => Int, { description: 'Turns that wait, run, or will be tried again.' })
  pendingTurns!: number;

  @Field(() => Int, { description: 'Turns that will not be tried again.' })
  deadTurns!: number;
}

export function toMemoryStats({ byKind, ...counts }: ScopeStats): MemoryStatsType {
  return { ...counts, byKind: MEMORY_KINDS.map((kind) => ({ kind, count: byKind[kind] })) };
}

@ObjectType('MemoryErasureReceipt', { description: 'What an erasure removed: counts, and no content.' })
export class MemoryErasureReceiptType implements Omit<ErasureReceipt, 'accesses'> {
  @Field(() => ID)
  id!: string;

  @Field(() => Date, { description: 'A turn said before it is not learned any more.' })
  erasedAt!: Date;

  @Field(() => Int)
  memories!: number;

  @Field(() => Int, { description: 'Earlier states.' })
  revisions!: number;

  @Field(() => Int)
  turns!: number;
}
