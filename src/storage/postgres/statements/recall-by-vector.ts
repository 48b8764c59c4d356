import type { Scope } from '../../../model/scope.js';
import type { RecallQuery } from '../../memory-store.js';
import { halfVectorBytes } from '../half-vector.js';
import { SHOWN_COLUMNS } from '../memory-row.js';
import type { ShownRow } from '../memory-row.js';
import type { RecalledRow } from '../recall-row.js';
import type { Session } from '../session.js';
import type { SqlNames } from '../sql-names.js';
import { ANY_ID } from './any-id.js';
import { wantedRows } from './wanted-rows.js';

/**
 * A present-day query that distance alone decides. Up to a distance of 1 the order by distance is the order by score, and
 * a row's place in it is its rank.
 */
export function isByVectorAlone(query: RecallQuery): boolean {
  return (
    query.mode === 'vector' &&
    query.vector !== null &&
    query.maxDistance !== null &&
    query.maxDistance <= 1 &&
    !query.asOf &&
    !query.prior
  );
}

/**
 * What `recallMemories` returns for such a query, in one pass over the scope and with as little as can be to do for each
 * row, because a thousand of them take a millisecond. OFFSET 0 keeps the planner from computing a distance twice, and from
 * any nearest-neighbour index. The order of the key is the order in which memories were added, and for the most part that
 * in which they lie in the table: by the other unique index a thousand rows are a thousand jumps, which cost a twentieth
 * of a recall in a scope of 1,000 and a quarter in one of 10,000. The switch is asked, and distances are rounded, above the
 * pass: inside it would hand every row through one more step.
 *
 * @param at moment by which an expiry counts; null is now
 */
export async function recallByVector(
  session: Session,
  { tenantId, scope }: Scope,
  query: RecallQuery,
  at: Date | null,
): Promise<RecalledRow[]> {
  const parameters: unknown[] = [
    tenantId,
    scope,
    query.vector?.space,
    query.vector && halfVectorBytes(query.vector),
    query.maxDistance,
    query.limit,
    at,
  ];
  const rows = await session.rows<ShownRow & { readonly distance: number }>(
    textFor(session.names, wantedRows(query, parameters)),
    parameters,
    { prepared: true },
  );
  // Added to the rows and not copied: this is done for every row of every recall.
  return rows.map((row, index) =>
    Object.assign(row, { score: 1 - row.distance, coverage: null, vector_rank: index + 1, keyword_rank: null }),
  );
}

/** Texts by what they differ in. To build one for each recall, and to find its prepared name by it, is a hundredth of a recall. */
const texts = new Map<string, string>();

function textFor({ schema, extension }: SqlNames, wanted: string): string {
  const key = `${schema} ${extension} ${wanted}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = `SELECT m.*, a.last_accessed_at, a.access_count
     FROM (
       SELECT r.*
       FROM (
         SELECT n.*, round(n.computed * 1e6) / 1e6 AS distance
         FROM (
           SELECT ${SHOWN_COLUMNS}, m.embedding OPERATOR(${extension}.<=>) $4::${extension}.halfvec AS computed
           FROM ${schema}.memories m
           WHERE m.tenant_id = $1 AND m.scope = $2 AND ${ANY_ID} AND m.space = $3
             AND (m.expires_at IS NULL OR m.expires_at > coalesce($7::timestamptz, statement_timestamp()))
             ${wanted}
           ORDER BY m.tenant_id, m.scope, m.id
           OFFSET 0
         ) AS n
         WHERE n.computed <= $5::float8 + 1e-6
           AND (SELECT s.enabled FROM ${schema}.memory_scopes s WHERE s.tenant_id = $1 AND s.scope = $2) IS NOT FALSE
       ) AS r
       WHERE r.distance <= $5::float8
       ORDER BY r.distance, r.created_at DESC, r.id
       LIMIT $6::bigint
     ) AS m
     LEFT JOIN ${schema}.memory_access a ON a.tenant_id = $1 AND a.scope = $2 AND a.memory_id = m.id
     ORDER BY m.distance, m.created_at DESC, m.id`;
  texts.set(key, text);
  return text;
}
