import type { Scope } from '../../../model/scope.js';
import type { MemoryPageQuery } from '../../memory-store.js';
import { MEMORY_COLUMNS, joinAccess } from '../memory-row.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';
import { statesAt } from '../states-at.js';

/** The total stands on every row; the memory's columns are null on the one row of an empty page. */
export type ListedRow = { readonly total: string } & (MemoryRow | { readonly id: null });

/**
 * One row more than the limit where there is a next page. A search of nothing but stop words restricts nothing. OFFSET 0
 * makes the planner look each row of the page up by its whole key, as in `recallMemories`.
 */
export async function listMemories(
  session: Session,
  { tenantId, scope }: Scope,
  query: MemoryPageQuery,
): Promise<ListedRow[]> {
  const { schema } = session.names;
  const states = query.asOf ? statesAt(session.names, '$9') : `${schema}.memories`;
  return session.rows<ListedRow>(
    `WITH words AS MATERIALIZED (
       SELECT plainto_tsquery($5::regconfig, $4::text) AS query
     ), matching AS MATERIALIZED (
       SELECT m.created_at, m.id
       FROM ${states} m CROSS JOIN words
       WHERE m.tenant_id = $1 AND m.scope = $2
         AND (m.expires_at IS NULL OR m.expires_at > coalesce($9::timestamptz, statement_timestamp()))
         AND ($3::text[] IS NULL OR m.kind = ANY($3))
         AND (numnode(words.query) = 0 OR m.search @@ words.query)
     ), page AS MATERIALIZED (
       SELECT id FROM matching
       WHERE $6::timestamptz IS NULL OR (created_at, id) < ($6, $7::uuid)
       ORDER BY created_at DESC, id DESC
       LIMIT $8::bigint + 1
     )
     SELECT total.count AS total, listed.*
     FROM (SELECT count(*) FROM matching) AS total
     LEFT JOIN (
       SELECT ${MEMORY_COLUMNS}
       FROM page
       CROSS JOIN LATERAL (
         SELECT * FROM ${states} r WHERE r.tenant_id = $1 AND r.scope = $2 AND r.id = page.id OFFSET 0
       ) AS m
       ${joinAccess(session.names)}
     ) AS listed ON true
     ORDER BY listed.created_at DESC, listed.id DESC`,
    [
      tenantId,
      scope,
      query.kinds && query.kinds.length > 0 ? query.kinds : null,
      query.searchText ?? '',
      session.language,
      query.after?.createdAt ?? null,
      query.after?.id ?? null,
      query.limit,
      query.asOf ?? null,
    ],
  );
}
