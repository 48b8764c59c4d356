import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import type { Scope } from '../../model/scope.js';
import type { RecallQuery } from '../memory-store.js';
import type { RecalledRow } from './recall-row.js';
import { nearIndexName, wordsIndexName } from './scope-index-name.js';
import type { ScopeIndexes } from './scope-indexes.js';
import type { Session } from './session.js';
import type { Sessions } from './sessions.js';
import { enterIndexScan } from './statements/enter-index-scan.js';
import { findNearest } from './statements/find-nearest.js';
import { listScopeIndexes } from './statements/list-scope-indexes.js';
import { recallMemories } from './statements/recall-memories.js';
import { scopeSize } from './statements/scope-size.js';
import { setLocal } from './statements/set-local.js';

/** Memories of a scope from which its index is used, unless the host says otherwise (docs/scaling.md has the figures). */
const HNSW_FROM = 30_000;

/** @throws InvalidOptionsError for anything but a whole number from 1 on */
export function checkHnswFrom(option: number | undefined): number {
  if (option === undefined) return HNSW_FROM;
  if (Number.isSafeInteger(option) && option >= 1) return option;
  throw new InvalidOptionsError(
    'hnswFrom',
    `Option hnswFrom must be a whole number from 1 on. Leave it out for ${HNSW_FROM}.`,
  );
}

/** Most that pgvector takes as `hnsw.ef_search`. */
const THOROUGHNESS_MAX = 1_000;

/** `hnsw.ef_search` of a small limit: 0.99 of the true nearest in 50,000 memories, where 200 found 0.97 to 0.98 of them (docs/scaling.md). */
const MIN_THOROUGHNESS = 400;

/** Where the order also depends on importance or age, so many times the limit are looked at by distance. */
const PRIOR_POOL = 10;

/** The same for an approximate query, where words only order what is near. */
const APPROXIMATE_POOL = 5;

/** Nearest that an approximate query has words weighed for, where a pass over the scope finds them. */
const PASS_POOL = 200;

/** `hnsw.ef_search` of an approximate query: a fourth of the work of `MIN_THOROUGHNESS`. */
const APPROXIMATE_THOROUGHNESS = 100;

/**
 * Recall in a scope of any size: exact, row by row, unless the scope has reached `from` memories and has an index of its
 * own. Then the nearest come from the index, and beside them every memory that has one of the query's words, all scored
 * as ever. Where the index gives fewer than the limit, the exact way answers in the same transaction.
 *
 * An approximate query weighs words for what is near only, since how many memories share one grows with the scope; it takes
 * the index of a scope of any size. Up to `PASS_POOL` memories that is the exact way.
 *
 * @param indexes null: no index is used, as inside a transaction of the host, whose settings are its own
 * @param from size of a scope from which its index is used, by the counter in its row
 */
export async function recallScope(
  sessions: Sessions,
  indexes: ScopeIndexes | null,
  scope: Scope,
  query: RecallQuery,
  from: number,
): Promise<RecalledRow[]> {
  const indexed = await indexes?.has(
    () => indexFor(scope, query),
    () => sessions.use(scope, listScopeIndexes),
  );
  // The size is asked first where the index depends on it: below, a transaction with its settings would be for nothing.
  if (
    indexed &&
    (isApproximate(query) || (await sessions.use(scope, (session) => scopeSize(session, scope))) >= from)
  ) {
    return sessions.transaction(scope, (session) => recallLargeScope(session, scope, query, from, null));
  }
  return sessions.use(scope, (session) => recallByPass(session, scope, query, null));
}

/**
 * The same under the lock of a writer, in its transaction, for what is looked at again there: both looks go the same way,
 * else they would differ where nothing has changed.
 *
 * @param at the writer's stamp, by which an expiry counts
 */
export async function recallUnderLock(
  session: Session,
  indexes: ScopeIndexes | null,
  scope: Scope,
  query: RecallQuery,
  from: number,
  at: Date,
): Promise<RecalledRow[]> {
  const indexed = await indexes?.has(
    () => indexFor(scope, query),
    () => listScopeIndexes(session),
  );
  return indexed ? recallLargeScope(session, scope, query, from, at) : recallByPass(session, scope, query, at);
}

/**
 * Name of the index that can answer, null where only the exact way can: the past, and words alone where rows without any
 * of them may be let in.
 */
function indexFor(scope: Scope, { vector, mode, asOf, minCoverage }: RecallQuery): string | null {
  if (asOf) return null;
  if (vector && mode !== 'keyword') return nearIndexName(scope, vector.space);
  return minCoverage !== null && minCoverage > 0 ? wordsIndexName(scope) : null;
}

/** Row by row. */
function recallByPass(session: Session, scope: Scope, query: RecallQuery, at: Date | null): Promise<RecalledRow[]> {
  return recallMemories(session, scope, query, at, isApproximate(query) ? { pool: PASS_POOL } : undefined);
}

function isApproximate({ approximate, vector, mode, asOf }: RecallQuery): boolean {
  return approximate === true && vector !== null && mode !== 'keyword' && !asOf;
}

async function recallLargeScope(
  session: Session,
  scope: Scope,
  query: RecallQuery,
  from: number,
  at: Date | null,
): Promise<RecalledRow[]> {
  const { limit } = query;
  const vector = query.mode === 'keyword' ? null : query.vector;
  const approximate = isApproximate(query);
  const pool = query.prior ? PRIOR_POOL : approximate ? APPROXIMATE_POOL : 1;
  const least = approximate ? APPROXIMATE_THOROUGHNESS : MIN_THOROUGHNESS;
  const count = Math.min(pool * limit, THOROUGHNESS_MAX);
  const thoroughness = Math.min(Math.max(least, 2 * count), THOROUGHNESS_MAX);
  const { before, size } = await enterIndexScan(session, scope, thoroughness);
  const large = approximate || size >= from;
  const nearest = large && vector ? await findNearest(session, scope, vector, query, at, count) : [];
  await setLocal(session, before);
  const enough = large && (vector === null || nearest.length >= limit);
  return recallMemories(session, scope, query, at, enough ? { ids: nearest, alone: approximate } : undefined);
}
