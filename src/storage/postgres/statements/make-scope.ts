import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Makes the scope's row where there is none. Two at once are no conflict: the second finds the first's. */
export async function makeScope(session: Session, { tenantId, scope }: Scope): Promise<void> {
  await session.run(
    `INSERT INTO ${session.names.schema}.memory_scopes (tenant_id, scope, generation)
     VALUES ($1, $2, gen_random_uuid())
     ON CONFLICT (tenant_id, scope) DO NOTHING`,
    [tenantId, scope],
  );
}
