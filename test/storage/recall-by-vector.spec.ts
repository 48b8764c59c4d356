import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuid } from 'uuid';
import { contentHash } from '../../src/model/content.js';
import type { MemoryKind } from '../../src/model/kind.js';
import { searchText } from '../../src/model/search-text.js';
import type { NewMemory, RecallQuery } from '../../src/storage/memory-store.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

const SCOPE = { tenantId: 'acme', scope: 'user:vectors' };
const SPACE = 'test:angles:3';

/** The vector that lies `angle` degrees from the one that the questions ask with. */
const at = (angle: number): number[] => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180), 0];

const memory = (angle: number, kind: MemoryKind, of: Partial<NewMemory> = {}): NewMemory => {
  const content = `Stands at ${angle} degrees as a ${kind}`;
  return {
    id: uuid(),
    content,
    contentHash: contentHash(content),
    kind,
    importance: 0.5,
    metadata: { even: angle % 2 === 0 },
    searchText: searchText(content),
    vector: { space: SPACE, values: at(angle) },
    source: 'manual',
    turnId: null,
    messageNo: null,
    evidenceAt: null,
    expiresAt: null,
    ...of,
  };
};

const query = (of: Partial<RecallQuery>): RecallQuery => ({
  searchText: '',
  vector: { space: SPACE, values: at(0) },
  mode: 'vector',
  limit: 20,
  denseWeight: 0.5,
  maxDistance: 0.6,
  minCoverage: 0.3,
  minScore: null,
  ...of,
});

/** Weights that weigh nothing: the general statement answers, and has to say the same. */
const WEIGHTLESS = { importanceWeight: 0, recencyWeight: 0, halfLifeDays: 30 };

describe('recall by distance alone', () => {
  let opened: PostgresStoreUnderTest;

  beforeAll(async () => {
    opened = await openPostgresStore();
    await opened.store.start();
    await opened.store.write(SCOPE, (writer) =>
      writer.insert([
        ...[0, 5, 30, 31, 60, 66, 67, 89, 90, 91, 120, 180].map((angle) => memory(angle, 'fact')),
        // Equally far, so that the other keys of the order decide.
        ...[30, -30, 60].map((angle) => memory(angle, 'goal')),
        memory(1, 'preference', { vector: { space: 'test:others:3', values: at(1) } }),
        memory(2, 'preference', { vector: null }),
        memory(3, 'preference', { expiresAt: new Date(Date.now() - 1_000) }),
      ]),
    );
    await opened.store.touch(
      SCOPE,
      (await opened.store.recall(SCOPE, query({ limit: 2 }))).map((hit) => hit.memory.id),
    );
  });

  afterAll(async () => {
    await opened.close();
  });

  it.each<[string, Partial<RecallQuery>]>([
    ['the default', {}],
    ['a limit that cuts between equals', { limit: 3 }],
    ['a distance of 0', { maxDistance: 0 }],
    ['a distance of 1', { maxDistance: 1 }],
    ['kinds', { kinds: ['goal', 'preference'] }],
    ['no kinds, which is no filter', { kinds: [] }],
    ['metadata', { metadata: { even: true } }],
    ['kinds and metadata', { kinds: ['goal'], metadata: { even: true } }],
    ['empty metadata, which are no filter', { metadata: {} }],
    ['words that do not count', { searchText: 'stands at degrees' }],
    ['another space', { vector: { space: 'test:others:3', values: at(1) } }],
  ])('finds what the general statement finds, with %s', async (_, of) => {
    const lean = await opened.store.recall(SCOPE, query(of));
    const general = await opened.store.recall(SCOPE, query({ ...of, prior: WEIGHTLESS }));
    expect(lean.length).toBeGreaterThan(0);
    expect(lean).toEqual(general);
  });

  it('takes a distance as it is shown, to the sixth place, for what the limit is compared with', async () => {
    const shown = (await opened.store.recall(SCOPE, query({}))).map(({ distance }) => distance as number);
    for (const distance of new Set(shown)) {
      for (const [maxDistance, letIn] of [
        [distance, true],
        [distance + 1e-7, true],
        [distance - 1e-7, false],
      ] as const) {
        if (maxDistance < 0) continue;
        const found = await opened.store.recall(SCOPE, query({ maxDistance }));
        expect([maxDistance, found.some((hit) => hit.distance === distance)]).toEqual([maxDistance, letIn]);
        expect(found).toEqual(await opened.store.recall(SCOPE, query({ maxDistance, prior: WEIGHTLESS })));
      }
    }
  });

  it('leaves distances beyond 1 to the general statement, whose score no longer tells them apart', async () => {
    const found = await opened.store.recall(SCOPE, query({ maxDistance: 2, limit: 30 }));
    expect(found).toEqual(await opened.store.recall(SCOPE, query({ maxDistance: 2, limit: 30, prior: WEIGHTLESS })));
    expect(found.filter(({ score }) => score === 0).length).toBeGreaterThan(1);
  });

  it('finds nothing while the scope is off', async () => {
    const scope = { ...SCOPE, scope: 'user:off' };
    await opened.store.write(scope, (writer) => writer.insert([memory(0, 'fact')]));
    expect(await opened.store.recall(scope, query({}))).toHaveLength(1);
    await opened.store.setEnabled(scope, false);
    expect(await opened.store.recall(scope, query({}))).toEqual([]);
  });
});

// On the embedded database all connections are one session, which keeps its settings for all.
const onNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;

onNative.each(['vector', 'hybrid'] as const)(
  'by %s reads a scope by the index of its key, also where the planner takes another one for cheaper, and plans once',
  async (mode) => {
    const opened = await openPostgresStore({ preparedStatements: true, poolSize: 1 });
    const { store, dataSource } = opened;
    await store.start();
    try {
      for (let scope = 0; scope < 30; scope += 1) {
        await store.write({ tenantId: 'acme', scope: `user:${scope}` }, (writer) =>
          writer.insert(Array.from({ length: 100 }, (_, n) => memory(n + scope, 'fact'))),
        );
      }
      await dataSource.query('REINDEX INDEX engram.memories_tenant_id_scope_content_hash_key');
      await dataSource.query('VACUUM (ANALYZE) engram.memories');
      // As in a table of a million, where a bitmap looks cheaper than to go through the key's index.
      await dataSource.query('SET enable_indexscan = off; SET enable_seqscan = off');
      const uses = async (): Promise<Record<string, number>> => {
        await dataSource.query('SELECT pg_stat_force_next_flush()');
        const rows: { name: string; scans: number }[] = await dataSource.query(
          `SELECT indexrelname AS name, idx_scan::int AS scans FROM pg_stat_user_indexes WHERE relname = 'memories'`,
        );
        return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
      };
      const before = await uses();
      for (let scope = 0; scope < 10; scope += 1) {
        await store.recall({ tenantId: 'acme', scope: `user:${scope}` }, query({ mode, limit: 3 }));
      }
      const after = await uses();
      const used = Object.keys(after).filter((name) => after[name] !== before[name]);
      expect(used).toEqual(['memories_pkey']);
      const [plans] = await dataSource.query(
        `SELECT generic_plans::int AS kept, custom_plans::int AS anew FROM pg_prepared_statements
         WHERE statement LIKE '%<=>%'`,
      );
      expect(plans).toEqual({ kept: 5, anew: 5 });
    } finally {
      await opened.close();
    }
  },
);
