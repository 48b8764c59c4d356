import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import { heldTurns } from './held-turns.js';

/** Due at once, as if it had not been claimed; `attempt` still counts it. False when the claim was lost. */
export async function releaseTurn(session: Session, { tenantId, scope }: Scope, claim: string): Promise<boolean> {
  const { schema } = session.names;
  const { affected } = await session.run(
    `WITH held AS MATERIALIZED (
       ${heldTurns(schema)}
     )
     UPDATE ${schema}.memory_turns AS t
     SET status = CASE WHEN t.failures > 0 THEN 'failed' ELSE 'pending' END,
         given_back = t.given_back + 1, claim = NULL, batch_no = NULL, lease_until = NULL, run_after = clock_timestamp()
     FROM held
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = held.turn_id`,
    [tenantId, scope, claim],
  );
  return affected > 0;
}
