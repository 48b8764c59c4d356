import type { DataSource } from 'typeorm';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import type { PostgresMemoryStoreOptions } from '../../src/storage/postgres/postgres-memory-store.js';
import { openTestDatabase } from './test-database.js';

export interface PostgresStoreUnderTest {
  /** Not started. */
  readonly store: PostgresMemoryStore;
  readonly dataSource: DataSource;
  /** Stops the store and gives its database up. */
  close(): Promise<void>;
}

/** Lays the tables of every store out in so many partitions, so that the whole suite runs on that layout. */
const everywhere = process.env['ENGRAM_TEST_PARTITIONS'];

/** A store on a database of its own. */
export async function openPostgresStore(
  options: Partial<PostgresMemoryStoreOptions> & { poolSize?: number; connectTimeoutMs?: number } = {},
): Promise<PostgresStoreUnderTest> {
  // Longer than on a busy machine a call waits for the others that share the pool.
  const { poolSize, connectTimeoutMs = 120_000, ...storeOptions } = options;
  const database = await openTestDatabase({
    mayBeMigrated: storeOptions.migrate !== false && !storeOptions.schema && !storeOptions.extensionSchema,
  });
  const dataSource = createPostgresDataSource({
    connection: database.connection,
    ...(poolSize && { poolSize }),
    connectTimeoutMs,
    ...(storeOptions.schema && { schema: storeOptions.schema }),
  });
  const store = new PostgresMemoryStore(dataSource, {
    migrate: true,
    ownsDataSource: true,
    ...(everywhere && { partitions: Number(everywhere) }),
    ...storeOptions,
  });
  return {
    store,
    dataSource,
    close: async () => {
      await store.stop();
      await database.close();
    },
  };
}
