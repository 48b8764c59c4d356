import { measurement, ratio, timed } from './bench.js';
import type { Bench } from './bench.js';
import { SCOPES, TENANT, openLaboratory } from './laboratory.js';
import type { Laboratory } from './laboratory.js';

const SCOPES_ASKED = 10;
const ROUNDS = 5;
const COPY = SCOPES * 1_000;

async function recallTimes(laboratory: Laboratory): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [scope, questions] of laboratory.questions.slice(0, SCOPES_ASKED).entries()) {
      for (const { text } of questions) {
        const time = await timed(() => laboratory.memory(scope).recall(text, { mode: 'vector' }));
        if (round > 0) times.push(time);
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
    const alone = measurement('recall (vector), 50,000 memories in the table', await recallTimes(laboratory));
    const storing = await timed(() => addOthers(laboratory, others, progress));
    const what = `recall (vector), ${(COPY + others).toLocaleString('en')} memories in the table`;
    const beside = measurement(what, await recallTimes(laboratory));
    return {
      setting: { others, 'storing them': `${(storing / 1000).toFixed(0)} s`, server: laboratory.server },
      measurements: [alone, beside],
      figures: [
        ratio('median recall in a fixed scope, with and without the others', beside.median, alone.median, {
          atMost: 1.2,
        }),
      ],
    };
  },
});
