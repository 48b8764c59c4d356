import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Locks all turns of the scope, in the order of their ids: claims and heartbeats take a turn without the scope's lock. */
export async function lockTurns(session: Session, { tenantId, scope }: Scope): Promise<void> {
  await session.run(
    `SELECT count(*)
     FROM (SELECT FROM ${session.names.schema}.memory_turns t
           WHERE t.tenant_id = $1 AND t.scope = $2
           ORDER BY t.turn_id
           FOR UPDATE) AS locked`,
    [tenantId, scope],
  );
}
