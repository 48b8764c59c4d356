import type { Scope } from '../../../model/scope.js';
import type { TurnFailure } from '../../memory-store.js';
import type { Session } from '../session.js';
import { heldTurns } from './held-turns.js';

/** Messages stay, so that a failed or dead turn can be tried again. False when the claim was lost. */
export async function failTurn(
  session: Session,
  { tenantId, scope }: Scope,
  claim: string,
  { errorCode, delayMs, dead, failures }: TurnFailure,
): Promise<boolean> {
  const { schema } = session.names;
  const { affected } = await session.run(
    `WITH held AS MATERIALIZED (
       ${heldTurns(schema)}
     )
     UPDATE ${schema}.memory_turns AS t
     SET status = CASE WHEN $4::boolean THEN 'dead' ELSE 'failed' END,
         claim = NULL, batch_no = NULL, lease_until = NULL,
         given_back = t.given_back + 1, failures = $7, error_code = $5,
         run_after = clock_timestamp() + $6::float8 * interval '1 millisecond',
         finished_at = CASE WHEN $4::boolean THEN clock_timestamp() END
     FROM held
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = held.turn_id`,
    [tenantId, scope, claim, dead, errorCode, delayMs, failures],
  );
  return affected > 0;
}
