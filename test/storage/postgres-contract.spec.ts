import { memoryStoreContract } from '../../src/testing/memory-store-contract.js';
import { openPostgresStore } from '../support/postgres-store.js';

memoryStoreContract('PostgresMemoryStore', async () => {
  const { store, dataSource, close } = await openPostgresStore();
  return {
    store,
    setEnabled: async ({ tenantId, scope }, enabled) => {
      await dataSource.query('UPDATE engram.memory_scopes SET enabled = $3 WHERE tenant_id = $1 AND scope = $2', [
        tenantId,
        scope,
        enabled,
      ]);
    },
    close,
  };
});
