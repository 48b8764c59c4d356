import type { DataSource } from 'typeorm';
import { validateScope } from '../../memory/validate-scope.js';
import type { Scope } from '../../model/scope.js';
import { buildScopeIndex, dropIndex } from './build-scope-index.js';
import type { ScopeIndexReport } from './build-scope-index.js';
import { inIndexTurn } from './index-connection.js';
import type { ScopeIndexOptions } from './index-connection.js';
import { nearIndexPrefix, wordsIndexName } from './scope-index-name.js';
import { findScopeIndexes } from './statements/find-scope-indexes.js';
import type { IndexBuildProgress } from './watch-index-build.js';

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
  return inIndexTurn(dataSource, options, (connection) => buildScopeIndex(connection, owner, options));
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
  return inIndexTurn(dataSource, options, async ({ session }) => {
    const present = await findScopeIndexes(session, [wordsIndexName(owner)], nearIndexPrefix(owner));
    for (const { name } of present) await dropIndex(session, name);
    return present.map(({ name }) => name);
  });
}
