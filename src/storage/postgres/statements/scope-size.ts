import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Memories of a scope by the counter in its row. */
export async function scopeSize(session: Session, { tenantId, scope }: Scope): Promise<number> {
  const [row] = await session.rows<{ docs: number }>(
    `SELECT docs FROM ${session.names.schema}.memory_scopes WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope],
    { prepared: true },
  );
  return row?.docs ?? 0;
}
