import type { TurnKey } from '../../memory-store.js';
import type { Session } from '../session.js';

/**
 * EXCEPTION: a statement that has no scope. Each scope's earliest open turn, if it is due, goes to one caller:
 * rows that another sweep has locked are skipped, and `run_after` moves in the same statement. A failed turn whose pause
 * is over, and one whose worker died, become pending again, which is claimable although `run_after` lies ahead.
 */
export async function sweepTurns(session: Session, limit: number, holdMs: number): Promise<TurnKey[]> {
  const { schema } = session.names;
  return session.rows<TurnKey>(
    `WITH due AS MATERIALIZED (
       SELECT t.tenant_id, t.scope, t.turn_id
       FROM ${schema}.memory_turns t
       WHERE t.status IN ('pending', 'running', 'failed')
         AND coalesce(t.lease_until, t.run_after) <= clock_timestamp()
         AND NOT EXISTS (
           SELECT FROM ${schema}.memory_turns e
           WHERE e.tenant_id = t.tenant_id AND e.scope = t.scope AND e.seq < t.seq
             AND e.status IN ('pending', 'running', 'failed'))
       ORDER BY coalesce(t.lease_until, t.run_after)
       LIMIT $1::bigint
       FOR UPDATE SKIP LOCKED
     )
     UPDATE ${schema}.memory_turns AS t
     SET status = 'pending', claim = NULL, batch_no = NULL, lease_until = NULL,
         run_after = clock_timestamp() + $2::float8 * interval '1 millisecond'
     FROM due
     WHERE t.tenant_id = due.tenant_id AND t.scope = due.scope AND t.turn_id = due.turn_id
     RETURNING t.tenant_id AS "tenantId", t.scope, t.turn_id AS "turnId"`,
    [limit, holdMs],
  );
}
