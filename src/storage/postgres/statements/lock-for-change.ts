import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Locks memories, by their ids or by the hash of their text, in the order of their ids as `lockMemories` does. */
export async function lockForChange(
  session: Session,
  { tenantId, scope }: Scope,
  ids: readonly string[],
  contentHashes: readonly string[],
): Promise<void> {
  const { schema } = session.names;
  await session.run(
    `SELECT count(*)
     FROM (SELECT FROM ${schema}.memories m
           WHERE m.tenant_id = $1 AND m.scope = $2 AND m.id = ANY($3::uuid[] || ARRAY(
             SELECT h.id FROM ${schema}.memories h
             WHERE h.tenant_id = $1 AND h.scope = $2 AND h.content_hash = ANY($4::uuid[])))
           ORDER BY m.id
           FOR UPDATE) AS locked`,
    [tenantId, scope, ids, contentHashes],
  );
}
