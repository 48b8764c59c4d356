import type { Scope } from '../../../model/scope.js';
import type { TurnFailure } from '../../memory-store.js';
import type { Session } from '../session.js';

/** Messages stay, so that a failed or dead turn can be tried again. False when the claim was lost. */
export async function failTurn(
  session: Session,
  { tenantId, scope }: Scope,
  claim: string,
  { errorCode, delayMs, dead, failures }: TurnFailure,
): Promise<boolean> {
  const { affected } = await session.run(
    `UPDATE ${session.names.schema}.memory_turns
     SET status = CASE WHEN $4::boolean THEN 'dead' ELSE 'failed' END,
         claim = NULL, batch_no = NULL, lease_until = NULL,
         given_back = given_back + 1, failures = $7, error_code = $5,
         run_after = clock_timestamp() + $6::float8 * interval '1 millisecond',
         finished_at = CASE WHEN $4::boolean THEN clock_timestamp() END
     WHERE tenant_id = $1 AND scope = $2 AND claim = $3 AND status = 'running'`,
    [tenantId, scope, claim, dead, errorCode, delayMs, failures],
  );
  return affected > 0;
}
