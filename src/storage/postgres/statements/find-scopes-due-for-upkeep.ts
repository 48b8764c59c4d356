import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/**
 * EXCEPTION: a statement that has no scope, since it finds scopes. Reads keys and times only, what is most overdue first.
 */
export async function findScopesDueForUpkeep(
  session: Session,
  what: { revisionsEndedBefore: Date | null; limit: number },
): Promise<Scope[]> {
  const { schema } = session.names;
  return session.rows<Scope>(
    `SELECT DISTINCT tenant_id AS "tenantId", scope
     FROM (
       (SELECT tenant_id, scope FROM ${schema}.memories
        WHERE expires_at <= statement_timestamp() ORDER BY expires_at LIMIT $2::bigint)
       UNION ALL
       (SELECT tenant_id, scope FROM ${schema}.memory_revisions
        WHERE valid_to < $1::timestamptz ORDER BY valid_to LIMIT $2::bigint)
     ) AS due`,
    [what.revisionsEndedBefore, what.limit],
  );
}
