import type { Scope } from '../../../model/scope.js';
import { MEMORY_COLUMNS, joinAccess } from '../memory-row.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';

/**
 * Memories that neither changed nor were accessed since a moment, locked in the order of their ids as in `findExpired`.
 * The importance is compared in the precision of its column, or 0.7 would be less than 0.7.
 *
 * @param at moment by which an expiry counts
 */
export async function findStale(
  session: Session,
  { tenantId, scope }: Scope,
  at: Date,
  which: { idleSince: Date; importanceBelow: number | null; ids?: readonly string[]; limit: number },
): Promise<MemoryRow[]> {
  return session.rows<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS}
     FROM ${session.names.schema}.memories m
     ${joinAccess(session.names)}
     WHERE m.tenant_id = $1 AND m.scope = $2 AND (m.expires_at IS NULL OR m.expires_at > $3::timestamptz)
       AND greatest(m.valid_from, a.last_accessed_at) < $4::timestamptz
       AND ($5::real IS NULL OR m.importance < $5::real)
       AND ($6::uuid[] IS NULL OR m.id = ANY($6))
     ORDER BY m.id
     LIMIT $7::bigint
     FOR UPDATE OF m`,
    [tenantId, scope, at, which.idleSince, which.importanceBelow, which.ids ?? null, which.limit],
  );
}
