import type { DataSource } from 'typeorm';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import type { PostgresConnection } from '../../src/storage/postgres/data-source.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import type { RowLevelSecurityOptions } from '../../src/storage/postgres/row-level-security.js';
import { runMigrations } from '../../src/storage/postgres/run-migrations.js';
import { openTestDatabase } from './test-database.js';

/** Owns nothing. On a native server it logs in by itself, so its password is no secret. */
export const APP = 'engram_test_app';
export const SWEEPER = 'engram_test_sweeper';

export interface SecuredStoreUnderTest {
  /** Not started. Serves as `APP`. */
  readonly store: PostgresMemoryStore;
  /** The store's connections: `APP` on a native server, a superuser on the embedded database. */
  readonly dataSource: DataSource;
  /** What the store was given. */
  readonly rowLevelSecurity: RowLevelSecurityOptions;
  /** A superuser's connections to the same database. */
  readonly admin: DataSource;
  readonly native: boolean;
  /** Where `user` connects to this database. */
  connectionOf(user: string): string | PostgresConnection;
  close(): Promise<void>;
}

/** A store on a database of its own, whose tables have policies. */
export async function openSecuredStore(
  options: { poolSize?: number; partitions?: number; hnswFrom?: number } = {},
): Promise<SecuredStoreUnderTest> {
  const { poolSize, partitions, hnswFrom } = options;
  const database = await openTestDatabase({ mayBeMigrated: true });
  const admin = createPostgresDataSource({ connection: database.connection, poolSize: 2 });
  await admin.initialize();
  await makeLogins(admin);
  await runMigrations(admin, { partitions, rowLevelSecurity: { role: APP, sweeper: SWEEPER } });

  const connectionOf = (user: string): string | PostgresConnection => {
    if (typeof database.connection !== 'string') return database.connection;
    const url = new URL(database.connection);
    url.username = user;
    url.password = user;
    return url.href;
  };
  const dataSource = createPostgresDataSource({
    connection: connectionOf(APP),
    // Longer than on a busy machine a call waits for the others that share the pool.
    connectTimeoutMs: 120_000,
    ...(poolSize && { poolSize }),
  });
  const rowLevelSecurity = database.native ? { sweeper: SWEEPER } : { role: APP, sweeper: SWEEPER };
  const store = new PostgresMemoryStore(dataSource, {
    migrate: false,
    ownsDataSource: true,
    rowLevelSecurity,
    // As the storages have it.
    preparedStatements: database.native,
    ...(hnswFrom && { hnswFrom }),
  });
  return {
    store,
    dataSource,
    rowLevelSecurity,
    admin,
    native: database.native,
    connectionOf,
    close: async () => {
      await store.stop();
      await admin.destroy();
      await database.close();
    },
  };
}

/** Roles are the server's, not a database's: other test files may be making the same ones. */
async function makeLogins(admin: DataSource): Promise<void> {
  for (const role of [APP, SWEEPER]) {
    await admin.query(
      `DO $$ BEGIN CREATE ROLE ${role} LOGIN PASSWORD '${role}'; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
    );
  }
  await admin.query(
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_auth_members m WHERE m.roleid = '${SWEEPER}'::regrole AND m.member = '${APP}'::regrole) THEN
         GRANT ${SWEEPER} TO ${APP} WITH INHERIT FALSE, SET TRUE;
       END IF;
     EXCEPTION WHEN unique_violation THEN NULL; END $$`,
  );
}
