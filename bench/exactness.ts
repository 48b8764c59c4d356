import { createPostgresDataSource } from '../src/storage/postgres/data-source.js';
import { createScopeIndex } from '../src/storage/postgres/scope-index.js';
import { measurement, timed } from './bench.js';
import type { Bench, Figure, Measurement } from './bench.js';
import { TENANT, openLaboratory, scopeName } from './laboratory.js';
import type { Laboratory } from './laboratory.js';

const SIZES = [10, 100, 1_000, 10_000, 50_000];
const LIMIT = 10;
const QUESTIONS = 40;
/** Nothing that a threshold would keep out: what lies farther points the other way. */
const MAX_DISTANCE = 1;
/** Distances come rounded to six places; equal ones count as equally true. */
const ROUNDING = 1e-6;

const scopeOf = (size: number): string => `exact:${size}`;

/**
 * Copies vectors of the 50 scopes into one. Each question then has the same vectors of others about it, as near as they
 * can be. Texts are told apart by where they came from, or recall would fold them.
 */
async function makeScope({ sql }: Laboratory, size: number): Promise<void> {
  await sql.query(
    `INSERT INTO engram.memory_scopes (tenant_id, scope, generation, docs) VALUES ($1, $2, gen_random_uuid(), $3)`,
    ['exact', scopeOf(size), size],
  );
  await sql.query(
    `INSERT INTO engram.memories (tenant_id, scope, id, content, content_hash, kind, importance, search, terms,
       embedding, space, source, evidence_at, version, created_at, valid_from)
     SELECT 'exact', $2, id, content || ' of ' || scope, md5(content || scope)::uuid, kind, importance, search, terms,
            embedding, space, source, evidence_at, version, created_at, valid_from
     FROM engram.memories WHERE tenant_id = $1
     ORDER BY md5(id::text) LIMIT $3`,
    [TENANT, scopeOf(size), size],
  );
  await sql.query('ANALYZE engram.memories');
}

/** The distances of the true nearest, found by comparing all. */
async function trueNearest({ sql }: Laboratory, size: number, vector: readonly number[]): Promise<number[]> {
  const { rows } = await sql.query<{ distance: number }>(
    `SELECT distance FROM (
       SELECT embedding <=> $3::halfvec AS distance FROM engram.memories WHERE tenant_id = $1 AND scope = $2 OFFSET 0) AS every
     WHERE distance <= $4 ORDER BY distance LIMIT $5`,
    ['exact', scopeOf(size), JSON.stringify(vector), MAX_DISTANCE, LIMIT],
  );
  return rows.map(({ distance }) => distance);
}

export const exactness: Bench = {
  name: 'exactness',
  question: `Are the ${LIMIT} nearest of a scope found, while others have the same vectors?`,

  async run(progress) {
    const laboratory = await openLaboratory(progress);
    const questions = laboratory.questions.flat().slice(0, QUESTIONS);
    const measurements: Measurement[] = [];
    const figures: Figure[] = [];
    for (const size of SIZES) {
      await makeScope(laboratory, size);
      progress(`stored a scope of ${size}`);
    }
    const largest = SIZES.at(-1) ?? 0;
    const measure = async (size: number, how: 'exact' | 'HNSW'): Promise<number> => {
      const app = await laboratory.open('');
      const memory = app.memories.for({ tenantId: 'exact', scope: scopeOf(size) });
      const times: number[] = [];
      let recalled = 0;
      let full = 0;
      for (const { text, vector } of questions) {
        let found: (number | null)[] = [];
        times.push(
          await timed(async () => {
            const hits = await memory.recall(text, { mode: 'vector', limit: LIMIT, maxDistance: MAX_DISTANCE });
            found = hits.map(({ distance }) => distance);
          }),
        );
        const nearest = await trueNearest(laboratory, size, vector);
        const farthest = (nearest.at(-1) ?? 0) + ROUNDING;
        recalled += found.filter((distance) => distance !== null && distance <= farthest).length / nearest.length;
        full += found.length === nearest.length ? 1 : 0;
      }
      await app.close();
      const share = recalled / questions.length;
      measurements.push(measurement(`recall in ${size} memories, ${how}`, times));
      const bound = how === 'exact' ? 1 : 0.98;
      figures.push({
        what: `recall@${LIMIT} against brute force, ${size} memories, ${how}`,
        mustReach: `${how === 'exact' ? '1.000' : 'at least 0.98'}, always the full limit`,
        measured: `${share.toFixed(3)}, full in ${full} of ${questions.length}`,
        reached: share >= bound && full === questions.length,
      });
      progress(`measured ${size}, ${how}`);
      return share;
    };
    for (const size of SIZES) await measure(size, 'exact');

    const dataSource = createPostgresDataSource({ connection: laboratory.url });
    await dataSource.initialize();
    progress(`building the index of the scope of ${largest}`);
    const building = await timed(() =>
      createScopeIndex(dataSource, { tenantId: 'exact', scope: scopeOf(largest) }, { memory: '1GB' }),
    );
    await dataSource.destroy();
    await measure(largest, 'HNSW');
    await laboratory.sql.query(`DELETE FROM engram.memories WHERE tenant_id = 'exact'`);
    await laboratory.sql.query(`DELETE FROM engram.memory_scopes WHERE tenant_id = 'exact'`);
    return {
      setting: {
        questions: questions.length,
        'others beside': `50 scopes of 1,000 (${scopeName(0)} and on) with the same vectors`,
        'building the index': `${(building / 1000).toFixed(0)} s`,
        server: laboratory.server,
      },
      measurements,
      figures,
    };
  },
};
