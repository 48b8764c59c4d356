import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { engramEntities } from '../../src/storage/postgres/entities.js';
import { engramMigrations } from '../../src/storage/postgres/migrations.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { runMigrations } from '../../src/storage/postgres/run-migrations.js';
import { createScopeIndex } from '../../src/storage/postgres/scope-index.js';
import { hostEntities } from '../support/host-data-source.js';
import { newMemory } from '../support/new-memory.js';
import { openTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Processes with connections of their own, told where by a URL: there the embedded database has no place. */
const itOnNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;
/** A process takes seconds to load TypeScript on a busy machine. */
const PROCESS_TIMEOUT_MS = 600_000;

interface Ended {
  readonly code: number;
  readonly output: string;
}

// Real: Postgres, TypeORM's schema builder and its command line, processes.
describe('beside a host’s own schema', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await openTestDatabase();
    dataSource = await createPostgresDataSource({ connection: database.connection }).initialize();
    await runMigrations(dataSource);
    // A large scope has indexes that no migration knows of.
    const store = new PostgresMemoryStore(dataSource, { migrate: false });
    await store.start();
    const scope = { tenantId: 'acme', scope: 'team:7' };
    await store.write(scope, (writer) => writer.insert([newMemory('Keeps bees.')]));
    expect((await createScopeIndex(dataSource, scope)).created).toHaveLength(2);
    await store.erase(scope);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.close();
  });

  const connection = () => {
    const {
      url,
      host,
      port,
      username,
      password,
      database: name,
    } = dataSource.options as Extract<DataSourceOptions, { type: 'postgres' }>;
    return url === undefined ? { host, port, username, password, database: name } : { url };
  };

  /** Columns, indexes and constraints of our tables. */
  const ourTables = (): Promise<unknown> =>
    dataSource.query(
      `SELECT c.relname, c.relkind, pg_get_indexdef(c.oid) AS index,
              (SELECT array_agg(concat_ws(' ', a.attname, a.atttypid::regtype, a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
                                ORDER BY a.attnum)
               FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
               WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns,
              (SELECT array_agg(pg_get_constraintdef(k.oid) ORDER BY k.conname) FROM pg_constraint k WHERE k.conrelid = c.oid)
                AS constraints
       FROM pg_class c
       WHERE c.relnamespace = 'engram'::regnamespace AND c.relname !~ '^(app_)?(customers|notes|PK_|UQ_|IDX_)' ORDER BY c.relname`,
    );

  async function typeorm(command: string[], env: Record<string, string>): Promise<Ended> {
    const cli = join(ROOT, 'node_modules/typeorm/cli.js');
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', cli, ...command], {
        cwd: ROOT,
        env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...env },
      });
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code: number; stdout?: string; stderr?: string };
      return { code, output: stdout + stderr };
    }
  }

  describe.each([
    ['with our tables merely present, in a schema of its own', 'public', false, ''],
    ['with our entities registered', 'public', true, ''],
    ['in the schema of our tables', 'engram', false, ''],
    ['in the schema of our tables, with our entities registered', 'engram', true, ''],
    ['with a prefix for its tables', 'public', true, 'app_'],
    ['with a prefix for its tables, in the schema of ours', 'engram', true, 'app_'],
  ])('a host %s', (_, schema, registered, entityPrefix) => {
    const newHost = () =>
      new DataSource({
        type: 'postgres',
        ...connection(),
        schema,
        entityPrefix,
        entities: [...hostEntities(schema), ...(registered ? engramEntities() : [])],
      }).initialize();

    it('synchronizes its own tables and nothing of ours, and then has an empty diff', async () => {
      const before = await ourTables();
      const host = await newHost();
      try {
        const { upQueries: first } = await host.driver.createSchemaBuilder().log();
        expect(first.length).toBeGreaterThan(0);
        for (const { query } of first) expect(query).toMatch(/customers|notes/);
        await host.synchronize();
        expect(await ourTables()).toEqual(before);
        const { upQueries, downQueries } = await host.driver.createSchemaBuilder().log();
        expect([...upQueries, ...downQueries].map(({ query }) => query)).toEqual([]);
        if (registered && entityPrefix === '') expect(await host.getRepository('EngramMemory').find()).toEqual([]);
      } finally {
        await dataSource.query(
          `DROP TABLE IF EXISTS ${schema}.${entityPrefix}notes, ${schema}.${entityPrefix}customers`,
        );
        await host.destroy();
      }
    });
  });

  it.each(['its own only', 'ours too'])(
    'a host with entities, %s, generates no migration by the command line',
    async (entities) => {
      const host = await new DataSource({
        type: 'postgres',
        ...connection(),
        schema: 'public',
        entities: hostEntities('public'),
        synchronize: true,
      }).initialize();
      const folder = mkdtempSync(join(tmpdir(), 'engram-generate-'));
      try {
        const { code, output } = await typeorm(
          ['migration:generate', join(folder, 'Host'), '-d', 'test/support/host-data-source.ts'],
          { HOST_CONNECTION: JSON.stringify(connection()), HOST_ENTITIES: entities, HOST_SCHEMA: 'public' },
        );
        expect(output).toMatch(/No changes in database schema were found/);
        expect(code).toBe(1);
        expect(readdirSync(folder)).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
        await host.query('DROP TABLE public.notes, public.customers');
        await host.destroy();
      }
    },
    PROCESS_TIMEOUT_MS,
  );

  itOnNative(
    'the command line shows, runs and reverts our migrations by ormconfig.ts',
    async () => {
      const env = { DATABASE_URL: (connection() as { url: string }).url, ENGRAM_SCHEMA: 'by command' };
      const command = (name: string) => typeorm([name, '-d', 'ormconfig.ts'], env);
      const all = engramMigrations().length;

      expect((await command('migration:show')).output.match(/\[ \]/g)).toHaveLength(all);
      expect((await command('migration:run')).code).toBe(0);
      expect((await command('migration:show')).output.match(/\[X\]/g)).toHaveLength(all);
      expect((await command('migration:revert')).code).toBe(0);
      // The same history as the one that the app keeps at its start.
      expect(await runMigrations(dataSource, { schema: 'by command' })).toHaveLength(1);
      expect(await runMigrations(dataSource, { schema: 'by command' })).toEqual([]);
    },
    PROCESS_TIMEOUT_MS,
  );

  itOnNative(
    'twenty processes that migrate at once end in one clean schema',
    async () => {
      const { url } = connection() as { url: string };
      const script = join(ROOT, 'test/support/migrating-process.ts');
      const processes = Array.from({ length: 20 }, () => {
        const child = spawn(process.execPath, ['--import', 'tsx', script, url, 'twenty processes'], {
          cwd: ROOT,
          env: { ...process.env, NODE_OPTIONS: '' },
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        const said: string[] = [];
        const lines = createInterface({ input: child.stdout });
        lines.on('line', (line) => said.push(line));
        return { child, said, ready: once(lines, 'line'), over: once(child, 'close') };
      });
      try {
        await Promise.all(processes.map(({ ready }) => ready));
        for (const { child } of processes) child.stdin.write('go\n');
        await Promise.all(processes.map(({ over }) => over));
      } finally {
        for (const { child } of processes) child.kill();
      }
      const ran = processes.map(({ said }) => said[1]);
      const names = await runMigrations(dataSource, { schema: 'one process' });
      expect(ran.filter((line) => line === '[]')).toHaveLength(19);
      expect(ran.filter((line) => line === JSON.stringify(names))).toHaveLength(1);
      const history: unknown[] = await dataSource.query('SELECT name FROM "twenty processes".engram_migrations');
      expect(history).toEqual(names.map((name) => ({ name })));
    },
    2 * PROCESS_TIMEOUT_MS,
  );
});
