import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { NotFoundError } from '../../errors/not-found-error.js';
import { validateScope } from '../../memory/validate-scope.js';
import type { Scope } from '../../model/scope.js';
import { storageFailure } from './driver-error.js';
import { canPrepare } from './prepared-statement.js';
import type { PreparingConnection } from './prepared-statement.js';
import { scopeSettings } from './row-level-security.js';
import { nearIndexName, nearIndexPrefix, wordsIndexName } from './scope-index-name.js';
import { Session } from './session.js';
import { quoteIdentifier } from './sql-names.js';
import { findLargestSpace } from './statements/find-largest-space.js';
import type { LargestSpace } from './statements/find-largest-space.js';
import { findScopeIndexes } from './statements/find-scope-indexes.js';
import { endIndexTurn, tryIndexTurn } from './statements/index-turn.js';
import { setLocal } from './statements/set-local.js';
import { writeIndexStatements } from './statements/write-index-statements.js';
import { watchIndexBuild } from './watch-index-build.js';
import type { IndexBuildProgress } from './watch-index-build.js';

/** Dimensions up to which pgvector indexes a halfvec. */
const HNSW_DIMENSIONS_MAX = 4_000;

/** How often one that waits for another's build asks whether that has ended. */
const TURN_PERIOD_MS = 250;

export interface ScopeIndexOptions {
  /** Schema of our tables. @default 'engram' */
  readonly schema?: string;
}

export interface CreateScopeIndexOptions extends ScopeIndexOptions {
  /** `provider:model:dimensions` of the vectors to index. @default the one that most memories of the scope have */
  readonly space?: string;
  /**
   * Memory for the build as Postgres reads it, such as `1GB`: past it the build is many times slower, and 50,000 vectors
   * of 1,536 dimensions need 250 MB. Not for the embedded database. @default the server's `maintenance_work_mem`
   */
  readonly memory?: string;
  /** Called about once a second while an index is built; needs a second connection, and is not called without one. */
  readonly onProgress?: (progress: IndexBuildProgress) => void;
}

export interface ScopeIndexReport {
  readonly space: string;
  /** Table, or partition, that holds the scope. */
  readonly table: string;
  /** Memories of the space when the build began. */
  readonly memories: number;
  /** Names of the indexes that were made; empty where they were there already. */
  readonly created: readonly string[];
}

/**
 * Gives a large scope indexes of its own, for its vectors (HNSW) and for its words, so that recall there no longer
 * compares every memory. Made concurrently: memory goes on meanwhile. Recall uses them within a minute, from `hnswFrom`
 * memories on. After a change of the embedder, call it again and drop what the old space had. One is made or dropped at a
 * time in a schema: several calls, in whatever processes, wait for each other.
 *
 * Needs the owner of the tables and a direct connection, no pooler in transaction mode. Some dozens of such scopes a
 * table (a partition, where there are) are fine; each makes planning a little slower for its neighbours.
 *
 * @throws NotFoundError where the scope has no vectors (of that space)
 * @throws InvalidInputError past 4,000 dimensions, which pgvector does not index
 * @throws InvalidOptionsError where the connection is a pooler's
 */
export async function createScopeIndex(
  dataSource: DataSource,
  scope: Scope,
  options: CreateScopeIndexOptions = {},
): Promise<ScopeIndexReport> {
  const owner = validateScope(scope);
  return onOneConnection(dataSource, options, async (session, queryRunner) => {
    const found = await inScope(session, queryRunner, owner, () =>
      findLargestSpace(session, owner, options.space ?? null),
    );
    const { space, leaf, memories } = requireSpace(found);
    const names = [nearIndexName(owner, space), wordsIndexName(owner)] as const;
    const statements = await writeIndexStatements(session, owner, { space, leaf, near: names[0], words: names[1] });
    const present = await findScopeIndexes(session, names);
    const created: string[] = [];
    for (const [index, name] of names.entries()) {
      const before = present.find((one) => one.name === name);
      if (before?.usable) continue;
      // What an interrupted build leaves costs every write and serves no read.
      if (before) await dropIndex(session, name);
      await build(dataSource, session, { name, statement: statements[index] as string, ...options });
      created.push(name);
    }
    // So that the planner knows the scope's size better than by guessing.
    await session.run(`ANALYZE ${session.names.schema}.${quoteIdentifier(leaf)} (tenant_id, scope, space)`, []);
    return { space, table: leaf, memories, created };
  });
}

