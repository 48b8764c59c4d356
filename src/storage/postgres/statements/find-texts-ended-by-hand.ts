import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Texts that a call and no turn has ended, by a change or for good, after the moment. */
export async function findTextsEndedByHand(
  session: Session,
  { tenantId, scope }: Scope,
  after: Date,
): Promise<{ content: string }[]> {
  return session.rows<{ content: string }>(
    `SELECT DISTINCT r.content
     FROM ${session.names.schema}.memory_revisions r
     WHERE r.tenant_id = $1 AND r.scope = $2 AND r.valid_to > $3::timestamptz
       AND r.ended_by IN ('update', 'forget') AND r.ended_by_turn IS NULL`,
    [tenantId, scope, after],
  );
}
