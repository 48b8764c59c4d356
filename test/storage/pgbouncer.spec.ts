import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postgres } from 'nestjs-engram';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { createScopeIndex, dropScopeIndex } from '../../src/storage/postgres/scope-index.js';
import { memoryStoreContract } from '../../src/testing/memory-store-contract.js';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import type { PgBouncer } from '../support/pgbouncer.js';
import { openTestDatabase } from '../support/test-database.js';

// Fewer connections to the server than to the pooler, so that each serves many clients in turn, with policies: whatever a
// statement would leave in its session, another client's would meet. In schemas that no search path has, under names that
// need quoting everywhere: so a statement that names a table, an operator or a type without its schema fails too.
if (process.env['ENGRAM_TEST_DATABASE_URL'] && hasPgBouncer) {
  memoryStoreContract('PostgresMemoryStore behind PgBouncer in transaction mode, in schemas of odd names', async () => {
    const database = await openTestDatabase();
    const pooler = await startPgBouncer(database.connection as string, { poolSize: 4 });
    const store = new PostgresMemoryStore(createPostgresDataSource({ connection: pooler.url, poolSize: 20 }), {
      migrate: true,
      ownsDataSource: true,
      schema: `Our "own" :'role'`,
      extensionSchema: `The "vectors" :"schema"`,
      // Made by the migrations, and not to log in as.
      rowLevelSecurity: { role: 'engram_test "pooled"', sweeper: "engram_test pooled's sweeper" },
    });
    return { store, close: () => pooler.stop() };
  });

  describe('PgBouncer in these tests', () => {
    let pooler: PgBouncer;
    beforeAll(async () => {
      pooler = await startPgBouncer((await openTestDatabase()).connection as string, { poolSize: 1 });
    });
    afterAll(() => pooler.stop());

    it('is refused by the command that makes an index, which would leave its lock behind', async () => {
      const client = await createPostgresDataSource({ connection: pooler.url, poolSize: 1 }).initialize();
      try {
        const scope = { tenantId: 'acme', scope: 'team:7' };
        for (const command of [createScopeIndex, dropScopeIndex])
          await expect(command(client, scope)).rejects.toThrow('over a direct connection');
      } finally {
        await client.destroy();
      }
    });

    it('is refused at start where upkeep shall make indexes', async () => {
      const client = await createPostgresDataSource({ connection: pooler.url, poolSize: 2 }).initialize();
      try {
        const store = new PostgresMemoryStore(client, { migrate: true, indexScopesFrom: 5_000 });
        await expect(store.start()).rejects.toThrow('over a direct connection');
      } finally {
        await client.destroy();
      }
    });

    it('is left alone there by upkeep where nobody asked for it', async () => {
      const store = await postgres({ url: pooler.url, poolSize: 2 }).create();
      try {
        await store.start();
        expect(await store.indexLargeScopes?.()).toEqual({ indexed: 0, failed: 0 });
      } finally {
        await store.stop();
      }
    });

    it('gives a session of the server to one client after the other', async () => {
      const clients = [1, 2].map(() => createPostgresDataSource({ connection: pooler.url, poolSize: 1 }));
      const pids: string[] = [];
      for (const client of clients) {
        await client.initialize();
        pids.push((await client.query('SELECT pg_backend_pid() AS pid'))[0].pid);
      }
      for (const client of clients) await client.destroy();
      expect(pids[0]).toBe(pids[1]);
    });
  });
} else {
  describe('PgBouncer', () => {
    it.skip('is tried where pgbouncer is installed, and a native Postgres is given', () => undefined);
  });
}
