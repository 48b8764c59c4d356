import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import { heldTurns } from './held-turns.js';

/** By the database's clock: those of two machines differ. False when the claim was lost. */
export async function renewLease(
  session: Session,
  { tenantId, scope }: Scope,
  claim: string,
  leaseMs: number,
): Promise<boolean> {
  const { schema } = session.names;
  const { affected } = await session.run(
    `WITH held AS MATERIALIZED (
       ${heldTurns(schema)}
     )
     UPDATE ${schema}.memory_turns AS t
     SET lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
     FROM held
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = held.turn_id`,
    [tenantId, scope, claim, leaseMs],
  );
  return affected > 0;
}
