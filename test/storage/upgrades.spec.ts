import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { contentHash } from '../../src/model/content.js';
import type { Scope } from '../../src/model/scope.js';
import { searchText, words } from '../../src/model/search-text.js';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { engramMigrations } from '../../src/storage/postgres/migrations.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { MIGRATIONS_TABLE, runMigrations } from '../../src/storage/postgres/run-migrations.js';
import { everythingNear } from '../support/everything-near.js';
import { openTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const SCOPE: Scope = { tenantId: 'acme', scope: 'user:42' };
const [KEPT, GONE] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'];
const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 12, minute));

// Real: Postgres, TypeORM's own run of the migrations that an older release had.
describe('a schema of an older release', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await openTestDatabase();
    dataSource = await createPostgresDataSource({ connection: database.connection, poolSize: 2 }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.close();
  });

  /** What the release had whose last migration was the one of that number. */
  async function migrateAsThen(schema: string, count: number): Promise<void> {
    const { options } = dataSource;
    const then = new DataSource({
      ...options,
      schema,
      entities: [],
      migrations: engramMigrations({ schema }).slice(0, count),
      migrationsTableName: MIGRATIONS_TABLE,
    } as DataSourceOptions);
    await dataSource.query(`CREATE SCHEMA ${schema}`);
    await then.initialize();
    try {
      await then.runMigrations();
    } finally {
      await then.destroy();
    }
  }

  /** Rows as they were written then: a memory in its second version, one that was forgotten, and turns at each stand. */
  async function live(schema: string): Promise<void> {
    const key = [SCOPE.tenantId, SCOPE.scope];
    await dataSource.query(
      `INSERT INTO ${schema}.memory_scopes (tenant_id, scope, generation, revision, clock, docs, terms)
       VALUES ($1, $2, gen_random_uuid(), 4, $3, 1, 2)`,
      [...key, at(3)],
    );
    await dataSource.query(
      `INSERT INTO ${schema}.memories
         (tenant_id, scope, id, content, content_hash, kind, importance, metadata, search, terms, embedding, space, source,
          evidence_at, version, created_at, valid_from)
       VALUES ($1, $2, $3, 'Keeps ducks.', $4, 'fact', 0.5, '{"farm": true}', to_tsvector('english', 'keeps ducks'), 2,
               '[1,0]', 'test:plane:2', 'manual', $5, 2, $6, $5)`,
      [...key, KEPT, contentHash('Keeps ducks.'), at(2), at(1)],
    );
    const columns: { name: string }[] = await dataSource.query(
      `SELECT attname AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attname IN ('source', 'created_at', 'search') AND NOT attisdropped`,
      [`${schema}.memory_revisions`],
    );
    const [more, values] =
      columns.length === 3
        ? [', source, created_at, search', `, 'manual', '${at(1).toISOString()}', to_tsvector('simple', r.content)`]
        : ['', ''];
    await dataSource.query(
      `INSERT INTO ${schema}.memory_revisions
         (tenant_id, scope, memory_id, version, content, kind, importance, metadata, embedding, space, valid_from, valid_to,
          ended_by${more})
       SELECT $1, $2, r.id::uuid, 1, r.content, 'fact', 0.5, '{}', '[1,0]', 'test:plane:2', $3, r.ended::timestamptz,
              r.ended_by${values}
       FROM (VALUES ($4, 'Keeps bees.', $5, 'update'), ($6, 'Drives a van.', $7, 'forget')) AS r (id, content, ended, ended_by)`,
      [...key, at(1), KEPT, at(2).toISOString(), GONE, at(3).toISOString()],
    );
    await dataSource.query(`INSERT INTO ${schema}.memory_access VALUES ($1, $2, $3, $4, 7)`, [...key, KEPT, at(3)]);
    await dataSource.query(
      `INSERT INTO ${schema}.memory_turns
         (tenant_id, scope, turn_id, generation, messages, messages_hash, occurred_at, status, claim, batch_no, lease_until,
          attempt, failures, run_after, decisions, created_at, finished_at)
       SELECT s.tenant_id, s.scope, t.status, s.generation, t.messages::jsonb, '', $1, t.status,
              CASE WHEN t.status = 'running' THEN gen_random_uuid() END, CASE WHEN t.status = 'running' THEN 0 END,
              CASE WHEN t.status = 'running' THEN $1::timestamptz END, 1, 0, $1, t.decisions::jsonb, $1, t.finished::timestamptz
       FROM ${schema}.memory_scopes s
       CROSS JOIN (VALUES
         ('applied', NULL, '[]', $2), ('dead', '[{"role": "user", "content": "I keep cats."}]', NULL, $2),
         ('running', '[{"role": "user", "content": "I keep dogs."}]', NULL, NULL),
         ('failed', '[{"role": "user", "content": "I keep hens."}]', NULL, NULL),
         ('pending', '[{"role": "user", "content": "I keep cows."}]', NULL, NULL)) AS t (status, messages, decisions, finished)`,
      [at(3), at(4).toISOString()],
    );
  }

  /** What the catalog says of our tables, in whatever order their columns came. */
  const catalogOf = (schema: string): Promise<unknown> =>
    dataSource.query(
      `SELECT c.relname, c.relkind, c.reloptions,
              (SELECT array_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage,
                                          a.attidentity, a.attstattarget, pg_get_expr(d.adbin, d.adrelid)) ORDER BY a.attname)
               FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
              (SELECT array_agg(k.conname || replace(pg_get_constraintdef(k.oid), $1, '') ORDER BY k.conname)
               FROM pg_constraint k WHERE k.conrelid = c.oid) AS constraints,
              (SELECT array_agg(replace(pg_get_indexdef(i.indexrelid), $1, '') ORDER BY i.indexrelid::regclass::text)
               FROM pg_index i WHERE i.indrelid = c.oid) AS indexes
       FROM pg_class c
       WHERE c.relnamespace = $1::text::regnamespace AND c.relname LIKE 'memor%' AND c.relkind IN ('r', 'p')
         AND NOT c.relispartition
       ORDER BY c.relname`,
      [schema],
    );

  const names = engramMigrations().map((Migration) => new Migration().name);
  const all = names.length;
  const partitioned = [undefined, 3];

  it.each(
    Array.from({ length: all - 1 }, (_, n) => n + 1).flatMap((n) => partitioned.map((parts) => [n, parts] as const)),
  )(
    'with %i of the migrations keeps what it remembers when the rest run, with %p partitions',
    async (count, partitions) => {
      const schema = `release_${count}_${partitions ?? 'whole'}`;
      await migrateAsThen(schema, count);
      await live(schema);
      const ran = await runMigrations(dataSource, { schema, partitions });
      expect(ran).toHaveLength(all - count + (partitions ? 1 : 0));
      const fresh = `fresh_${schema}`;
      await runMigrations(dataSource, { schema: fresh, partitions });
      const renamed = JSON.parse(JSON.stringify(await catalogOf(fresh)).replaceAll(fresh, schema)) as unknown;
      expect(await catalogOf(schema)).toEqual(renamed);

      const store = new PostgresMemoryStore(dataSource, { schema, migrate: false });
      await store.start();
      const ducks = { id: KEPT, content: 'Keeps ducks.', version: 2, accessCount: 7, metadata: { farm: true } };
      expect((await store.list(SCOPE, { limit: 10 })).memories).toMatchObject([ducks]);
      expect(await store.recall(SCOPE, everythingNear)).toMatchObject([{ memory: ducks, distance: 0 }]);
      const before = { ...everythingNear, mode: 'hybrid', searchText: 'bees van', asOf: at(1) } as const;
      const found = (await store.recall(SCOPE, before)).map(({ memory }) => memory.content);
      expect(found.sort()).toEqual(['Drives a van.', 'Keeps bees.']);
      expect(await store.history(SCOPE, KEPT)).toMatchObject([
        { content: 'Keeps bees.', endedBy: 'update', createdAt: at(1), source: 'manual' },
      ]);
      expect(await store.history(SCOPE, GONE)).toMatchObject([{ endedBy: 'forget', createdAt: at(1) }]);

      expect(await store.turns.find(SCOPE, 'applied')).toMatchObject({ status: 'applied', decisions: [] });
      // The crashed one comes first, then what failed and what waits, one by one as they were tried before.
      for (const turnId of ['running', 'failed', 'pending']) {
        const claimed = await store.turns.claim(SCOPE, { leaseMs: 60_000, maxTurns: 5 });
        expect([claimed?.turnId, claimed?.following]).toEqual([turnId, []]);
        await store.write(SCOPE, (writer) =>
          writer.finishTurn(claimed?.claim ?? '', turnId, { status: 'nothing', decisions: [] }),
        );
      }
      expect((await store.turns.retry(SCOPE, 'dead')).outcome).toBe('retried');
      expect(await store.erase(SCOPE)).toMatchObject({ memories: 1, revisions: 2, accesses: 1, turns: 5 });
      await store.stop();
    },
  );

  it.each([
    [
      'english',
      'Sent a résumé to the café in Köln.',
      'Met José in Łódź, and Þórður in Ærø!',
      'Grüße aus Großräschen.',
      'Lives in Đà Nẵng (Việt Nam).',
      'Читает «Зелёный замо\u0301к», мой чай.',
      'Μένω στην Αθήνα.',
      'שָׁלוֹם עֲלֵיכֶם',
      'مُحَمَّد أحمد',
      'हिन्दी पढ़ता है। が 한국어',
      '東京のカフェでcaféを飲む',
      '그녀는 서울에서도 고양이들을 키운다',
      'يعيش مصطفى في القاهرة، می\u200Cخواهم کتاب',
    ],
    ['french', 'Préfère les pommes mangées crues.', 'A été opéré à Orléans.'],
    ['german', 'Wohnt in zwei Häusern in Zürich.', 'Mag schöne Bücher über Gänse.'],
    ['spanish', 'Quiere más canciones en español.', 'La reunión está en Bogotá.'],
    ['simple', 'Bor på Ærø.', 'Çalışıyor ve ısıtıyor.'],
  ])('finds texts with accents without them, stemmed as %s, and still with them', async (language, ...texts) => {
    const schema = `accents_${language}`;
    await migrateAsThen(schema, names.indexOf('FoldMarks1788000950000'));
    const key = [SCOPE.tenantId, SCOPE.scope];
    await dataSource.query(
      `INSERT INTO ${schema}.memory_scopes (tenant_id, scope, generation, clock) VALUES ($1, $2, gen_random_uuid(), $3)`,
      [...key, at(1)],
    );
    // As the release before wrote them: every word with its accents.
    await dataSource.query(
      `WITH texts AS MATERIALIZED (
         SELECT *, gen_random_uuid() AS id FROM unnest($4::text[], $5::text[], $6::uuid[]) AS t (content, search, hash)
       ), revisions AS (
         INSERT INTO ${schema}.memory_revisions
           (tenant_id, scope, memory_id, version, content, kind, importance, metadata, valid_from, valid_to, ended_by,
            source, created_at, search)
         SELECT $1, $2, gen_random_uuid(), 1, content, 'fact', 0.5, '{}', $3::timestamptz, $3::timestamptz + interval '1 minute', 'forget', 'manual', $3::timestamptz,
                to_tsvector('${language}', search) FROM texts
       )
       INSERT INTO ${schema}.memories
         (tenant_id, scope, id, content, content_hash, kind, importance, search, terms, source, evidence_at, version,
          created_at, valid_from)
       SELECT $1, $2, id, content, hash, 'fact', 0.5, to_tsvector('${language}', search), 5, 'manual', $3::timestamptz, 1, $3::timestamptz, $3::timestamptz FROM texts`,
      [...key, at(1), texts, texts.map((text) => words(text).join(' ')), texts.map(contentHash)],
    );
    const lexemes = (): Promise<{ content: string; search: string[] }[]> =>
      dataSource.query(
        `SELECT content, tsvector_to_array(search) AS search FROM ${schema}.memories
         UNION ALL SELECT content, tsvector_to_array(search) FROM ${schema}.memory_revisions ORDER BY content`,
      );
    const before = await lexemes();
    await runMigrations(dataSource, { schema, ...(language === 'english' && { partitions: 3 }) });
    const after = await lexemes();
    expect(after).toHaveLength(2 * texts.length);
    for (const [row, { content, search }] of after.entries()) {
      const [{ written }] = await dataSource.query<[{ written: string[] }]>(
        'SELECT tsvector_to_array(to_tsvector($1::regconfig, $2)) AS written',
        [language, searchText(content)],
      );
      expect(search).toEqual(expect.arrayContaining([...written, ...(before[row]?.search ?? [])]));
    }

    const store = new PostgresMemoryStore(dataSource, { schema, migrate: false, language });
    await store.start();
    for (const text of texts) {
      for (const asked of [text, searchText(text)]) {
        for (const asOf of [undefined, at(1)]) {
          const page = await store.list(SCOPE, { limit: 10, searchText: searchText(asked), ...(asOf && { asOf }) });
          expect(page.memories.map(({ content }) => content)).toContain(text);
        }
      }
    }
    await store.stop();
  });
});
