import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuid } from 'uuid';
import { contentHash } from '../../src/model/content.js';
import { searchText } from '../../src/model/search-text.js';
import type { RecallQuery } from '../../src/storage/memory-store.js';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { memoryStoreContract } from '../../src/testing/memory-store-contract.js';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';
import { openTestDatabase } from '../support/test-database.js';

const SCOPE = { tenantId: 'acme', scope: 'user:prepared' };
const SPACE = 'test:plane:2';
const QUERY: RecallQuery = {
  searchText: 'likes tea',
  vector: { space: SPACE, values: [1, 0] },
  mode: 'vector',
  limit: 5,
  denseWeight: 0.5,
  maxDistance: 0.6,
  minCoverage: 0.3,
  minScore: null,
};

async function remember(store: PostgresMemoryStore): Promise<void> {
  const content = 'Likes tea';
  await store.write(SCOPE, (writer) =>
    writer.insert([
      {
        id: uuid(),
        content,
        contentHash: contentHash(content),
        kind: 'fact',
        importance: 0.5,
        metadata: {},
        searchText: searchText(content),
        vector: { space: SPACE, values: [1, 0.1] },
        source: 'manual',
        turnId: null,
        messageNo: null,
        evidenceAt: null,
        expiresAt: null,
      },
    ]),
  );
}

// All connections of the embedded database are one session, so there it is never asked for.
if (process.env['ENGRAM_TEST_DATABASE_URL']) {
  memoryStoreContract('PostgresMemoryStore with prepared statements', () =>
    openPostgresStore({ preparedStatements: true }),
  );

  describe('a prepared recall', () => {
    let opened: PostgresStoreUnderTest;
    const prepared = (): Promise<{ name: string }[]> =>
      opened.dataSource.query(`SELECT name FROM pg_prepared_statements WHERE name LIKE 'engram%' ORDER BY name`);

    beforeAll(async () => {
      opened = await openPostgresStore({ preparedStatements: true, poolSize: 1 });
      await opened.store.start();
      await remember(opened.store);
    });
    afterAll(() => opened.close());

    it('is planned once a connection, one for each form of the statement', async () => {
      for (let call = 0; call < 8; call += 1) {
        expect(await opened.store.recall(SCOPE, QUERY)).toHaveLength(1);
        expect(await opened.store.recall(SCOPE, { ...QUERY, mode: 'hybrid' })).toHaveLength(1);
      }
      expect(await prepared()).toHaveLength(2);
    });

    it('goes on unprepared when somebody else takes it away', async () => {
      await opened.dataSource.query('DEALLOCATE ALL');
      expect(await opened.store.recall(SCOPE, QUERY)).toHaveLength(1);
      expect(await opened.store.recall(SCOPE, { ...QUERY, mode: 'hybrid' })).toHaveLength(1);
      expect(await prepared()).toEqual([]);
    });

    (hasPgBouncer ? it : it.skip)('is not tried behind a pooler that shares connections', async () => {
      const pooler = await startPgBouncer((await openTestDatabase()).connection as string, { poolSize: 1 });
      const stores = [1, 2].map(
        () =>
          new PostgresMemoryStore(createPostgresDataSource({ connection: pooler.url, poolSize: 1 }), {
            migrate: true,
            ownsDataSource: true,
            preparedStatements: true,
          }),
      );
      const [first, second] = stores as [PostgresMemoryStore, PostgresMemoryStore];
      await first.start();
      await second.start();
      await remember(first);
      for (const store of [first, second, first]) expect(await store.recall(SCOPE, QUERY)).toHaveLength(1);
      for (const store of stores) await store.stop();
      await pooler.stop();
    });
  });
} else {
  describe('a prepared recall', () => {
    it.skip('is tried on native Postgres', () => undefined);
  });
}
