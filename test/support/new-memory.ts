import type { NewMemory } from '../../src/storage/memory-store.js';
import * as samples from '../../src/testing/memory-store-contract/samples.js';

/** A fact as the use cases hand it to a store, with a vector of two dimensions; `rest` says what else is wanted. */
export function newMemory(content: string, rest: Partial<NewMemory> = {}): NewMemory {
  return samples.newMemory(content, { vector: { space: 'test:plane:2', values: [1, 0] }, ...rest });
}
