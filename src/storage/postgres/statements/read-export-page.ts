import type { Scope } from '../../../model/scope.js';
import { MEMORY_COLUMNS, joinAccess } from '../memory-row.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';

/** The generation stands on every row; the memory's columns are null on the one row of an empty page. */
export type ExportedRow = { readonly generation: string } & (
  (MemoryRow & { readonly embedding: string | null }) | { readonly id: null }
);

/**
 * Live memories in the order of their ids, which is that of the primary key, and the generation in the same snapshot:
 * what an erasure took and what came after it are never on one page.
 */
export async function readExportPage(
  session: Session,
  { tenantId, scope }: Scope,
  page: { after: string | null; limit: number; withVectors: boolean },
): Promise<ExportedRow[]> {
  const { schema } = session.names;
  return session.rows<ExportedRow>(
    `SELECT s.generation, page.*
     FROM ${schema}.memory_scopes s
     LEFT JOIN LATERAL (
       SELECT ${MEMORY_COLUMNS}, CASE WHEN $5::boolean THEN m.embedding::text END AS embedding
       FROM ${schema}.memories m
       ${joinAccess(session.names)}
       WHERE m.tenant_id = $1 AND m.scope = $2 AND ($3::uuid IS NULL OR m.id > $3)
         AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
       ORDER BY m.id
       LIMIT $4::bigint
     ) AS page ON true
     WHERE s.tenant_id = $1 AND s.scope = $2
     ORDER BY page.id`,
    [tenantId, scope, page.after, page.limit, page.withVectors],
  );
}
