import type { RecallQuery } from '../../src/storage/memory-store.js';

/** Finds all memories of a scope that have the vector of `newMemory`, or one near it. */
export const everythingNear: RecallQuery = {
  searchText: '',
  vector: { space: 'test:plane:2', values: [1, 0] },
  mode: 'vector',
  limit: 10,
  denseWeight: 1,
  maxDistance: 1,
  minCoverage: null,
  minScore: null,
};
