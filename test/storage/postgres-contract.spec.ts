import { memoryStoreContract } from '../../src/testing/memory-store-contract.js';
import { openPostgresStore } from '../support/postgres-store.js';

memoryStoreContract('PostgresMemoryStore', async () => {
  const { store, close } = await openPostgresStore();
  return { store, close };
});
