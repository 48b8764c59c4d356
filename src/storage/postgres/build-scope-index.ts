import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { NotFoundError } from '../../errors/not-found-error.js';
import type { Scope } from '../../model/scope.js';
import type { IndexConnection } from './index-connection.js';
import { scopeSettings } from './row-level-security.js';
import { nearIndexName, wordsIndexName } from './scope-index-name.js';
import type { Session } from './session.js';
import { quoteIdentifier } from './sql-names.js';
import { findLargestSpace } from './statements/find-largest-space.js';
import type { LargestSpace } from './statements/find-largest-space.js';
import { findScopeIndexes } from './statements/find-scope-indexes.js';
import { setForSession, setLocal } from './statements/set-local.js';
import { writeIndexStatements } from './statements/write-index-statements.js';
import { watchIndexBuild } from './watch-index-build.js';
import type { IndexBuildProgress } from './watch-index-build.js';

/** Dimensions up to which pgvector indexes a halfvec. */
const HNSW_DIMENSIONS_MAX = 4_000;

/** Limits of the role or the server that a build, which takes as long as it takes, must not run into. */
const NO_LIMITS = { statement_timeout: '0', lock_timeout: '0' };
const DROP_IN_HASTE = { statement_timeout: '5s' };

export interface ScopeIndexReport {
  readonly space: string;
  /** Table, or partition, that holds the scope. */
  readonly table: string;
  /** Memories of the space when the build began. */
  readonly memories: number;
  /** Names of the indexes that were made; empty where they were there already. */
  readonly created: readonly string[];
}

export interface BuildOptions {
  readonly space?: string;
  readonly memory?: string;
  readonly onProgress?: (progress: IndexBuildProgress) => void;
  /** Ends a build that runs, from another connection; nothing is left of it. */
  readonly signal?: AbortSignal;
}

/**
 * Makes what a scope lacks of its own indexes.
 *
 * @throws NotFoundError where the scope has no vectors (of that space)
 * @throws InvalidInputError past 4,000 dimensions, which pgvector does not index
 */
export async function buildScopeIndex(
  connection: IndexConnection,
  owner: Scope,
  options: BuildOptions,
): Promise<ScopeIndexReport> {
  const { session } = connection;
  const found = await inScope(connection, owner, () => findLargestSpace(session, owner, options.space ?? null));
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
    await build(connection, name, statements[index] as string, options);
    created.push(name);
  }
  if (created.length > 0) {
    // So that the planner knows the scope's size better than by guessing.
    await session.run(`ANALYZE ${session.names.schema}.${quoteIdentifier(leaf)} (tenant_id, scope, space)`, []);
  }
  return { space, table: leaf, memories, created };
}

export async function dropIndex(session: Session, name: string): Promise<void> {
  await session.run(`DROP INDEX CONCURRENTLY IF EXISTS ${session.names.schema}.${quoteIdentifier(name)}`, []);
}

/** Given up after seconds: a drop waits for everyone who writes. What it then leaves is unusable, and can be dropped again. */
export async function dropIndexInHaste(session: Session, name: string): Promise<void> {
  await setForSession(session, DROP_IN_HASTE);
  try {
    await dropIndex(session, name);
  } finally {
    await reset(session, DROP_IN_HASTE);
  }
}

/** In a transaction that says its scope, for tables with policies. */
async function inScope<T>({ queryRunner, session }: IndexConnection, scope: Scope, work: () => Promise<T>): Promise<T> {
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
  { dataSource, session }: IndexConnection,
  name: string,
  statement: string,
  { memory, onProgress, signal }: BuildOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const settings = { ...NO_LIMITS, ...(memory !== undefined && { maintenance_work_mem: memory }) };
  const [builder] = await session.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
  const pid = builder?.pid ?? 0;
  const watch = onProgress && watchIndexBuild(dataSource, pid, name, onProgress);
  let cancelled: Promise<unknown> = Promise.resolve();
  const cancel = (): void => {
    // Without a connection to ask on, the build goes on to its end.
    cancelled = dataSource.query('SELECT pg_catalog.pg_cancel_backend($1)', [pid]).catch(() => undefined);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await setForSession(session, settings);
    await session.run(statement, []);
  } catch (error) {
    await cancelled;
    // Whoever ends a build wants to be gone, and a drop waits for all that write: what it leaves, the next build drops.
    if (signal?.aborted) await setForSession(session, DROP_IN_HASTE).catch(() => undefined);
    await dropIndex(session, name).catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    await cancelled;
    watch?.stop();
    await reset(session, settings);
  }
}

async function reset(session: Session, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const setting of Object.keys(settings)) {
    // A connection that is gone takes its settings along; why it went is what is to be told.
    await session.run(`RESET ${setting}`, []).catch(() => undefined);
  }
}
