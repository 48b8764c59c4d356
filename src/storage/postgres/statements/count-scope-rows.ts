import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import type { ScopeTable } from './scope-tables.js';

/** How many rows the scope has in one table, expired and ended ones too. */
export async function countScopeRows(session: Session, { tenantId, scope }: Scope, table: ScopeTable): Promise<number> {
  const [row] = await session.rows<{ count: string }>(
    `SELECT count(*) AS count FROM ${session.names.schema}.${table} WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope],
  );
  return Number(row?.count);
}
