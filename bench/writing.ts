import { createHash } from 'node:crypto';
import { newMemoryId } from '../src/memory/memory-id.js';
import { searchText } from '../src/model/search-text.js';
import { measurement, ratio, timed } from './bench.js';
import type { Bench, Figure } from './bench.js';
import { SCOPES, TENANT, openLaboratory, scopeName } from './laboratory.js';
import type { Laboratory } from './laboratory.js';

const MEMORIES = 10_000;
const ROUNDS = 3;
/** Rows of one plain INSERT: Postgres takes 65,535 parameters, and nobody gains by more rows than these. */
const PLAIN_BATCH = 500;
const BYTES_MAX = 4.2 * 1024;

interface NewRow {
  readonly content: string;
  readonly vector: number[];
}

/** What an app writes that has its vectors: one INSERT with all values, batch by batch, in one transaction. */
async function plainInsert({ sql, embedder }: Laboratory, scope: string, rows: readonly NewRow[]): Promise<void> {
  await sql.query('BEGIN');
  await sql.query(
    'INSERT INTO engram.memory_scopes (tenant_id, scope, generation) VALUES ($1, $2, gen_random_uuid())',
    [TENANT, scope],
  );
  for (let start = 0; start < rows.length; start += PLAIN_BATCH) {
    const values: unknown[] = [];
    const tuples = rows.slice(start, start + PLAIN_BATCH).map(({ content, vector }) => {
      const hash = createHash('md5').update(content).digest('hex');
      const at =
        values.push(TENANT, scope, newMemoryId(), content, hash, searchText(content), JSON.stringify(vector)) - 6;
      const [tenant, owner, id, text, digest, search, embedding] = Array.from({ length: 7 }, (_, i) => `$${at + i}`);
      return `(${tenant}, ${owner}, ${id}, ${text}, ${digest}, 'fact', 0.5, to_tsvector('english', ${search}), 8,
        ${embedding}::halfvec, '${embedder.space}', 'manual', now(), 1, now(), now())`;
    });
    await sql.query(
      `INSERT INTO engram.memories (tenant_id, scope, id, content, content_hash, kind, importance, search, terms,
         embedding, space, source, evidence_at, version, created_at, valid_from) VALUES ${tuples.join(', ')}`,
      values,
    );
  }
  await sql.query('COMMIT');
}

/** The scope's rows go, and the pages are free again, so that the next round finds the same table. */
async function empty({ sql }: Laboratory, scope: string): Promise<void> {
  await sql.query('DELETE FROM engram.memories WHERE tenant_id = $1 AND scope = $2', [TENANT, scope]);
  await sql.query('VACUUM engram.memories');
}

async function diskPerMemory({ sql }: Laboratory): Promise<Figure> {
  const { rows } = await sql.query<{ bytes: number; heap: number }>(
    `SELECT pg_total_relation_size('engram.memories')::float8 / count(*) AS bytes,
            pg_relation_size('engram.memories')::float8 / count(*) AS heap
     FROM engram.memories`,
  );
  const { bytes, heap } = rows[0] ?? { bytes: NaN, heap: NaN };
  return {
    what: 'disk per memory at 1,536 dimensions, with all indexes',
    mustReach: 'at most 4.2 KB',
    measured: `${(bytes / 1024).toFixed(2)} KB, ${((bytes - heap) / 1024).toFixed(2)} KB of it indexes`,
    reached: bytes <= BYTES_MAX,
  };
}

interface Writes {
  readonly memories: number;
  readonly access: number;
}

async function writes({ sql }: Laboratory): Promise<Writes> {
  await sql.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await sql.query<{ table: string; writes: number }>(
    `SELECT relname AS table, (n_tup_ins + n_tup_upd + n_tup_del)::float8 AS writes
     FROM pg_stat_user_tables WHERE schemaname = 'engram'`,
  );
  const of = (table: string): number => rows.find((row) => row.table === table)?.writes ?? NaN;
  return { memories: of('memories'), access: of('memory_access') };
}

/** Servers report their counters when a session is idle, a second late at most. */
const reported = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2_500));

/** Recalls that are counted, and recalls on a connection that refuses every write. */
async function touches(laboratory: Laboratory): Promise<Figure> {
  const readOnly = await laboratory.open('options=-c%20default_transaction_read_only%3Don');
  let refused = 'not refused';
  const question = laboratory.questions[0]?.[0]?.text ?? '';
  try {
    const found = await readOnly.memories.for({ tenantId: TENANT, scope: scopeName(0) }).recall(question);
    if (found.length === 0) refused = 'nothing found';
  } catch {
    refused = 'refused';
  }
  await readOnly.close();

  await reported();
  const before = await writes(laboratory);
  for (let scope = 0; scope < SCOPES; scope += 1) {
    for (const { text } of laboratory.questions[scope] ?? []) await laboratory.memory(scope).recall(text);
  }
  await reported();
  const after = await writes(laboratory);
  return {
    what: 'touches of recalled memories',
    mustReach: 'no write in the recall statement; vector rows not rewritten',
    measured: `recall in a read-only session: ${refused}; rows written: memories ${after.memories - before.memories}, memory_access ${after.access - before.access}`,
    reached: refused === 'not refused' && after.memories === before.memories && after.access > before.access,
  };
}

export const writing: Bench = {
  name: 'writing',
  question: `What does addMany of ${MEMORIES.toLocaleString('en')} memories with vectors cost, what do they take on disk, and what does a recall write?`,

  async run(progress) {
    const laboratory = await openLaboratory(progress);
    const disk = await diskPerMemory(laboratory);
    const touched = await touches(laboratory);
    progress('measured disk and touches');
    const times = { addMany: [] as number[], plain: [] as number[] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      // The first round warms; a tenth of the rows will do.
      const count = round === 0 ? MEMORIES / 10 : MEMORIES;
      const rows = Array.from({ length: count }, (_, index): NewRow => {
        const content = `Keeps note ${index} of round ${round} in the drawer of the desk`;
        return { content, vector: laboratory.vectors.memory(index % 20) };
      });
      for (const { content, vector } of rows) laboratory.embedder.give(content, vector);
      const inputs = rows.map(({ content }) => ({ content }));
      const addMany = await timed(() => laboratory.memory(`added:${round}`).addMany(inputs));
      await empty(laboratory, `added:${round}`);
      const plain = await timed(() => plainInsert(laboratory, `plain:${round}`, rows));
      await empty(laboratory, `plain:${round}`);
      for (const { content } of rows) laboratory.embedder.forget(content);
      if (round > 0) {
        times.addMany.push(addMany);
        times.plain.push(plain);
      }
      progress(`measured round ${round} of ${ROUNDS}`);
    }
    const addMany = measurement(`addMany of ${MEMORIES}`, times.addMany);
    const plain = measurement(`multi-row INSERT of ${MEMORIES}`, times.plain);
    return {
      setting: { memories: MEMORIES, server: laboratory.server },
      measurements: [addMany, plain],
      figures: [
        ratio('addMany against a plain multi-row INSERT', addMany.median, plain.median, { atMost: 2 }),
        disk,
        touched,
      ],
    };
  },
};
