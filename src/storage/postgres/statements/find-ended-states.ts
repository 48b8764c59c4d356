import type { Scope } from '../../../model/scope.js';
import type { RevisionRow } from '../revision-row.js';
import type { Session } from '../session.js';

/**
 * Memory by memory, each from its oldest state on. One that has expired is told as `keepRevision` will keep it, and the
 * states are left out that will go then: what is read does not depend on when upkeep comes by.
 *
 * @param keepVersions latest revisions of a memory that are kept; null keeps all
 */
export async function findEndedStates(
  session: Session,
  { tenantId, scope }: Scope,
  memoryIds: readonly string[],
  keepVersions: number | null,
): Promise<RevisionRow[]> {
  const { schema } = session.names;
  return session.rows<RevisionRow>(
    `SELECT s.memory_id, s.version, s.content, s.kind, s.importance, s.metadata, s.expires_at, s.valid_from, s.valid_to,
            s.ended_by, s.ended_by_turn, s.merged_into, s.source, s.created_at
     FROM (
       SELECT e.*, bool_or(e.expired) OVER (PARTITION BY e.memory_id) AS is_gone,
              row_number() OVER (PARTITION BY e.memory_id ORDER BY e.version DESC) AS place
       FROM (
         SELECT r.memory_id, r.version, r.content, r.kind, r.importance, r.metadata, r.expires_at, r.valid_from, r.valid_to,
                r.ended_by, r.ended_by_turn, r.merged_into, r.source, r.created_at, false AS expired
         FROM ${schema}.memory_revisions r
         WHERE r.tenant_id = $1 AND r.scope = $2 AND r.memory_id = ANY($3::uuid[])
         UNION ALL
         SELECT m.id, m.version, m.content, m.kind, m.importance, m.metadata, m.expires_at, m.valid_from,
                greatest(m.expires_at, m.valid_from + interval '1 millisecond'), 'expire', NULL, NULL, m.source, m.created_at, true
         FROM ${schema}.memories m
         WHERE m.tenant_id = $1 AND m.scope = $2 AND m.id = ANY($3::uuid[]) AND m.expires_at <= statement_timestamp()
       ) AS e
     ) AS s
     WHERE NOT s.is_gone OR $4::int IS NULL OR s.place <= $4
     ORDER BY s.memory_id, s.version`,
    [tenantId, scope, memoryIds, keepVersions],
  );
}
