import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { InvalidOptionsError, MemoryService, postgres } from 'nestjs-engram';
import type { PostgresUrlOptions } from 'nestjs-engram';
import { DeterministicEmbedder } from 'nestjs-engram/testing';
import { TopicalVectors } from '../../bench/topical-vectors.js';
import type { Scope } from '../../src/model/scope.js';
import type { NewMemory } from '../../src/storage/memory-store.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { createScopeIndex, dropScopeIndex } from '../../src/storage/postgres/scope-index.js';
import { memoryApp } from '../memory/memory-app.js';
import { newMemory } from '../support/new-memory.js';
import { inTransaction } from '../support/open-transaction.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

/** On the embedded database all connections are one session, a superuser's: nothing is in its way. */
const onNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;

const SPACE = 'test:topical:16';
const FROM = 1_000;

// Real: the module, Postgres (embedded or native), pgvector's indexes. Doubles: embedder, completion, events.
describe('upkeep with indexScopesFrom', () => {
  const tenantId = randomUUID();
  const scopeOf = (name: string): Scope => ({ tenantId, scope: name });
  const vectors = new TopicalVectors(16, 5);
  let subject: PostgresStoreUnderTest;
  let store: PostgresMemoryStore;

  const newStore = (dataSource: DataSource, indexScopesFrom: number): PostgresMemoryStore =>
    new PostgresMemoryStore(dataSource, { migrate: false, indexScopesFrom });

  async function fill(name: string, count: number, rest: Partial<NewMemory> = {}): Promise<void> {
    const memories = Array.from({ length: count }, (_, n) =>
      newMemory(`Owns boat ${n}`, { vector: { space: SPACE, values: vectors.memory(n % 20) }, ...rest }),
    );
    await store.write(scopeOf(name), (writer) => writer.insert(memories));
  }

  const indexesOf = async (name: string): Promise<string[]> => {
    const rows: { name: string }[] = await subject.dataSource.query(
      `SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
       WHERE i.indisvalid AND pg_get_indexdef(c.oid) LIKE '%' || $1 || '%' ORDER BY 1`,
      [`'${name}'`],
    );
    return rows.map((row) => row.name);
  };

  beforeAll(async () => {
    subject = await openPostgresStore({ ownsDataSource: false, poolSize: 4 });
    await subject.dataSource.initialize();
    await subject.store.start();
    store = newStore(subject.dataSource, FROM);
    await store.start();
  });
  afterAll(async () => {
    await subject.dataSource.destroy();
    await subject.close();
  });

  it('gives each scope that has grown large its indexes, once, and no other', async () => {
    await fill('large', FROM);
    await fill('small', FROM - 1);
    const app = await memoryApp({
      storage: { adapter: 'postgres', create: () => newStore(subject.dataSource, FROM) },
      embedder: new DeterministicEmbedder(),
    });
    const service = app.module.get(MemoryService);
    const nothing = { expired: 0, dropped: 0, turns: 0, indexed: 0, failed: 0 };
    expect(await service.upkeep()).toEqual({ ...nothing, indexed: 1 });
    expect(await indexesOf('large')).toEqual([
      expect.stringMatching(/^memories_near_/),
      expect.stringMatching(/^memories_words_/),
    ]);
    expect(await indexesOf('small')).toEqual([]);
    expect(await service.upkeep()).toEqual(nothing);
    await fill('small', 1, { content: 'Owns a bicycle', contentHash: randomUUID() });
    expect(await service.upkeep()).toEqual({ ...nothing, indexed: 1 });
    expect(await indexesOf('small')).toHaveLength(2);
    await app.close();
  });

  it('makes what an interrupted build left anew', async () => {
    await fill('interrupted', FROM);
    expect(await store.indexLargeScopes()).toEqual({ indexed: 1, failed: 0 });
    const [near = ''] = await indexesOf('interrupted');
    await subject.dataSource.query(
      `UPDATE pg_catalog.pg_index SET indisvalid = false
       WHERE indexrelid = (SELECT oid FROM pg_catalog.pg_class WHERE relname = $1)`,
      [near],
    );
    expect(await store.indexLargeScopes()).toEqual({ indexed: 1, failed: 0 });
    expect(await indexesOf('interrupted')).toContain(near);
  });

  it('drops the indexes of a scope that is gone, and makes those of the vectors that a scope has now', async () => {
    await fill('gone', FROM);
    await fill('of another embedder', FROM);
    expect(await store.indexLargeScopes()).toEqual({ indexed: 2, failed: 0 });
    const [near = '', words] = await indexesOf('of another embedder');
    await store.erase(scopeOf('gone'));
    await subject.dataSource.query('UPDATE engram.memories SET space = $3 WHERE tenant_id = $1 AND scope = $2', [
      tenantId,
      'of another embedder',
      'test:other:16',
    ]);
    expect(await store.indexLargeScopes()).toEqual({ indexed: 1, failed: 0 });
    expect(await indexesOf('gone')).toEqual([]);
    const now = await indexesOf('of another embedder');
    expect(now).toEqual([expect.stringMatching(/^memories_near_/), words]);
    expect(now).not.toContain(near);
  });

  it('makes no more indexes than the planner bears, and gives the place of a scope that is gone to the next', async () => {
    const [{ taken }] = await subject.dataSource.query(
      `SELECT count(*)::int AS taken FROM pg_catalog.pg_class WHERE relname LIKE 'memories_words_%'`,
    );
    const few = Array.from({ length: 50 - taken }, (_, n) => `few:${n}`);
    try {
      for (const [n, name] of few.entries()) {
        await fill(name, 1);
        const [{ leaf }] = await subject.dataSource.query(
          'SELECT tableoid::regclass::text AS leaf FROM engram.memories WHERE tenant_id = $1 AND scope = $2',
          [tenantId, name],
        );
        await subject.dataSource.query(
          `CREATE INDEX memories_words_${n} ON ${leaf} USING gin (search) WHERE tenant_id = '${tenantId}' AND scope = '${name}'`,
        );
      }
      await fill('one too many', FROM);
      expect(await store.indexLargeScopes()).toEqual({ indexed: 0, failed: 0 });
      await store.erase(scopeOf('few:7'));
      expect(await store.indexLargeScopes()).toEqual({ indexed: 1, failed: 0 });
      expect(await indexesOf('one too many')).toHaveLength(2);
    } finally {
      for (const n of few.keys()) await subject.dataSource.query(`DROP INDEX IF EXISTS engram.memories_words_${n}`);
    }
  });

  it('has nothing to make where a large scope has no vectors, and says so of none', async () => {
    await fill('words alone', FROM, { vector: null });
    expect(await store.indexLargeScopes()).toEqual({ indexed: 0, failed: 0 });
    expect(await indexesOf('words alone')).toEqual([]);
  });

  it('counts a scope whose index cannot be made, leaves it alone for a while, and goes on with the others', async () => {
    await fill('barred', FROM + 1);
    await fill('beside the barred', FROM);
    await subject.dataSource.query(`
      CREATE FUNCTION public.bar() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN IF current_query() LIKE '%''barred''%' THEN RAISE 'not this one'; END IF; END $$;
      CREATE EVENT TRIGGER bar ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION public.bar();`);
    try {
      expect(await store.indexLargeScopes()).toEqual({ indexed: 1, failed: 1 });
      expect(await indexesOf('beside the barred')).toHaveLength(2);
    } finally {
      await subject.dataSource.query('DROP EVENT TRIGGER bar');
    }
    expect(await store.indexLargeScopes()).toEqual({ indexed: 0, failed: 0 });
    const restarted = newStore(subject.dataSource, FROM);
    await restarted.start();
    expect(await restarted.indexLargeScopes()).toEqual({ indexed: 1, failed: 0 });
  });

  onNative('is ended with the app, while a build waits for a writer, and done by a later one', async () => {
    await fill('slow', FROM);
    const stopping = new AbortController();
    await inTransaction(subject.dataSource, async (open) => {
      await open.query('UPDATE engram.memories SET importance = importance WHERE tenant_id = $1 AND scope = $2', [
        tenantId,
        'slow',
      ]);
      const ended = store.indexLargeScopes(stopping.signal);
      const waiting = `SELECT FROM pg_catalog.pg_stat_progress_create_index
                       WHERE datname = current_database() AND phase = 'waiting for writers before build'`;
      while ((await subject.dataSource.query(waiting)).length === 0) await sleep(5);
      // Meanwhile it is this process's turn: another finds nothing to do, and does not wait.
      const other = newStore(subject.dataSource, FROM);
      await other.start();
      expect(await other.indexLargeScopes()).toEqual({ indexed: 0, failed: 0 });
      stopping.abort();
      expect(await ended).toEqual({ indexed: 0, failed: 0 });
    });
    expect(await store.indexLargeScopes()).toEqual({ indexed: 1, failed: 0 });
    expect(await indexesOf('slow')).toHaveLength(2);
    const [limits] = await subject.dataSource.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
    );
    expect(limits).toEqual({ statement: '0', lock: '0' });
  });

  onNative('builds past the limits that the role has on statements and locks', async () => {
    await fill('limited', FROM);
    const limited = await new DataSource({
      ...subject.dataSource.options,
      extra: { options: '-c statement_timeout=1500 -c lock_timeout=300' },
    } as DataSourceOptions).initialize();
    try {
      let made: Promise<readonly string[] | Error> | null = null;
      await inTransaction(subject.dataSource, async (open) => {
        await open.query('UPDATE engram.memories SET importance = importance WHERE tenant_id = $1 AND scope = $2', [
          tenantId,
          'limited',
        ]);
        made = createScopeIndex(limited, scopeOf('limited')).then(
          ({ created }) => created,
          (error: Error) => error,
        );
        // Longer than either limit: the build waits for this transaction.
        await sleep(2_500);
      });
      expect(await made).toHaveLength(2);
      expect(await limited.query(`SHOW statement_timeout`)).toEqual([{ statement_timeout: '1500ms' }]);
    } finally {
      await limited.destroy();
      await dropScopeIndex(subject.dataSource, scopeOf('limited'));
    }
  });

  onNative('is refused at start to a role that does not own the tables', async () => {
    const role = `app_${randomUUID().slice(0, 8)}`;
    const { dataSource } = subject;
    await dataSource.query(`CREATE ROLE ${role} LOGIN PASSWORD 'app'`);
    await dataSource.query(`GRANT USAGE ON SCHEMA engram TO ${role}`);
    await dataSource.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA engram TO ${role}`);
    const url = new URL((dataSource.options as { url: string }).url);
    [url.username, url.password] = [role, 'app'];
    const asRole = await new DataSource({ ...dataSource.options, url: url.href } as DataSourceOptions).initialize();
    try {
      await expect(newStore(asRole, FROM).start()).rejects.toThrow(
        `which the role ${role} is not. Leave the option out and call createScopeIndex as their owner`,
      );
    } finally {
      await asRole.destroy();
      await dataSource.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  onNative(
    'is on from 5,000 memories for a database of its own that migrates by itself, unless it is switched off',
    async () => {
      const { url } = subject.dataSource.options as { url: string };
      await fill('grown', 4_999);
      const indexedBy = async (options: Partial<PostgresUrlOptions>): Promise<number> => {
        const own = await postgres({ url, ...options }).create();
        try {
          await own.start();
          return (await own.indexLargeScopes?.())?.indexed ?? 0;
        } finally {
          await own.stop();
        }
      };
      expect(await indexedBy({})).toBe(0);
      await fill('grown', 1, { content: 'Owns a bicycle', contentHash: randomUUID() });
      for (const off of [
        { indexScopesFrom: false },
        { migrate: false },
        // Where it is not possible, and nobody asked for it.
        { poolSize: 1 },
      ] as const) {
        expect(await indexedBy(off)).toBe(0);
      }
      expect(await indexesOf('grown')).toEqual([]);
      expect(await indexedBy({})).toBe(1);
      expect(await indexesOf('grown')).toHaveLength(2);
      expect(() => postgres({ url, rowLevelSecurity: true }).create()).not.toThrow();
    },
  );

  it('is refused with a pool of one, with row level security, and for what is no number of memories', async () => {
    const single = await openPostgresStore({ poolSize: 1, indexScopesFrom: FROM });
    await expect(single.store.start()).rejects.toThrow(InvalidOptionsError);
    await single.close();
    const { dataSource } = subject;
    for (const indexScopesFrom of [0, -1, 999, 1_500.5, Number.NaN, 3_000_000_000, '5000' as unknown as number]) {
      expect(() => newStore(dataSource, indexScopesFrom)).toThrow(InvalidOptionsError);
    }
    expect(
      () => new PostgresMemoryStore(dataSource, { migrate: false, indexScopesFrom: FROM, rowLevelSecurity: true }),
    ).toThrow(InvalidOptionsError);
  });
});