/**
 * Drops a scope's own indexes, of every space; recall compares every memory again. Before an embedder is changed for
 * good, or when the scope is gone.
 *
 * @returns names of the indexes that went
 */
export async function dropScopeIndex(
  dataSource: DataSource,
  scope: Scope,
  options: ScopeIndexOptions = {},
): Promise<string[]> {
  const owner = validateScope(scope);
  return onOneConnection(dataSource, options, async (session) => {
    const present = await findScopeIndexes(session, [wordsIndexName(owner)], nearIndexPrefix(owner));
    for (const { name } of present) await dropIndex(session, name);
    return present.map(({ name }) => name);
  });
}

async function onOneConnection<T>(
  dataSource: DataSource,
  { schema = 'engram' }: ScopeIndexOptions,
  work: (session: Session, queryRunner: QueryRunner) => Promise<T>,
): Promise<T> {
  const queryRunner = dataSource.createQueryRunner();
  try {
    const extension: { schema: string }[] = await queryRunner.query(
      `SELECT n.nspname AS schema FROM pg_catalog.pg_extension e
       JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
    );
    const names = {
      schema: quoteIdentifier(schema),
      extension: quoteIdentifier(extension[0]?.schema ?? 'public'),
    };
    await requireDirectConnection(queryRunner);
    const session = new Session(queryRunner, names, 'simple');
    return await inTurn(session, () => work(session, queryRunner));
  } catch (error) {
    throw storageFailure(error);
  } finally {
    await queryRunner.release();
  }
}

/** A pooler would give the turn, and the memory for the build, to a session that stays with nobody. */
async function requireDirectConnection(queryRunner: QueryRunner): Promise<void> {
  if (await canPrepare((await queryRunner.connect()) as PreparingConnection)) return;
  throw new InvalidOptionsError(
    'dataSource',
    'Indexes of a scope are made over a direct connection, and this one goes through a pooler that shares the sessions of the server. Give a DataSource that connects to the server itself.',
  );
}

/** Two builds on one table at once would wait for each other, and what another is building looks like what it left. */
async function inTurn<T>(session: Session, work: () => Promise<T>): Promise<T> {
  while (!(await tryIndexTurn(session))) await sleep(TURN_PERIOD_MS);
  try {
    return await work();
  } finally {
    // A connection that is gone has given its turn back.
    await endIndexTurn(session).catch(() => undefined);
  }
}

/** In a transaction that says its scope, for tables with policies. */
async function inScope<T>(
  session: Session,
  queryRunner: QueryRunner,
  scope: Scope,
  work: () => Promise<T>,
): Promise<T> {
  await queryRunner.startTransaction();
  try {
    await setLocal(session, scopeSettings(scope));
    return await work();
  } finally {
    await queryRunner.rollbackTransaction();
  }
}

function requireSpace(found: LargestSpace | null): LargestSpace {
  if (!found) {
    throw new NotFoundError(
      'The scope has no memories with vectors of that space. Check tenantId, scope and space, or let rebuildEmbeddings make the vectors first.',
    );
  }
  const dimensions = Number(/[0-9]+$/.exec(found.space)?.[0]);
  if (dimensions > HNSW_DIMENSIONS_MAX) {
    throw new InvalidInputError(
      'space',
      `Vectors of ${dimensions} dimensions cannot be indexed, pgvector ends at ${HNSW_DIMENSIONS_MAX}. Embed with fewer dimensions.`,
    );
  }
  return found;
}

async function build(
  dataSource: DataSource,
  session: Session,
  { name, statement, memory, onProgress }: CreateScopeIndexOptions & { name: string; statement: string },
): Promise<void> {
  const watch = onProgress && (await watchIndexBuild(dataSource, session, name, onProgress));
  if (memory !== undefined) await session.run(`SELECT set_config('maintenance_work_mem', $1, false)`, [memory]);
  try {
    await session.run(statement, []);
  } catch (error) {
    await dropIndex(session, name).catch(() => undefined);
    throw error;
  } finally {
    if (memory !== undefined) await session.run('RESET maintenance_work_mem', []);
    watch?.stop();
  }
}

async function dropIndex(session: Session, name: string): Promise<void> {
  await session.run(`DROP INDEX CONCURRENTLY IF EXISTS ${session.names.schema}.${quoteIdentifier(name)}`, []);
}
