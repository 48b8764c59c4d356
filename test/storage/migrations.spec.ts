import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { engramEntities } from '../../src/storage/postgres/entities.js';
import { SHOWN_COLUMNS } from '../../src/storage/postgres/memory-row.js';
import { engramMigrations } from '../../src/storage/postgres/migrations.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { revertMigrations, runMigrations } from '../../src/storage/postgres/run-migrations.js';
import { openTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

/** The embedded database has no `"$user"` on its search path. */
const itOnNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;

describe('the migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await openTestDatabase();
    // On the embedded database twenty wait for one who migrates, on a busy machine for long.
    const patient = { poolSize: 20, connectTimeoutMs: 60_000 };
    dataSource = await createPostgresDataSource({ connection: database.connection, ...patient }).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.close();
  });

  async function objectsOf(schema: string): Promise<string[]> {
    const rows: { name: string }[] = await dataSource.query(
      `SELECT c.relkind::text || ' ' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relname NOT LIKE 'engram_migrations%'
       UNION ALL
       SELECT 'domain ' || t.typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
       WHERE n.nspname = $1 AND t.typtype = 'd' ORDER BY 1`,
      [schema],
    );
    return rows.map((row) => row.name);
  }

  it('run once when twenty start at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => runMigrations(dataSource, { schema: 'twenty' })));
    const names = engramMigrations().map((Migration) => new Migration().name);
    expect(names[0]).toBe('CreateMemoryTables1788000000000');
    expect(runs.filter((ran) => ran.length > 0)).toEqual([names]);
    expect(await dataSource.query('SELECT name FROM twenty.engram_migrations')).toHaveLength(names.length);
  });

  it('go up, down and up again, and leave nothing below but their own history', async () => {
    const options = { schema: 'up and "down"' };
    await runMigrations(dataSource, options);
    const first = await objectsOf(options.schema);
    expect(first).toContain('r memories');
    await revertMigrations(dataSource, options);
    expect(await objectsOf(options.schema)).toEqual([]);
    await runMigrations(dataSource, options);
    expect(await objectsOf(options.schema)).toEqual(first);
  });

  it('are missed at start, not at the first memory, by a store that does not run them itself', async () => {
    await runMigrations(dataSource, { schema: 'migrated' });
    const store = new PostgresMemoryStore(dataSource, { schema: 'nowhere', migrate: false });
    await expect(store.start()).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      message: expect.stringMatching(/"nowhere".*engramMigrations.*migrate: true/),
    });
  });

  it('put the vector of a memory behind what a recall reads, so that no row is read past it', async () => {
    await runMigrations(dataSource, { schema: 'ordered' });
    const rows: { name: string }[] = await dataSource.query(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'ordered.memories'::regclass AND attnum > 0 ORDER BY attnum`,
    );
    const names = rows.map(({ name }) => name);
    const beforeVector = names.slice(0, names.indexOf('embedding'));
    const read = [...SHOWN_COLUMNS.split(',').map((column) => column.trim().slice('m.'.length)), 'space', 'search'];
    expect(beforeVector).toEqual(expect.arrayContaining(read));
  });

  it('that fail half way leave nothing', async () => {
    await dataSource.query('CREATE SCHEMA half_way; CREATE TABLE half_way.memory_turns (n int)');
    await expect(runMigrations(dataSource, { schema: 'half_way' })).rejects.toThrow(/SQLSTATE 42P07/);
    expect(await objectsOf('half_way')).toEqual(['r memory_turns']);
  });

  it('use pgvector where it is, whatever schema was asked for', async () => {
    await dataSource.query('CREATE SCHEMA elsewhere; ALTER EXTENSION vector SET SCHEMA elsewhere');
    try {
      await runMigrations(dataSource, { schema: 'moved', extensionSchema: 'public' });
      const store = new PostgresMemoryStore(dataSource, { schema: 'moved', migrate: true });
      await store.start();
      const scope = { tenantId: 't', scope: 's' };
      const vector = { space: 'a:b:2', values: [1, 0] };
      await store.write(scope, (writer) =>
        writer.insert([
          {
            id: '018f0000-0000-7000-8000-000000000001',
            content: 'One.',
            contentHash: '018f0000-0000-7000-8000-000000000002',
            kind: 'fact',
            importance: 0.5,
            metadata: {},
            searchText: 'one',
            vector,
            source: 'manual',
            turnId: null,
            messageNo: null,
            evidenceAt: null,
            expiresAt: null,
          },
        ]),
      );
      const hits = await store.recall(scope, {
        searchText: '',
        vector,
        mode: 'vector',
        limit: 1,
        denseWeight: 1,
        maxDistance: 0.1,
        minCoverage: null,
        minScore: null,
      });
      expect(hits).toHaveLength(1);
      await store.stop();
      expect(dataSource.isInitialized).toBe(true);
    } finally {
      await dataSource.query('ALTER EXTENSION vector SET SCHEMA public');
    }
  });

  it('tell a role without the right what an administrator has to run', async () => {
    // Roles belong to the whole server.
    const guest = `engram_guest_${Date.now()}`;
    await dataSource.query(`CREATE ROLE ${guest}`);
    await asRole(guest, async (connected) => {
      await expect(runMigrations(connected, { schema: 'not there' })).rejects.toThrow(
        /An administrator has to run: CREATE SCHEMA "not there"/,
      );
    });
    await dataSource.query(`CREATE SCHEMA guests AUTHORIZATION ${guest}; DROP EXTENSION vector CASCADE`);
    await asRole(guest, async (connected) => {
      await expect(runMigrations(connected, { schema: 'guests', extensionSchema: 'guests' })).rejects.toThrow(
        /An administrator has to run in this database: CREATE EXTENSION vector WITH SCHEMA "guests";/,
      );
    });
    await dataSource.query('CREATE EXTENSION vector');
    await asRole(guest, async (connected) => {
      expect(await runMigrations(connected, { schema: 'guests' })).toHaveLength(engramMigrations().length);
    });
  });

  it('are followed by a start that tells a role without the right on the schema of pgvector, before the first memory', async () => {
    const guest = `engram_guest_${Date.now()}`;
    await dataSource.query('CREATE SCHEMA "the vectors"; ALTER EXTENSION vector SET SCHEMA "the vectors"');
    try {
      await runMigrations(dataSource, { schema: 'guarded' });
      await dataSource.query(
        `CREATE ROLE ${guest}; GRANT USAGE ON SCHEMA guarded TO ${guest}; GRANT ALL ON ALL TABLES IN SCHEMA guarded TO ${guest}`,
      );
      await asRole(guest, async (connected) => {
        const store = new PostgresMemoryStore(connected, { schema: 'guarded', migrate: false });
        await expect(store.start()).rejects.toThrow(`GRANT USAGE ON SCHEMA "the vectors" TO "${guest}";`);
      });
      await dataSource.query(`GRANT USAGE ON SCHEMA "the vectors" TO ${guest}`);
      await asRole(guest, async (connected) => {
        const store = new PostgresMemoryStore(connected, { schema: 'guarded', migrate: false });
        await store.start();
        expect((await store.list({ tenantId: 't', scope: 's' }, { limit: 1 })).totalCount).toBe(0);
        await store.stop();
      });
    } finally {
      await dataSource.query('ALTER EXTENSION vector SET SCHEMA public');
    }
  });

  it('keep a host’s synchronize and its own migrations away from our tables', async () => {
    await runMigrations(dataSource, { schema: 'hosted' });
    const options = dataSource.options as { type: 'postgres' };
    const host = new DataSource({
      ...options,
      schema: 'hosted',
      entities: engramEntities({ schema: 'hosted' }),
      migrations: [],
    });
    await host.initialize();
    try {
      const { upQueries } = await host.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
      const scopes = await host.getRepository('EngramScope').find();
      expect(scopes).toEqual([]);
    } finally {
      await host.destroy();
    }
  });

  it.each(['all', 'each', 'none'] as const)(
    'also run as a host’s own migrations, in transactions: %s',
    async (mode) => {
      const options = dataSource.options as { type: 'postgres' };
      const schema = `by_host_${mode}`;
      const rowLevelSecurity = { sweeper: `engram_test_${Date.now()}_${mode}` };
      const migrations = engramMigrations({ schema, partitions: 2, rowLevelSecurity });
      const host = new DataSource({
        ...options,
        schema: 'public',
        entities: [],
        migrations,
        migrationsTransactionMode: mode,
        migrationsTableName: `host_migrations_${mode}`,
      });
      await host.initialize();
      try {
        await host.runMigrations();
        expect(await objectsOf(schema)).toContain('p memories');
        const forced = await dataSource.query(
          `SELECT FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'p' AND relforcerowsecurity`,
        );
        expect(forced).toHaveLength(5);
        for (let count = migrations.length; count > 0; count -= 1) await host.undoLastMigration({ transaction: mode });
        expect(await objectsOf(schema)).toEqual([]);
      } finally {
        await host.destroy();
        await dataSource.query(`DROP SCHEMA ${schema} CASCADE; DROP ROLE IF EXISTS ${rowLevelSecurity.sweeper}`);
      }
    },
  );

  itOnNative('refuse a schema that would hide the tables of a host that names none', async () => {
    const [{ role }] = await dataSource.query<[{ role: string }]>('SELECT current_user AS role');
    const migrations = engramMigrations({ schema: role });
    const options = {
      type: 'postgres' as const,
      url: database.connection as string,
      migrations,
      migrationsTableName: 'their_migrations',
    };
    const host = await new DataSource(options).initialize();
    const named = new DataSource({ ...options, schema: 'public' });
    try {
      await expect(host.runMigrations()).rejects.toThrow(/look there first for the app's own tables/);
      expect(await objectsOf(role)).toEqual([]);
      await named.initialize();
      expect(await named.runMigrations()).toHaveLength(migrations.length);
      expect(await named.runMigrations()).toEqual([]);
    } finally {
      await dataSource.query(`DROP SCHEMA IF EXISTS ${role} CASCADE; DROP TABLE IF EXISTS public.their_migrations`);
      await host.destroy();
      if (named.isInitialized) await named.destroy();
    }
  });

  it('put tenant and scope first in every key', async () => {
    await runMigrations(dataSource, { schema: 'keys' });
    const keys: { index: string; columns: string[] }[] = await dataSource.query(
      `SELECT c.relname AS index, array_agg(a.attname::text ORDER BY k.n) AS columns
       FROM pg_index i
       JOIN pg_class c ON c.oid = i.indexrelid
       JOIN pg_namespace s ON s.oid = c.relnamespace
       CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
       WHERE s.nspname = 'keys' AND (i.indisunique OR i.indisprimary) AND c.relname NOT LIKE '%engram_migrations%'
       GROUP BY c.relname`,
    );
    expect(keys.length).toBeGreaterThan(5);
    for (const { index, columns } of keys)
      expect([index, columns.slice(0, 2)]).toEqual([index, ['tenant_id', 'scope']]);
  });

  /** One connection that acts as the role: on the embedded database all connections are one session anyway. */
  async function asRole(role: string, work: (asRole: DataSource) => Promise<void>): Promise<void> {
    const single = await createPostgresDataSource({ connection: database.connection, poolSize: 1 }).initialize();
    await single.query(`SET ROLE ${role}`);
    try {
      await work(single);
    } finally {
      await single.query('RESET ROLE');
      await single.destroy();
    }
  }
});
