import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** By the database's clock: those of two machines differ. False when the claim was lost. */
export async function renewLease(
  session: Session,
  { tenantId, scope }: Scope,
  claim: string,
  leaseMs: number,
): Promise<boolean> {
  const { affected } = await session.run(
    `UPDATE ${session.names.schema}.memory_turns
     SET lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
     WHERE tenant_id = $1 AND scope = $2 AND claim = $3 AND status = 'running'`,
    [tenantId, scope, claim, leaseMs],
  );
  return affected > 0;
}
