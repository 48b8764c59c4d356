import type { RecallHit } from '../memory-store.js';
import { toMemory } from './memory-row.js';
import type { ShownRow } from './memory-row.js';

export type RecalledRow = ShownRow & {
  readonly score: number;
  readonly distance: number | null;
  readonly coverage: number | null;
  /** bigint, as text where a statement counts. */
  readonly vector_rank: string | number | null;
  readonly keyword_rank: string | number | null;
};

export function toRecallHit(row: RecalledRow): RecallHit {
  return {
    memory: toMemory(row),
    score: row.score,
    distance: row.distance,
    coverage: row.coverage,
    vectorRank: row.vector_rank === null ? null : Number(row.vector_rank),
    keywordRank: row.keyword_rank === null ? null : Number(row.keyword_rank),
  };
}
