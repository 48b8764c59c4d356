import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/**
 * Locks all memories of the scope, in the order of their ids: touches lock theirs in that order too, without the scope's
 * lock, and a delete in the order of the disk would deadlock with them.
 */
export async function lockMemories(session: Session, { tenantId, scope }: Scope): Promise<void> {
  await session.run(
    `SELECT count(*)
     FROM (SELECT FROM ${session.names.schema}.memories m
           WHERE m.tenant_id = $1 AND m.scope = $2
           ORDER BY m.id
           FOR UPDATE) AS locked`,
    [tenantId, scope],
  );
}
