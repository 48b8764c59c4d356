import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Due at once, as if it had not been claimed; `attempt` still counts it. False when the claim was lost. */
export async function releaseTurn(session: Session, { tenantId, scope }: Scope, claim: string): Promise<boolean> {
  const { affected } = await session.run(
    `UPDATE ${session.names.schema}.memory_turns
     SET status = CASE WHEN failures > 0 THEN 'failed' ELSE 'pending' END,
         given_back = given_back + 1, claim = NULL, batch_no = NULL, lease_until = NULL, run_after = clock_timestamp()
     WHERE tenant_id = $1 AND scope = $2 AND claim = $3 AND status = 'running'`,
    [tenantId, scope, claim],
  );
  return affected > 0;
}
