import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { TopicalVectors } from '../../bench/topical-vectors.js';
import { InvalidInputError } from '../../src/errors/invalid-input-error.js';
import { InvalidOptionsError } from '../../src/errors/invalid-options-error.js';
import { InvalidScopeError } from '../../src/errors/invalid-scope-error.js';
import { NotFoundError } from '../../src/errors/not-found-error.js';
import type { Scope } from '../../src/model/scope.js';
import type { NewMemory, RecallHit, RecallQuery } from '../../src/storage/memory-store.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { createScopeIndex, dropScopeIndex } from '../../src/storage/postgres/scope-index.js';
import { newMemory } from '../support/new-memory.js';
import { inTransaction } from '../support/open-transaction.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';
import { RecordedStatements } from '../support/recorded-statements.js';

/** On the embedded database a build is one turn of the one session: nothing can stand in its way, or end it. */
const onNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;

const DIMENSIONS = 64;
const SPACE = `test:topical:${DIMENSIONS}`;
const LARGE = 1_500;
const FROM = 1_000;
const WORDS = ['amber', 'birch', 'cedar', 'dahlia', 'elder', 'fern', 'ginkgo', 'hazel', 'iris', 'juniper'];

// Real: Postgres (embedded or native), pgvector's index, TypeORM's pool. Vectors are made, with the structure of real ones.
describe.each([
  ['whole tables', undefined],
  ['four partitions', 4],
])('the index of a large scope, on %s', (_, partitions) => {
  // A name that ends a literal where quoting is done by hand.
  const large: Scope = { tenantId: `o'neill\\' OR true --`, scope: 'team:"big" \\ %' };
  const vectors = new TopicalVectors(DIMENSIONS, 11);
  const stored: { id: string; values: readonly number[] }[] = [];
  let subject: PostgresStoreUnderTest;
  let store: PostgresMemoryStore;
  const statements = new RecordedStatements();

  function memoryAt(values: readonly number[], rest: Partial<NewMemory> = {}): NewMemory {
    const id = randomUUID();
    const n = Number.parseInt(id.slice(0, 8), 16);
    const content = `Likes ${WORDS[n % 10]} and ${WORDS[(n >> 8) % 10]} ${id}.`;
    return newMemory(content, { id, vector: { space: SPACE, values }, ...rest });
  }

  function byVector(values: readonly number[], rest: Partial<RecallQuery> = {}): RecallQuery {
    return {
      searchText: '',
      vector: { space: SPACE, values },
      mode: 'vector',
      limit: 10,
      denseWeight: 0.5,
      maxDistance: 1,
      minCoverage: null,
      minScore: null,
      ...rest,
    };
  }

  async function newStore(hnswFrom: number): Promise<PostgresMemoryStore> {
    const made = new PostgresMemoryStore(subject.dataSource, { migrate: false, hnswFrom });
    await made.start();
    return made;
  }

  const question = (n: number) => vectors.questionNear(stored[(n * 61) % LARGE]?.values ?? []);

  beforeAll(async () => {
    // One connection: what a recall leaves set would be seen by the next.
    subject = await openPostgresStore({ poolSize: 1, ...(partitions && { partitions }) });
    statements.record(subject.dataSource);
    await subject.store.start();
    for (let n = 0; n < LARGE; n += 500) {
      const batch = Array.from({ length: 500 }, (_, i) => memoryAt(vectors.memory(n + i)));
      stored.push(...batch.map(({ id, vector }) => ({ id, values: vector?.values ?? [] })));
      await subject.store.write(large, (writer) => writer.insert(batch));
    }
    for (let other = 0; other < 5; other += 1) {
      const crowd = Array.from({ length: 200 }, (_, n) => memoryAt(question(n % 40)));
      await subject.store.write({ ...large, scope: `user:${other}` }, (writer) => writer.insert(crowd));
    }
    await createScopeIndex(subject.dataSource, large);
    store = await newStore(FROM);
  }, 600_000);

  afterAll(() => subject.close());

  function nearest(to: readonly number[], count: number): string[] {
    const closeness = (values: readonly number[]) => values.reduce((sum, value, i) => sum + value * (to[i] ?? 0), 0);
    return stored
      .map(({ id, values }) => ({ id, closeness: closeness(values) }))
      .sort((a, b) => b.closeness - a.closeness)
      .slice(0, count)
      .map(({ id }) => id);
  }

  const usesIndex = (sent: readonly string[]) => sent.some((sql) => /ORDER BY .*::"public"\.halfvec\(64\)/.test(sql));

  it('finds nearly all that brute force finds, in full, crowded by the vectors of others', async () => {
    let found = 0;
    for (let n = 0; n < 40; n += 1) {
      const asked = question(n);
      const hits = await store.recall(large, byVector(asked));
      expect(hits).toHaveLength(10);
      const truth = new Set(nearest(asked, 10));
      found += hits.filter(({ memory }) => truth.has(memory.id)).length;
    }
    expect(usesIndex(statements.sent)).toBe(true);
    expect(found / 400).toBeGreaterThanOrEqual(0.98);
  });

  it('is what Postgres reads, and not the scope row by row', async () => {
    const sent = await statements.during(() => store.recall(large, byVector(question(0))));
    expect(usesIndex(sent)).toBe(true);
    const plan = await statements.plan(/ORDER BY .*::"public"\.halfvec\(64\)/);
    expect(plan).toMatch(/Index Scan using memories_near_/);
  });

  it('gives words and meaning together what the exact way gives', async () => {
    const exact = await newStore(LARGE * 10);
    let found = 0;
    let all = 0;
    for (let n = 0; n < 20; n += 1) {
      const query = byVector(question(n), { mode: 'hybrid', searchText: 'likes birch fern', minCoverage: 0.5 });
      const expected = await exact.recall(large, query);
      const hits = await store.recall(large, query);
      expect(hits).toHaveLength(expected.length);
      const scores = new Map(hits.map(({ memory, score }) => [memory.id, score]));
      for (const { memory, score } of expected) {
        all += 1;
        if (scores.has(memory.id)) {
          found += 1;
          expect(scores.get(memory.id)).toBeCloseTo(score, 4);
        }
      }
    }
    expect(found / all).toBeGreaterThanOrEqual(0.98);
  });

  it('gives words alone exactly what the exact way gives', async () => {
    const exact = await newStore(LARGE * 10);
    const query = byVector([], {
      mode: 'keyword',
      vector: null,
      searchText: 'birch fern',
      minCoverage: 0.6,
      limit: 50,
    });
    const expected = await exact.recall(large, query);
    expect(expected.length).toBeGreaterThan(0);
    expect((await store.recall(large, query)).map(({ memory }) => memory.id)).toEqual(
      expected.map(({ memory }) => memory.id),
    );
  });

  it('does not cut what a filter lets through', async () => {
    const scarce = Array.from({ length: 12 }, (_, n) =>
      memoryAt(vectors.memory(n), { kind: 'goal', metadata: { rare: n < 5 } }),
    );
    await store.write(large, (writer) => writer.insert(scarce));
    const goals = await store.recall(large, byVector(question(3), { kinds: ['goal'] }));
    expect(goals.map(({ memory }) => memory.kind)).toEqual(Array(10).fill('goal'));
    const rare = await store.recall(large, byVector(question(3), { metadata: { rare: true }, maxDistance: 2 }));
    expect(rare.map(({ memory }) => memory.id).sort()).toEqual(
      scarce
        .slice(0, 5)
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('gives the full limit where the index gives up early', async () => {
    await subject.dataSource.query('SET hnsw.max_scan_tuples = 1');
    try {
      const sent = await statements.during(async () => {
        const goals = await store.recall(large, byVector(question(700), { kinds: ['goal'], maxDistance: 2 }));
        expect(goals).toHaveLength(10);
      });
      expect(usesIndex(sent)).toBe(true);
    } finally {
      await subject.dataSource.query('RESET hnsw.max_scan_tuples');
    }
  });

  it('leaves the planner its ways for all but the index itself', async () => {
    await store.recall(large, byVector(question(2), { mode: 'hybrid', searchText: 'birch fern', minCoverage: 0.5 }));
    // A plan with a way that was switched off: by its costs up to Postgres 17, by its word from 18 on.
    expect(await statements.plan(/^WITH terms/)).not.toMatch(/cost=\d{10}|Disabled/);
  });

  it('follows what is added, forgotten and expired', async () => {
    const values = vectors.memory(999);
    const [kept, gone] = [memoryAt(values), memoryAt(values)];
    const expired = memoryAt(values, { expiresAt: new Date(Date.now() - 1000) });
    const [, second] = await store.write(large, (writer) => writer.insert([kept, gone, expired]));
    if (!second) throw new Error('nothing was stored');
    await store.write(large, (writer) => writer.remove(second, { endedBy: 'forget' }));
    const ids = (await store.recall(large, byVector(values))).map(({ memory }) => memory.id);
    expect(ids[0]).toBe(kept.id);
    expect(ids).not.toContain(gone.id);
    expect(ids).not.toContain(expired.id);
  });

  it('finds as many as are asked for where more of the nearest have expired', async () => {
    const values = vectors.memory(998);
    const expired = Array.from({ length: 60 }, () => memoryAt(values, { expiresAt: new Date(Date.now() - 1000) }));
    await store.write(large, (writer) => writer.insert(expired));
    for (const mode of ['vector', 'hybrid'] as const) {
      const query = byVector(values, { mode, searchText: 'zyx', maxDistance: 2 });
      let hits: readonly RecallHit[] = [];
      const sent = await statements.during(async () => (hits = await store.recall(large, query)));
      expect([usesIndex(sent), hits.length]).toEqual([true, 10]);
    }
    const approximate = byVector(values, { mode: 'hybrid', searchText: 'zyx', maxDistance: 2, approximate: true });
    expect(await store.recall(large, approximate)).toHaveLength(10);
  });

  it('says nothing of a scope that is off', async () => {
    await store.setEnabled(large, false);
    expect(await store.recall(large, byVector(question(1)))).toEqual([]);
    await store.setEnabled(large, true);
    expect(await store.recall(large, byVector(question(1)))).toHaveLength(10);
  });

  it('is not used below the size, nor in another scope', async () => {
    const later = await newStore(LARGE * 10);
    const below = await statements.during(() => later.recall(large, byVector(question(1))));
    const elsewhere = await statements.during(() => store.recall({ ...large, scope: 'user:1' }, byVector(question(1))));
    expect(usesIndex([...below, ...elsewhere])).toBe(false);
  });

  it('answers an approximate query below the size too, by what is near alone, and the same under a lock', async () => {
    const exact = await newStore(LARGE * 10);
    let found = 0;
    for (let n = 0; n < 20; n += 1) {
      const asked = question(n);
      const query: RecallQuery = {
        ...byVector(asked),
        mode: 'hybrid',
        searchText: 'likes birch fern',
        maxDistance: null,
      };
      const rough = { ...query, approximate: true };
      let hits: readonly RecallHit[] = [];
      const sent = await statements.during(async () => (hits = await exact.recall(large, rough)));
      expect(usesIndex(sent)).toBe(true);
      expect(sent.join()).not.toContain('<> ALL(');
      expect(hits).toHaveLength(10);
      const again = await exact.write(large, (writer) => writer.recall(rough));
      expect(again.map(({ memory, score }) => [memory.id, score])).toEqual(hits.map((h) => [h.memory.id, h.score]));
      // Not those of `nearest`: other tests have added some.
      const near = await exact.recall(large, byVector(asked, { limit: 50, maxDistance: 2 }));
      const truth = new Set(near.map(({ memory }) => memory.id));
      found += hits.filter(({ memory }) => truth.has(memory.id)).length;
    }
    expect(found / 200).toBeGreaterThanOrEqual(0.95);
  });

  it('leaves the settings of the connection as they were', async () => {
    const read = () =>
      subject.dataSource.query(
        `SELECT current_setting('hnsw.ef_search') AS ef, current_setting('hnsw.iterative_scan') AS scan,
                current_setting('enable_sort') AS sort`,
      );
    await store.recall(large, byVector(question(2)));
    expect(await read()).toEqual([{ ef: '40', scan: 'off', sort: 'on' }]);
  });

  it('is made once, made anew after a build that was interrupted, and dropped', async () => {
    expect((await createScopeIndex(subject.dataSource, large)).created).toEqual([]);
    await subject.dataSource.query(
      `UPDATE pg_catalog.pg_index SET indisvalid = false
       WHERE indexrelid = (SELECT oid FROM pg_catalog.pg_class WHERE relname ^@ 'memories_near_')`,
    );
    const meanwhile = await newStore(FROM);
    const sent = await statements.during(() => meanwhile.recall(large, byVector(question(5))));
    expect(usesIndex(sent)).toBe(false);
    const report = await createScopeIndex(subject.dataSource, large, { space: SPACE });
    expect(report).toMatchObject({ space: SPACE, created: [expect.stringMatching(/^memories_near_/)] });
    expect(report.memories).toBeGreaterThan(LARGE);
    expect(report.table).toMatch(partitions ? /^memories_p[0-3]$/ : /^memories$/);

    expect(await dropScopeIndex(subject.dataSource, large)).toHaveLength(2);
    expect(await dropScopeIndex(subject.dataSource, large)).toEqual([]);
    expect(await store.recall(large, byVector(question(5)))).toHaveLength(10);
  });

  /** Connections beside the one that everything else here has to do with. */
  async function withConnections<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
    const beside = await new DataSource({
      ...subject.dataSource.options,
      poolSize: 8,
    } as DataSourceOptions).initialize();
    try {
      return await work(beside);
    } finally {
      await beside.destroy();
    }
  }

  it('is made for many scopes at once, and for one by many, each in its turn', async () => {
    await withConnections(async (dataSource) => {
      const scopes = [0, 1, 2, 2, 2].map((other): Scope => ({ ...large, scope: `user:${other}` }));
      await Promise.all(scopes.map((scope) => createScopeIndex(dataSource, scope)));
      for (const scope of new Set(scopes)) {
        expect((await createScopeIndex(dataSource, scope)).created).toEqual([]);
      }
      const dropped = await Promise.all(scopes.map((scope) => dropScopeIndex(dataSource, scope)));
      expect(new Set(dropped.flat()).size).toBe(6);
    });
  });

  onNative('is left unusable by a build whose connection breaks, and made whole by the next one', async () => {
    const scope: Scope = { ...large, scope: 'user:3' };
    await withConnections(async (dataSource) => {
      await inTransaction(dataSource, async (open) => {
        // Whoever has written to the table is waited for by every concurrent build on it.
        await open.query('UPDATE engram.memories SET importance = importance WHERE tenant_id = $1 AND scope = $2', [
          scope.tenantId,
          scope.scope,
        ]);
        const broken = createScopeIndex(dataSource, scope).then(
          () => 'made',
          (error: unknown) => error,
        );
        // By then the index is in the catalog.
        const builds = `SELECT pid FROM pg_catalog.pg_stat_progress_create_index
                        WHERE datname = current_database() AND phase = 'waiting for writers before build'`;
        let builder: { pid: number } | undefined;
        while (!(builder = (await dataSource.query(builds))[0])) await sleep(5);
        await dataSource.query('SELECT pg_terminate_backend($1)', [builder.pid]);
        expect(await broken).toMatchObject({ code: 'UNAVAILABLE' });
      });
      const left: { usable: boolean }[] = await dataSource.query(
        `SELECT indisvalid AS usable FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
         WHERE c.relname ^@ 'memories_near_' AND pg_get_indexdef(c.oid) LIKE '%user:3%'`,
      );
      expect(left).toEqual([{ usable: false }]);
      expect((await createScopeIndex(dataSource, scope)).created).toHaveLength(2);
      expect((await createScopeIndex(dataSource, scope)).created).toEqual([]);
      expect(await dropScopeIndex(dataSource, scope)).toHaveLength(2);
    });
  });

  it('is refused where it cannot be, with the reason', async () => {
    const { dataSource } = subject;
    await expect(createScopeIndex(dataSource, { ...large, scope: 'empty' })).rejects.toThrow(NotFoundError);
    await expect(createScopeIndex(dataSource, { ...large, scope: '' })).rejects.toThrow(InvalidScopeError);
    const wide: Scope = { ...large, scope: 'wide' };
    await dataSource.query('ALTER TABLE engram.memories ALTER embedding SET STORAGE EXTERNAL');
    const values = Array.from({ length: 4_001 }, () => 1);
    await store.write(wide, (writer) => writer.insert([memoryAt([], { vector: { space: 'a:b:4001', values } })]));
    await expect(createScopeIndex(dataSource, wide)).rejects.toThrow(InvalidInputError);
    for (const hnswFrom of [0, -1, 1.5, Number.NaN]) {
      expect(() => new PostgresMemoryStore(dataSource, { migrate: false, hnswFrom })).toThrow(InvalidOptionsError);
    }
  });
});
