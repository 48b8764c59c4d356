import type { Scope } from '../../../model/scope.js';
import { MEMORY_COLUMNS, joinAccess } from '../memory-row.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';
import { statesAt } from '../states-at.js';

/**
 * @param at moment by which an expiry counts; null is now
 * @param past reads the state that held at `at`, not the present one
 */
export async function findMemory(
  session: Session,
  { tenantId, scope }: Scope,
  id: string,
  at: Date | null,
  past = false,
): Promise<MemoryRow | null> {
  const [row] = await session.rows<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS}
     FROM ${past ? statesAt(session.names, '$4') : `${session.names.schema}.memories`} m
     ${joinAccess(session.names)}
     WHERE m.tenant_id = $1 AND m.scope = $2 AND m.id = $3
       AND (m.expires_at IS NULL OR m.expires_at > coalesce($4::timestamptz, statement_timestamp()))`,
    [tenantId, scope, id, at],
  );
  return row ?? null;
}
