import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import type { ScopeTable } from './scope-tables.js';

/** Deletes whatever the scope has in one table. @returns how many rows went */
export async function deleteScopeRows(
  session: Session,
  { tenantId, scope }: Scope,
  table: ScopeTable,
): Promise<number> {
  const { affected } = await session.run(
    `DELETE FROM ${session.names.schema}.${table} WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope],
  );
  return affected;
}
