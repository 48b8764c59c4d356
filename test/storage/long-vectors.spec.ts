import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvalidInputError } from '../../src/errors/invalid-input-error.js';
import type { RecallQuery } from '../../src/storage/memory-store.js';
import { createScopeIndex } from '../../src/storage/postgres/scope-index.js';
import { newMemory } from '../support/new-memory.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

const COUNT = 12;

/** No two alike, and nothing that a compressor could use. */
function vectorOf(dimensions: number, seed: number): number[] {
  let state = seed * 2_654_435_761 + 1;
  return Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function distance(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return 1 - dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

// Real: Postgres, its pages and its TOAST.
describe.each([
  ['whole tables', undefined],
  ['four partitions', 4],
])('vectors of every length that pgvector has, on %s', (_, partitions) => {
  let opened: PostgresStoreUnderTest;

  beforeAll(async () => {
    opened = await openPostgresStore({ ...(partitions && { partitions }) });
    await opened.store.start();
  });

  afterAll(() => opened.close());

  /** Rows of the scope whose vector lies outside them. */
  async function movedOut(scope: string): Promise<number> {
    const [row] = await opened.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM engram.memories
       WHERE scope = $1 AND pg_column_toast_chunk_id(embedding) IS NOT NULL`,
      [scope],
    );
    return row?.count ?? NaN;
  }

  it.each([
    [1_536, 0],
    [2_000, 0],
    [3_072, 0],
    [3_900, 0],
    [4_096, COUNT],
    [16_000, COUNT],
  ])(
    'stores %i dimensions, recalls exactly, and keeps a vector in its row where it fits',
    async (dimensions, outside) => {
      const scope = { tenantId: 'acme', scope: `user:${dimensions}` };
      const space = `test:noise:${dimensions}`;
      const vectors = Array.from({ length: COUNT }, (_, n) => vectorOf(dimensions, n + 1));
      const memories = vectors.map((values, n) => newMemory(`Is number ${n}`, { vector: { space, values } }));
      await opened.store.write(scope, (writer) => writer.insert(memories));
      expect(await movedOut(scope.scope)).toBe(outside);

      const asked = vectors.map((values, n) =>
        values.map((value, i) => value + (vectors[(n + 1) % COUNT]?.[i] ?? 0) / 2),
      );
      for (const [n, values] of asked.entries()) {
        const query: RecallQuery = {
          searchText: '',
          vector: { space, values },
          mode: 'vector',
          limit: 5,
          denseWeight: 0.5,
          maxDistance: 1,
          minCoverage: null,
          minScore: null,
        };
        const hits = await opened.store.recall(scope, query);
        const truth = vectors.map((vector) => distance(vector, values)).sort((a, b) => a - b);
        expect(hits[0]?.memory.content).toBe(`Is number ${n}`);
        expect(hits.map((hit) => hit.distance)).toEqual(truth.slice(0, hits.length).map((d) => expect.closeTo(d, 2)));
      }
      const [first] = memories;
      const id = first?.id ?? '';
      await opened.store.write(scope, async (writer) => {
        const found = await writer.find(id);
        await writer.update(
          { id, version: found?.version ?? 0 },
          { importance: 1 },
          { endedBy: 'update', turnId: null },
        );
      });
      const revisions = await opened.store.history(scope, id);
      expect(revisions).toHaveLength(1);
    },
  );

  it('says that no index is to be had beyond 4,000 dimensions', async () => {
    await expect(createScopeIndex(opened.dataSource, { tenantId: 'acme', scope: 'user:16000' })).rejects.toThrow(
      InvalidInputError,
    );
  });
});
