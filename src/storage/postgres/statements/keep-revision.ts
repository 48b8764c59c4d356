import type { Scope } from '../../../model/scope.js';
import type { RevisionCause } from '../../memory-store.js';
import type { Session } from '../session.js';

/**
 * Copies the present state as a revision that ended at the stamp. The vector is kept only where the text is about to
 * change or go: otherwise the live row has it. A state that began at the same stamp was never visible and leaves none.
 */
export async function keepRevision(
  session: Session,
  { tenantId, scope }: Scope,
  target: { id: string; version: number },
  stamp: Date,
  cause: RevisionCause,
  keepVector: boolean,
): Promise<void> {
  await session.run(
    `INSERT INTO ${session.names.schema}.memory_revisions
       (tenant_id, scope, memory_id, version, content, kind, importance, metadata, expires_at, embedding, space,
        valid_from, valid_to, ended_by, ended_by_turn, merged_into)
     SELECT m.tenant_id, m.scope, m.id, m.version, m.content, m.kind, m.importance, m.metadata, m.expires_at,
            CASE WHEN $6::boolean THEN m.embedding END, CASE WHEN $6::boolean THEN m.space END,
            m.valid_from, $5, $7, $8, $9
     FROM ${session.names.schema}.memories m
     WHERE m.tenant_id = $1 AND m.scope = $2 AND m.id = $3 AND m.version = $4 AND m.valid_from < $5::timestamptz`,
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
    ],
  );
}
