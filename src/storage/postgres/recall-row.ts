import type { RecallHit } from '../memory-store.js';
import { toMemory } from './memory-row.js';
import type { RecalledRow } from './statements/recall-memories.js';

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
