import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** All revisions of one memory. */
export async function dropRevisionsOf(session: Session, { tenantId, scope }: Scope, memoryId: string): Promise<number> {
  const { affected } = await session.run(
    `DELETE FROM ${session.names.schema}.memory_revisions WHERE tenant_id = $1 AND scope = $2 AND memory_id = $3`,
    [tenantId, scope, memoryId],
  );
  return affected;
}

/** The scope's revisions that ended first. A state that lends its vector to earlier ones ends after them, so it goes after them. */
export async function dropRevisionsBefore(
  session: Session,
  { tenantId, scope }: Scope,
  which: { endedBefore: Date; limit: number },
): Promise<number> {
  const { schema } = session.names;
  const { affected } = await session.run(
    `WITH old AS MATERIALIZED (
       SELECT memory_id, version
       FROM ${schema}.memory_revisions
       WHERE tenant_id = $1 AND scope = $2 AND valid_to < $3::timestamptz
       ORDER BY valid_to
       LIMIT $4::bigint
     )
     DELETE FROM ${schema}.memory_revisions AS r
     USING old
     WHERE r.tenant_id = $1 AND r.scope = $2 AND r.memory_id = old.memory_id AND r.version = old.version`,
    [tenantId, scope, which.endedBefore, which.limit],
  );
  return affected;
}
