import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** What began under the generation before must stop; what was said before `stamp` is not learned. `enabled` stays. */
export async function beginGeneration(
  session: Session,
  { tenantId, scope }: Scope,
  { generation, stamp }: { generation: string; stamp: Date },
): Promise<void> {
  await session.run(
    `UPDATE ${session.names.schema}.memory_scopes
     SET generation = $3, erased_at = $4, clock = $4, revision = revision + 1, docs = 0, terms = 0
     WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope, generation, stamp],
  );
}
