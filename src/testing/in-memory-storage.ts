import type { PortDefinition } from '../port-definition.js';
import type { MemoryStore } from '../storage/memory-store.js';
import { InMemoryMemoryStore } from './in-memory-store.js';

/** Keeps memories in a map, for tests of an app: gone with the process, words unstemmed, no database. */
export function inMemoryStorage(store: MemoryStore = new InMemoryMemoryStore()): PortDefinition<MemoryStore> {
  return { adapter: store.adapter, create: () => store };
}
