import { InMemoryMemoryStore } from './in-memory-store.js';
import { memoryStoreContract } from './memory-store-contract.js';

memoryStoreContract('InMemoryMemoryStore', async () => {
  const store = new InMemoryMemoryStore();
  return { store, setEnabled: async (scope, enabled) => store.setEnabled(scope, enabled) };
});
