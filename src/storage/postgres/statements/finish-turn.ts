import type { AppliedDecision } from '../../../model/decision.js';
import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Ends the turn and clears its messages. False when the fence was lost. */
export async function finishTurn(
  session: Session,
  { tenantId, scope }: Scope,
  claim: string,
  turnId: string,
  result: { status: string; decisions: readonly AppliedDecision[] },
  stamp: Date,
): Promise<boolean> {
  const { affected } = await session.run(
    `UPDATE ${session.names.schema}.memory_turns
     SET status = $5, decisions = $6, messages = NULL, context = NULL, barred = NULL, error_code = NULL,
         claim = NULL, batch_no = NULL, lease_until = NULL, finished_at = $7
     WHERE tenant_id = $1 AND scope = $2 AND claim = $3 AND turn_id = $4 AND status = 'running'`,
    [tenantId, scope, claim, turnId, result.status, JSON.stringify(result.decisions), stamp],
  );
  return affected === 1;
}
