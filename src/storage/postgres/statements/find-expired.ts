import type { Scope } from '../../../model/scope.js';
import { MEMORY_COLUMNS, joinAccess } from '../memory-row.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';

/**
 * Locked in the order of their ids, because they are about to go and a touch locks rows in that order too.
 *
 * @param at moment by which an expiry counts
 */
export async function findExpired(
  session: Session,
  { tenantId, scope }: Scope,
  at: Date,
  which: { ids?: readonly string[]; limit: number },
): Promise<MemoryRow[]> {
  return session.rows<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS}
     FROM ${session.names.schema}.memories m
     ${joinAccess(session.names)}
     WHERE m.tenant_id = $1 AND m.scope = $2 AND m.expires_at <= $3::timestamptz
       AND ($4::uuid[] IS NULL OR m.id = ANY($4))
     ORDER BY m.id
     LIMIT $5::bigint
     FOR UPDATE OF m`,
    [tenantId, scope, at, which.ids ?? null, which.limit],
  );
}
