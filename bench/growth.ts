import { halfVectorBytes } from '../src/storage/postgres/half-vector.js';
import { measurement, ratio, timed } from './bench.js';
import type { Bench } from './bench.js';
import { SCOPES, TENANT, openLaboratory, scopeName } from './laboratory.js';
import type { Laboratory } from './laboratory.js';

const SCOPES_ASKED = 10;
const ROUNDS = 20;
const COPY = SCOPES * 1_000;

interface Times {
  readonly recall: number[];
  readonly control: number[];
}

/**
 * A copy of the scopes in a table that stays as it is. Before and after are minutes apart, and the machine need not be as
 * busy: what the same scan of the copy costs then tells by how much.
 */
async function copyAsControl({ sql }: Laboratory): Promise<void> {
  await sql.query('CREATE TABLE public.control (LIKE engram.memories INCLUDING STORAGE)');
  await sql.query(`INSERT INTO public.control SELECT * FROM engram.memories WHERE tenant_id = '${TENANT}'`);
  await sql.query('CREATE INDEX ON public.control (tenant_id, scope, id)');
  await sql.query('VACUUM (ANALYZE) public.control');
}

async function recallTimes(laboratory: Laboratory): Promise<Times> {
  const times: Times = { recall: [], control: [] };
  const { sql, embedder } = laboratory;
  const scan = async (scope: number, vector: readonly number[]): Promise<unknown> =>
    sql.query(
      `SELECT id, content FROM (
         SELECT id, content, embedding <=> $3::halfvec AS distance FROM public.control
         WHERE tenant_id = $1 AND scope = $2 OFFSET 0) AS n
       ORDER BY distance LIMIT 5`,
      [TENANT, scopeName(scope), halfVectorBytes({ space: embedder.space, values: vector })],
    );
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [scope, questions] of laboratory.questions.slice(0, SCOPES_ASKED).entries()) {
      for (const { text, vector } of questions) {
        const recall = await timed(() => laboratory.memory(scope).recall(text, { mode: 'vector' }));
        const control = await timed(() => scan(scope, vector));
        if (round === 0) continue;
        times.recall.push(recall);
        times.control.push(control);
      }
    }
  }
  return times;
}

/** Other tenants' memories, copied from what is there: 50,000 more with each. */
async function addOthers({ sql }: Laboratory, others: number, progress: (text: string) => void): Promise<void> {
  for (let copy = 1; copy * COPY <= others; copy += 1) {
    await sql.query(
      `INSERT INTO engram.memory_scopes (tenant_id, scope, generation)
       SELECT $2, scope, gen_random_uuid() FROM engram.memory_scopes WHERE tenant_id = $1`,
      [TENANT, `other-${copy}`],
    );
    await sql.query(
      `INSERT INTO engram.memories (tenant_id, scope, id, content, content_hash, kind, importance, search, terms,
         embedding, space, source, evidence_at, version, created_at, valid_from)
       SELECT $2, scope, id, content, content_hash, kind, importance, search, terms,
              embedding, space, source, evidence_at, version, created_at, valid_from
       FROM engram.memories WHERE tenant_id = $1`,
      [TENANT, `other-${copy}`],
    );
    progress(`stored ${copy * COPY} of ${others} other memories`);
  }
  await sql.query('VACUUM (ANALYZE) engram.memories, engram.memory_scopes');
}

/** @param others memories of others, a multiple of 50,000; about 3.5 KB of disk each, and as much again of write-ahead log on the way */
export const growth = (others: number): Bench => ({
  name: 'growth',
  question: `What does a recall in a scope of 1,000 cost when ${others.toLocaleString('en')} memories of others come to the table?`,

  async run(progress) {
    const laboratory = await openLaboratory(progress);
    await copyAsControl(laboratory);
    const before = await recallTimes(laboratory);
    const storing = await timed(() => addOthers(laboratory, others, progress));
    const after = await recallTimes(laboratory);
    await laboratory.sql.query('DROP TABLE public.control');
    const [few, many] = ['50,000', (COPY + others).toLocaleString('en')];
    const recallBefore = measurement(`recall (vector), ${few} memories in the table`, before.recall);
    const controlBefore = measurement('scan of an untouched copy meanwhile', before.control);
    const recallAfter = measurement(`recall (vector), ${many} memories in the table`, after.recall);
    const controlAfter = measurement('scan of the untouched copy meanwhile', after.control);
    return {
      setting: { others, 'storing them': `${(storing / 1000).toFixed(0)} s`, server: laboratory.server },
      measurements: [recallBefore, controlBefore, recallAfter, controlAfter],
      figures: [
        ratio(
          `median recall in a fixed scope, ${few} -> ${many} memories, each over the scan of the copy`,
          recallAfter.median / controlAfter.median,
          recallBefore.median / controlBefore.median,
          { atMost: 1.2 },
        ),
      ],
    };
  },
});
