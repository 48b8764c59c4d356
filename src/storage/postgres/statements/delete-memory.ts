import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Words that went with the row, or null where `version` is no longer the current one. */
export async function deleteMemory(
  session: Session,
  { tenantId, scope }: Scope,
  target: { id: string; version: number },
): Promise<number | null> {
  const [row] = await session.rows<{ terms: number }>(
    `DELETE FROM ${session.names.schema}.memories
     WHERE tenant_id = $1 AND scope = $2 AND id = $3 AND version = $4
     RETURNING terms`,
    [tenantId, scope, target.id, target.version],
  );
  return row ? row.terms : null;
}
