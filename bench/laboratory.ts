import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { Client } from 'pg';
import type { MemoryService } from '../src/memory/memory.service.js';
import { newMemoryId } from '../src/memory/memory-id.js';
import type { ScopedMemory } from '../src/memory/scoped-memory.js';
import { searchText } from '../src/model/search-text.js';
import { halfVectorBytes } from '../src/storage/postgres/half-vector.js';
import type { Question } from './baselines/contestant.js';
import { createBenchDatabase } from './bench-database.js';
import { builtModule } from './built-app.js';
import { GivenEmbedder } from './given-embedder.js';
import { questions, thousandMemories } from './thousand-memories.js';
import { TopicalVectors } from './topical-vectors.js';

export const DIMENSIONS = 1536;
export const SCOPES = 50;
export const TENANT = 'bench';
const TOPICS_OF_A_SCOPE = 20;
export const QUESTIONS_OF_A_SCOPE = 4;
/** Memories of each scope that one statement stores, those of all scopes mixed. */
const STORED_AT_ONCE = 20;

export const scopeName = (scope: number): string => `user:${scope}`;

/** The memories of all scopes with their vectors, as a table for those who copy them: number, id, content, metadata, embedding. */
export const MEMORIES_SOURCE = `(
  SELECT substring(scope from '[0-9]+$')::int AS number, id, content, metadata, embedding
  FROM engram.memories WHERE tenant_id = '${TENANT}') AS source`;

/** An app with the module, on the laboratory's database. */
export interface OpenedMemory {
  readonly memories: MemoryService;
  close(): Promise<void>;
}

/** 50 scopes of 1,000 memories on native Postgres, and the module above them; made once a run. */
export interface Laboratory {
  readonly url: string;
  readonly server: string;
  readonly sql: Client;
  readonly embedder: GivenEmbedder;
  readonly vectors: TopicalVectors;
  /** By scope. */
  readonly questions: readonly (readonly Question[])[];
  memory(scope: number | string): ScopedMemory;
  /** A second app on the same database, under connection parameters of its own (`options=...`); it logs nothing, what it cannot do is what is looked for. */
  open(parameters: string): Promise<OpenedMemory>;
  close(): Promise<void>;
}

let opened: Promise<Laboratory> | null = null;

export function openLaboratory(progress: (text: string) => void): Promise<Laboratory> {
  return (opened ??= build(progress));
}

export async function closeLaboratory(): Promise<void> {
  await (await opened)?.close();
}

async function build(progress: (text: string) => void): Promise<Laboratory> {
  const database = await createBenchDatabase();
  const embedder = new GivenEmbedder(DIMENSIONS);
  const { MemoryModule, MemoryService, ScriptedCompletion, postgres } = await builtModule();
  const open = async (url: string, logged = true): Promise<OpenedMemory> => {
    const app = await NestFactory.createApplicationContext(
      MemoryModule.forRoot({
        storage: postgres({ url }),
        embedder,
        completion: new ScriptedCompletion(),
        recall: { maxDistance: 0.6 },
        // Else it would give a scope an index in the middle of what is measured.
        retention: { upkeepIntervalMs: 0 },
      }),
      { logger: logged && ['error', 'warn'] },
    );
    return { memories: app.get(MemoryService), close: () => app.close() };
  };
  const { memories, close } = await open(database.url);
  const sql = new Client(database.url);
  await sql.connect();
  const vectors = new TopicalVectors(DIMENSIONS, 1);
  const asked = await fill(sql, vectors, embedder, progress);
  return {
    url: database.url,
    server: database.server,
    sql,
    embedder,
    vectors,
    questions: asked,
    memory: (scope) => memories.for({ tenantId: TENANT, scope: typeof scope === 'number' ? scopeName(scope) : scope }),
    open: (parameters) => open(`${database.url}?${parameters}`, false),
    close: async () => {
      await close();
      await sql.end();
      await database.drop();
    },
  };
}

/** By SQL, because how fast the module writes is measured elsewhere. */
async function fill(
  sql: Client,
  vectors: TopicalVectors,
  embedder: GivenEmbedder,
  progress: (text: string) => void,
): Promise<Question[][]> {
  const { rows } = await sql.query<{ oid: number }>(`SELECT 'halfvec'::regtype::oid AS oid`);
  const oid = Number(rows[0]?.oid);
  const sentences = thousandMemories();
  const texts = questions();
  const scopes = Array.from({ length: SCOPES }, (_, scope) => scope);
  await sql.query(
    `INSERT INTO engram.memory_scopes (tenant_id, scope, generation, docs)
     SELECT $1, name, gen_random_uuid(), $3 FROM unnest($2::text[]) AS name`,
    [TENANT, scopes.map(scopeName), sentences.length],
  );
  const values = scopes.map((scope) =>
    sentences.map((_, index) => vectors.memory(scope * 7 + (index % TOPICS_OF_A_SCOPE))),
  );
  const insert = async (rows: readonly { scope: number; index: number }[]): Promise<void> => {
    const of = rows.map(({ index }) => sentences[index] as string);
    await sql.query(
      `INSERT INTO engram.memories (tenant_id, scope, id, content, content_hash, kind, importance, search, terms,
         embedding, space, source, evidence_at, version, created_at, valid_from)
       SELECT $1, scope, id, content, content_hash, 'fact', 0.5, words, length(words), embedding, $3, 'manual',
              now(), 1, now(), now()
       FROM unnest($2::text[], $4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::halfvec[])
            AS r (scope, id, content, content_hash, search, embedding),
            LATERAL (SELECT to_tsvector('english', search) AS words) AS w`,
      [
        TENANT,
        rows.map(({ scope }) => scopeName(scope)),
        embedder.space,
        rows.map(() => newMemoryId()),
        of,
        of.map((sentence) => createHash('md5').update(sentence).digest('hex')),
        of.map(searchText),
        halfVectorArray(
          oid,
          embedder.space,
          rows.map(({ scope, index }) => values[scope]?.[index] ?? []),
        ),
      ],
    );
  };
  // A memory of each scope in turn: people do not come one after the other, each with all that is to be remembered.
  for (let index = 0; index < sentences.length; index += STORED_AT_ONCE) {
    const some = Array.from({ length: STORED_AT_ONCE }, (_, n) => index + n);
    await insert(some.flatMap((at) => scopes.map((scope) => ({ scope, index: at }))));
    const stored = (index + STORED_AT_ONCE) * SCOPES;
    if (stored % 10_000 === 0) progress(`stored ${stored} memories`);
  }
  const asked = scopes.map((scope) =>
    Array.from({ length: QUESTIONS_OF_A_SCOPE }, (_, number) => {
      const text = `${texts[(scope * QUESTIONS_OF_A_SCOPE + number) % texts.length]} (${scope}.${number})`;
      const vector = vectors.questionNear(values[scope]?.[(number * 251 + scope) % sentences.length] ?? []);
      embedder.give(text, vector);
      return { text, vector };
    }),
  );
  await sql.query('VACUUM (ANALYZE) engram.memories, engram.memory_scopes');
  return asked;
}

/** A list of vectors as Postgres reads arrays in binary: dimensions, nulls, element type, length, lower bound, elements. */
function halfVectorArray(oid: number, space: string, vectors: readonly (readonly number[])[]): Buffer {
  const head = Buffer.alloc(20);
  [1, 0, oid, vectors.length, 1].forEach((field, index) => head.writeUInt32BE(field, 4 * index));
  const parts = vectors.flatMap((values) => {
    const bytes = halfVectorBytes({ space, values });
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length, 0);
    return [length, bytes];
  });
  return Buffer.concat([head, ...parts]);
}
