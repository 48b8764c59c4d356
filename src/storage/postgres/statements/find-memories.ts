import type { Scope } from '../../../model/scope.js';
import { MEMORY_COLUMNS, joinAccess } from '../memory-row.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';

/** Those of the ids that are live now. */
export async function findMemories(
  session: Session,
  { tenantId, scope }: Scope,
  ids: readonly string[],
): Promise<MemoryRow[]> {
  return session.rows<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS}
     FROM ${session.names.schema}.memories m
     ${joinAccess(session.names)}
     WHERE m.tenant_id = $1 AND m.scope = $2 AND m.id = ANY($3::uuid[])
       AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())`,
    [tenantId, scope, ids],
  );
}
