import type { Scope } from '../../../model/scope.js';
import type { RevisionCause } from '../../memory-store.js';
import type { Session } from '../session.js';

/**
 * Copies the present state as a revision that ended at the stamp, or, where that came first, at its expiry. The vector
 * is kept only where the text is about to change or go: otherwise a later state has it. A state that began at the same
 * stamp was never visible and leaves none, but hands its vector to the one before if that counted on it.
 *
 * @param keepVersions latest revisions of the memory to keep, this one among them; null keeps all
 */
export async function keepRevision(
  session: Session,
  { tenantId, scope }: Scope,
  target: { id: string; version: number },
  stamp: Date,
  cause: RevisionCause,
  keepVector: boolean,
  keepVersions: number | null,
): Promise<void> {
  const { schema } = session.names;
  await session.run(
    `WITH ended AS MATERIALIZED (
       SELECT m.*
       FROM ${schema}.memories m
       WHERE m.tenant_id = $1 AND m.scope = $2 AND m.id = $3 AND m.version = $4
     ), kept AS (
       INSERT INTO ${schema}.memory_revisions
         (tenant_id, scope, memory_id, version, content, kind, importance, metadata, expires_at, search, embedding, space,
          source, created_at, valid_from, valid_to, ended_by, ended_by_turn, merged_into)
       SELECT $1, $2, e.id, e.version, e.content, e.kind, e.importance, e.metadata, e.expires_at, e.search,
              CASE WHEN $6::boolean THEN e.embedding END, CASE WHEN $6::boolean THEN e.space END,
              e.source, e.created_at, e.valid_from,
              CASE WHEN $7 = 'expire' AND e.expires_at < $5::timestamptz
                THEN greatest(e.expires_at, e.valid_from + interval '1 millisecond') ELSE $5 END,
              $7, $8, $9
       FROM ended e
       WHERE e.valid_from < $5::timestamptz AND $10::int IS DISTINCT FROM 0
       RETURNING version
     ), handed AS (
       UPDATE ${schema}.memory_revisions AS r
       SET embedding = e.embedding, space = e.space
       FROM ended e
       WHERE $6::boolean AND e.valid_from = $5::timestamptz
         AND r.tenant_id = $1 AND r.scope = $2 AND r.memory_id = e.id AND r.valid_to = $5::timestamptz
         AND r.content = e.content AND r.embedding IS NULL
     )
     DELETE FROM ${schema}.memory_revisions AS r
     WHERE r.tenant_id = $1 AND r.scope = $2 AND r.memory_id = $3 AND r.version <= (
       SELECT o.version
       FROM ${schema}.memory_revisions o
       WHERE o.tenant_id = $1 AND o.scope = $2 AND o.memory_id = $3
         AND $10::int IS NOT NULL AND ($10::int = 0 OR EXISTS (SELECT FROM kept))
       ORDER BY o.version DESC
       OFFSET greatest($10::int - 1, 0)
       LIMIT 1)`,
    [
      tenantId,
      scope,
      target.id,
      target.version,
      stamp,
      keepVector,
      cause.endedBy,
      cause.turnId ?? null,
      cause.mergedInto ?? null,
      keepVersions,
    ],
  );
}
