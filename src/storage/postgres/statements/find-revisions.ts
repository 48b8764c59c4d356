import type { Scope } from '../../../model/scope.js';
import type { RevisionRow } from '../revision-row.js';
import type { Session } from '../session.js';

/** The states that are kept, memory by memory, each from its oldest on. */
export async function findRevisions(
  session: Session,
  { tenantId, scope }: Scope,
  memoryIds: readonly string[],
): Promise<RevisionRow[]> {
  return session.rows<RevisionRow>(
    `SELECT r.memory_id, r.version, r.content, r.kind, r.importance, r.metadata, r.expires_at, r.valid_from, r.valid_to,
            r.ended_by, r.ended_by_turn, r.merged_into, r.source, r.created_at
     FROM ${session.names.schema}.memory_revisions r
     WHERE r.tenant_id = $1 AND r.scope = $2 AND r.memory_id = ANY($3::uuid[])
     ORDER BY r.memory_id, r.version`,
    [tenantId, scope, memoryIds],
  );
}
