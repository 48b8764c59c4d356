import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** EXCEPTION: a statement that has no scope, since it finds scopes. By the counters in their rows, the largest first. */
export async function findLargeScopes(
  session: Session,
  { from, limit }: { from: number; limit: number },
): Promise<Scope[]> {
  return session.rows<Scope>(
    `SELECT tenant_id AS "tenantId", scope FROM ${session.names.schema}.memory_scopes
     WHERE docs >= $1::int
     ORDER BY docs DESC, tenant_id, scope
     LIMIT $2::bigint`,
    [from, limit],
  );
}
