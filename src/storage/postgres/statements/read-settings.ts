import type { ScopeSettings } from '../../../model/scope-settings.js';
import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** One look-up by the key. A scope without a row has nothing set. */
export async function readSettings(session: Session, { tenantId, scope }: Scope): Promise<ScopeSettings> {
  const [row] = await session.rows<ScopeSettings>(
    `SELECT enabled FROM ${session.names.schema}.memory_scopes WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope],
  );
  return { enabled: row?.enabled ?? true };
}
