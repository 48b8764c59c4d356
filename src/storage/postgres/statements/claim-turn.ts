import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import { TURN_COLUMNS } from '../turn-row.js';
import type { TurnRow } from '../turn-row.js';

/**
 * Takes the scope's earliest open turn if it is due: pending, failed with its pause over, or running on a lease that ran
 * out. A later turn never overtakes it, so a failing one holds its scope until it is dead. The outer conditions stand
 * again on the row as it is once its lock is had: a claim that came first leaves nothing to take.
 */
export async function claimTurn(
  session: Session,
  { tenantId, scope }: Scope,
  claim: string,
  leaseMs: number,
): Promise<TurnRow | null> {
  const { schema } = session.names;
  const [row] = await session.rows<TurnRow>(
    `WITH head AS MATERIALIZED (
       SELECT turn_id
       FROM ${schema}.memory_turns
       WHERE tenant_id = $1 AND scope = $2 AND status IN ('pending', 'running', 'failed')
       ORDER BY (status = 'running') DESC, seq
       LIMIT 1
     )
     UPDATE ${schema}.memory_turns AS t
     SET status = 'running', claim = $3, batch_no = 0, attempt = t.attempt + 1,
         lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
     FROM head
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = head.turn_id
       AND (t.status = 'pending'
         OR t.status = 'failed' AND t.run_after <= clock_timestamp()
         OR t.status = 'running' AND t.lease_until <= clock_timestamp())
     RETURNING ${TURN_COLUMNS}`,
    [tenantId, scope, claim, leaseMs],
  );
  return row ?? null;
}
