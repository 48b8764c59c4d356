import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/**
 * Counts accesses. The memories are locked in the order of their ids before anything is written: two batches that lock
 * in different orders deadlock.
 */
export async function touchMemories(
  session: Session,
  { tenantId, scope }: Scope,
  ids: readonly string[],
): Promise<void> {
  const { schema } = session.names;
  await session.run(
    `WITH present AS MATERIALIZED (
       SELECT m.id FROM ${schema}.memories m
       WHERE m.tenant_id = $1 AND m.scope = $2 AND m.id = ANY($3::uuid[])
       ORDER BY m.id
       FOR KEY SHARE
     ), counted AS MATERIALIZED (
       SELECT p.id, count(*) AS accesses FROM present p JOIN unnest($3::uuid[]) AS t (id) USING (id) GROUP BY p.id
     )
     INSERT INTO ${schema}.memory_access AS a (tenant_id, scope, memory_id, last_accessed_at, access_count)
     SELECT $1, $2, id, date_trunc('milliseconds', clock_timestamp()), accesses FROM counted ORDER BY id
     ON CONFLICT (tenant_id, scope, memory_id) DO UPDATE
     SET last_accessed_at = greatest(a.last_accessed_at, excluded.last_accessed_at),
         access_count = a.access_count + excluded.access_count`,
    [tenantId, scope, ids],
  );
}
