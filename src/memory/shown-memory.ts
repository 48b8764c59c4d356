import type { Memory } from '../model/memory.js';
import type { StoredMemory } from '../storage/memory-store.js';

/** A memory without what only writers need. */
export function shownMemory({ contentHash: _hash, space: _space, evidenceAt: _at, ...memory }: StoredMemory): Memory {
  return memory;
}
