import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { InvalidOptionsError } from '../../src/errors/invalid-options-error.js';
import { contentHash } from '../../src/model/content.js';
import { searchText } from '../../src/model/search-text.js';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { engramMigrations } from '../../src/storage/postgres/migrations.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { revertMigrations, runMigrations } from '../../src/storage/postgres/run-migrations.js';
import type { Scope } from '../../src/model/scope.js';
import { createScopeIndex } from '../../src/storage/postgres/scope-index.js';
import { memoryStoreContract } from '../../src/testing/memory-store-contract.js';
import { everythingNear } from '../support/everything-near.js';
import { newMemory } from '../support/new-memory.js';
import { openPostgresStore } from '../support/postgres-store.js';
import { RecordedStatements } from '../support/recorded-statements.js';
import { filesNotSent } from '../support/statement-sources.js';
import { openTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const TABLES = ['memory_scopes', 'memories', 'memory_revisions', 'memory_access', 'memory_turns'];
const statements = new RecordedStatements();

memoryStoreContract('PostgresMemoryStore on partitions', async () => {
  const { store, dataSource, close } = await openPostgresStore({ partitions: 4 });
  statements.record(dataSource);
  return { store, close };
});

/**
 * The statements that have no scope because they find scopes, by what only they say. Everything else that is sent must
 * name tenant and scope, so that it reads one partition, and runs on one node where the tables are distributed.
 */
const WITHOUT_SCOPE: Readonly<Record<string, RegExp>> = {
  'sweep-turns.ts': /^WITH due AS MATERIALIZED \(\s+SELECT t\.tenant_id, t\.scope, t\.turn_id/,
  'find-scopes-due-for-upkeep.ts': /^SELECT DISTINCT tenant_id AS "tenantId", scope\s+FROM \(/,
  'find-large-scopes.ts': /^SELECT tenant_id AS "tenantId", scope FROM "engram"\.memory_scopes\s+WHERE docs >=/,
  // Has them as the definition of an index has them, where Postgres wrote them.
  'list-scope-indexes.ts': /^SELECT EXISTS \(SELECT FROM "engram"\.memories WHERE \(.*\(tenant_id\).*\(scope\)/,
};

/** Every table of ours that a statement names, with what follows: its alias, where it has one. */
const TABLE =
  /(INTO|FROM|JOIN|UPDATE|USING|,)\s+(?:ONLY\s+)?"engram"\."?(\w+)"?(?:\s+(?:AS\s+)?(?!SET\b|WHERE\b|ON\b|JOIN\b|LEFT\b|CROSS\b|FOR\b|ORDER\b|GROUP\b)(\w+))?/g;

/** Without parsing: as many tables as a statement names, so many times it names tenant and scope under that alias. */
function tablesWithoutScope(sql: string): string[] {
  const missing: string[] = [];
  const count = (pattern: RegExp) => sql.match(pattern)?.length ?? 0;
  const aliases = new Map<string, number>();
  for (const [, verb, table = '', alias] of sql.matchAll(TABLE)) {
    if (!TABLES.includes(table)) continue;
    if (verb === 'INTO') {
      const columns = new RegExp(`INTO\\s+"engram"\\.${table}(?:\\s+AS\\s+\\w+)?\\s+\\(tenant_id, scope\\b`);
      if (!columns.test(sql) || !/(?:SELECT|VALUES \()\s*\$1, \$2/.test(sql)) missing.push(`INTO ${table}`);
      continue;
    }
    const name = alias ?? '';
    aliases.set(name, (aliases.get(name) ?? 0) + 1);
  }
  for (const [alias, tables] of aliases) {
    const column = alias === '' ? '(?<!\\.)' : `(?:${alias}\\.|(?<!\\.))`;
    const filters = count(new RegExp(`${column}\\btenant_id = \\$1 AND ${column}\\bscope = \\$2`, 'g'));
    if (filters < tables) missing.push(`${alias} (${tables} tables, ${filters} filters)`);
  }
  return missing;
}

describe('the statements of the store', () => {
  const ours = () =>
    [...new Set(statements.sent)].filter(
      (sql) => /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(sql) && sql.includes('"engram".m'),
    );

  /** What the contract does not ask for: a scope with indexes, a query that is approximate, distance alone. */
  beforeAll(async () => {
    const { store, dataSource, close } = await openPostgresStore({
      partitions: 4,
      hnswFrom: 1,
      indexScopesFrom: 1_000,
    });
    statements.record(dataSource);
    await store.start();
    try {
      const [large, small] = ['large', 'small'].map((scope) => ({ tenantId: 'acme', scope })) as [Scope, Scope];
      for (const scope of [large, small]) {
        await store.write(scope, (writer) =>
          writer.insert(Array.from({ length: 12 }, (_, n) => newMemory(`Owns boat number ${n}.`))),
        );
      }
      await createScopeIndex(dataSource, large);
      await store.indexLargeScopes();
      const both = { searchText: 'boat', mode: 'hybrid' } as const;
      for (const scope of [large, small]) {
        for (const query of [{}, both, { ...both, approximate: true }])
          expect(await store.recall(scope, { ...everythingNear, ...query })).toHaveLength(10);
      }
    } finally {
      await close();
    }
  });

  it('name tenant and scope for every table, but for those that look for scopes', () => {
    // A record that missed one would prove nothing.
    expect(filesNotSent(statements.sent)).toEqual([]);
    const sent = ours();
    const exceptions = Object.values(WITHOUT_SCOPE);
    for (const exception of exceptions) expect(sent.filter((sql) => exception.test(sql))).not.toEqual([]);
    const offending = sent
      .filter((sql) => !exceptions.some((exception) => exception.test(sql)))
      .flatMap((sql) => tablesWithoutScope(sql).map((table) => `${table}: ${sql}`));
    expect(offending).toEqual([]);
  });

  it('would be noticed without it', () => {
    const kept = 'DELETE FROM "engram".memories WHERE tenant_id = $1 AND scope = $2 AND id = $3';
    expect(tablesWithoutScope(kept)).toEqual([]);
    expect(tablesWithoutScope(kept.replace('tenant_id = $1 AND ', ''))).toHaveLength(1);
    const joined =
      'SELECT FROM "engram".memories m JOIN "engram".memory_access a ON a.tenant_id = m.tenant_id WHERE m.tenant_id = $1 AND m.scope = $2';
    expect(tablesWithoutScope(joined)).toHaveLength(1);
    expect(tablesWithoutScope('INSERT INTO "engram".memories (id) SELECT $1')).toHaveLength(1);
  });
});

describe('the tables in partitions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await openTestDatabase();
    dataSource = await createPostgresDataSource({ connection: database.connection }).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.close();
  });

  /** What the catalog says of a schema's tables: columns, keys, settings; without the names that Postgres makes up. */
  async function catalogOf(schema: string): Promise<unknown> {
    return dataSource.query(
      `SELECT c.relname, c.relkind, c.relnatts,
              (SELECT array_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage,
                                          a.attidentity, a.attstattarget) ORDER BY a.attnum)
               FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns,
              (SELECT array_agg(k.conname || ' ' || pg_get_constraintdef(k.oid) ORDER BY k.conname)
               FROM pg_constraint k WHERE k.conrelid = c.oid) AS constraints,
              (SELECT array_agg(pg_get_indexdef(i.indexrelid) ORDER BY i.indexrelid::regclass::text)
               FROM pg_index i WHERE i.indrelid = c.oid) AS indexes,
              (SELECT array_agg(concat_ws(' ', g.grantee::regrole, g.privilege_type) ORDER BY g.grantee, g.privilege_type)
               FROM aclexplode(c.relacl) AS g) AS grants,
              c.reloptions
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relname LIKE 'memor%' ORDER BY c.relname`,
      [schema],
    );
  }

  const keysOf = (schema: string): Promise<{ relation: string; key: string; columns: string[] }[]> =>
    dataSource.query(
      `SELECT c.relname AS relation, i.indexrelid::regclass::text AS key, array_agg(a.attname::text ORDER BY k.n) AS columns
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace s ON s.oid = c.relnamespace
       CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
       WHERE s.nspname = $1 AND i.indisunique AND c.relname LIKE 'memor%'
       GROUP BY c.relname, i.indexrelid
       UNION ALL
       SELECT c.relname, f.conname, array_agg(a.attname::text ORDER BY k.n)
       FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace s ON s.oid = c.relnamespace
       CROSS JOIN LATERAL unnest(f.conkey || f.confkey) WITH ORDINALITY AS k (attnum, n)
       JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.attnum
       WHERE s.nspname = $1 AND f.contype = 'f' AND k.n <= array_length(f.conkey, 1)
       GROUP BY c.relname, f.oid, f.conname`,
      [schema],
    );

  it('start every primary key, unique index and foreign key with tenant and scope, whole or partitioned', async () => {
    await runMigrations(dataSource, { schema: 'keys_whole' });
    await runMigrations(dataSource, { schema: 'keys_parts', partitions: 3 });
    for (const [schema, least] of [
      ['keys_whole', 11],
      ['keys_parts', 44],
    ] as const) {
      const keys = await keysOf(schema);
      expect(keys.length).toBeGreaterThanOrEqual(least);
      expect(keys.filter(({ columns }) => columns.slice(0, 2).join() !== 'tenant_id,scope')).toEqual([]);
    }
    const targets: { columns: string }[] = await dataSource.query(
      `SELECT DISTINCT pg_get_constraintdef(f.oid) AS columns FROM pg_constraint f
       WHERE f.contype = 'f' AND f.connamespace = 'keys_whole'::regnamespace`,
    );
    expect(targets).toHaveLength(2);
    for (const { columns } of targets) expect(columns).toMatch(/^FOREIGN KEY \(tenant_id, scope.*\(tenant_id, scope/);
  });

  it('are all partitioned by tenant and scope, and each leaf is stored as a whole table is', async () => {
    await runMigrations(dataSource, { schema: 'leaves', partitions: 3 });
    const parents: { name: string; key: string; leaves: number }[] = await dataSource.query(
      `SELECT c.relname AS name, pg_get_partkeydef(c.oid) AS key,
              (SELECT count(*)::int FROM pg_inherits WHERE inhparent = c.oid) AS leaves
       FROM pg_class c WHERE c.relnamespace = 'leaves'::regnamespace AND c.relkind = 'p' ORDER BY c.relname`,
    );
    expect(parents).toEqual([...TABLES].sort().map((name) => ({ name, key: 'HASH (tenant_id, scope)', leaves: 3 })));

    await runMigrations(dataSource, { schema: 'like_this' });
    const settings = (schema: string): Promise<{ name: string; reloptions: string[] | null; columns: string[] }[]> =>
      dataSource.query(
        `SELECT c.relname AS name, c.reloptions,
                array_agg(concat_ws(' ', a.attname, a.attstorage, a.attstattarget) ORDER BY a.attname) AS columns
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
         WHERE c.relnamespace = $1::text::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'memor%'
         GROUP BY c.oid ORDER BY c.relname`,
        [schema],
      );
    const whole = await settings('like_this');
    const leaves = await settings('leaves');
    expect(leaves).toHaveLength(15);
    for (const { name, ...leaf } of leaves) {
      const { name: same, ...table } = whole.find((one) => name.startsWith(`${one.name}_p`)) ?? { name: null };
      expect([name, leaf]).toEqual([name, same === null ? null : table]);
    }
    expect(leaves.find(({ name }) => name === 'memories_p2')?.reloptions).toEqual(['toast_tuple_target=4080']);
  });

  it('take the rows along when they are laid out later, and back', async () => {
    const schema = 'later "on"';
    const guest = `engram_reader_${Date.now()}`;
    await runMigrations(dataSource, { schema });
    await dataSource.query(`CREATE ROLE ${guest}; GRANT SELECT, INSERT ON "later ""on""".memories TO ${guest}`);
    const scopes = Array.from({ length: 12 }, (_, n) => ({ tenantId: 'acme', scope: `user:${n}` }));
    const store = new PostgresMemoryStore(dataSource, { schema, migrate: false });
    await store.start();
    const before = await catalogOf(schema);
    const remember = (words: string) => {
      const content = `Likes ${words}.`;
      const memory = { id: randomUUID(), content, contentHash: contentHash(content), searchText: searchText(content) };
      const rest = { kind: 'fact', importance: 0.5, metadata: {}, source: 'manual' } as const;
      const none = { turnId: null, messageNo: null, evidenceAt: null, expiresAt: null };
      return { ...memory, ...rest, ...none, vector: { space: 'test:plane:2', values: [1, 0] } };
    };
    const turn = async (scope: (typeof scopes)[number], turnId: string) => {
      const { generation } = await store.scopeState(scope);
      const said = { messages: [], messagesHash: Buffer.from(turnId), occurredAt: null, timeZone: null };
      return store.turns.insert(scope, { turnId, ...said, generation });
    };
    for (const scope of scopes) {
      const [memory] = await store.write(scope, (writer) => writer.insert([remember('tea')]));
      if (!memory) throw new Error('nothing was stored');
      await store.write(scope, (writer) => writer.update(memory, { importance: 1 }, { endedBy: 'update' }));
      await store.touch(scope, [memory.id]);
      await turn(scope, 'one');
    }
    const all = async () =>
      Promise.all(
        TABLES.map((table) => dataSource.query(`SELECT t::text AS row FROM "later ""on""".${table} t ORDER BY 1`)),
      );
    const rows = await all();

    expect(await runMigrations(dataSource, { schema, partitions: 5 })).toEqual(['PartitionTables1788000050000']);
    expect(await runMigrations(dataSource, { schema, partitions: 7 })).toEqual([]);
    expect(await all()).toEqual(rows);
    const spread: { leaves: number }[] = await dataSource.query(
      'SELECT count(DISTINCT tableoid)::int AS leaves FROM "later ""on""".memories',
    );
    expect(spread[0]?.leaves).toBeGreaterThan(1);
    // Numbers of turns go on where they were.
    const [first] = scopes;
    if (!first) throw new Error('no scope');
    const next = await turn(first, 'two');
    expect(next.turn?.seq).toBeGreaterThan(scopes.length);
    await dataSource.query(`DELETE FROM "later ""on""".memory_turns WHERE turn_id = 'two'`);

    await dataSource.query(`CALL "later ""on""".lay_out_tables(2)`);
    expect(await all()).toEqual(rows);
    await dataSource.query(`CALL "later ""on""".lay_out_tables(0)`);
    expect(await all()).toEqual(rows);
    expect(await catalogOf(schema)).toEqual(before);
    await store.stop();
    await revertMigrations(dataSource, { schema });
    expect(await catalogOf(schema)).toEqual([]);
    const left: unknown[] = await dataSource.query(
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = '"later ""on"""'::regnamespace`,
    );
    expect(left).toEqual([]);
  });

  it('are not laid out under row level security, whose policies would be lost', async () => {
    await runMigrations(dataSource, { schema: 'secured' });
    await dataSource.query('ALTER TABLE secured.memories ENABLE ROW LEVEL SECURITY');
    await expect(runMigrations(dataSource, { schema: 'secured', partitions: 2 })).rejects.toThrow(
      /row level security cannot be laid out in partitions/,
    );
    const [memories] = await dataSource.query(
      `SELECT relkind FROM pg_class WHERE oid = 'secured.memories'::regclass AND relrowsecurity`,
    );
    expect(memories).toEqual({ relkind: 'r' });
  });

  it('are refused in a number that is none', () => {
    for (const partitions of [0, -1, 1.5, 257, Number.NaN, '8' as unknown as number]) {
      expect(() => engramMigrations({ partitions })).toThrow(InvalidOptionsError);
    }
  });
});
