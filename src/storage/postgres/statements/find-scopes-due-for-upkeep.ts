import type { Scope } from '../../../model/scope.js';
import type { OldTurns } from '../../memory-store.js';
import type { Session } from '../session.js';

/**
 * EXCEPTION: a statement that has no scope, since it finds scopes. Reads keys and times only, what is most overdue first.
 */
export async function findScopesDueForUpkeep(
  session: Session,
  what: { revisionsEndedBefore: Date | null; turns?: OldTurns; limit: number },
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
       UNION ALL
       (SELECT tenant_id, scope FROM ${schema}.memory_turns
        WHERE status NOT IN ('pending', 'running', 'failed') AND finished_at < $3::timestamptz
        ORDER BY finished_at LIMIT $2::bigint)
       UNION ALL
       (SELECT tenant_id, scope FROM ${schema}.memory_turns
        WHERE status NOT IN ('pending', 'running', 'failed') AND finished_at < $4::timestamptz
          AND status = 'dead' AND run_after < 'infinity'
        ORDER BY finished_at LIMIT $2::bigint)
     ) AS due`,
    [what.revisionsEndedBefore, what.limit, what.turns?.endedBefore ?? null, what.turns?.deadBefore ?? null],
  );
}
