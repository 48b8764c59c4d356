import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Counts as a change, because recall sees nothing or something from here on. */
export async function switchScope(
  session: Session,
  { tenantId, scope }: Scope,
  { enabled, stamp }: { enabled: boolean; stamp: Date },
): Promise<void> {
  await session.run(
    `UPDATE ${session.names.schema}.memory_scopes
     SET enabled = $3, clock = $4, revision = revision + 1
     WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope, enabled, stamp],
  );
}
