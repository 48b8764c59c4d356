import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Notes with every turn that still has its messages that it may not teach these texts any more. Locks them by their ids. */
export async function barFromTurns(
  session: Session,
  { tenantId, scope }: Scope,
  contentHashes: readonly string[],
): Promise<void> {
  const { schema } = session.names;
  await session.run(
    `WITH told AS MATERIALIZED (
       SELECT turn_id
       FROM ${schema}.memory_turns
       WHERE tenant_id = $1 AND scope = $2 AND messages IS NOT NULL
       ORDER BY turn_id
       FOR UPDATE
     )
     UPDATE ${schema}.memory_turns AS t
     SET barred = t.barred || $3::uuid[]
     FROM told
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = told.turn_id`,
    [tenantId, scope, contentHashes],
  );
}
