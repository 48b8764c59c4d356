import { randomUUID } from 'node:crypto';
import { contentHash } from '../../src/model/content.js';
import { searchText } from '../../src/model/search-text.js';
import type { NewMemory } from '../../src/storage/memory-store.js';

/** A fact as the use cases hand it to a store, with a vector of two dimensions; `rest` says what else is wanted. */
export function newMemory(content: string, rest: Partial<NewMemory> = {}): NewMemory {
  return {
    id: randomUUID(),
    content,
    contentHash: contentHash(content),
    searchText: searchText(content),
    vector: { space: 'test:plane:2', values: [1, 0] },
    kind: 'fact',
    importance: 0.5,
    metadata: {},
    source: 'manual',
    turnId: null,
    messageNo: null,
    evidenceAt: null,
    expiresAt: null,
    ...rest,
  };
}
