import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Takes the lock of the writers of memories where none of them has it. False where one has. */
export async function tryLockScope(session: Session, { tenantId, scope }: Scope): Promise<boolean> {
  const locked = await session.rows(
    `SELECT
     FROM ${session.names.schema}.memory_scopes
     WHERE tenant_id = $1 AND scope = $2
     FOR NO KEY UPDATE SKIP LOCKED`,
    [tenantId, scope],
  );
  return locked.length > 0;
}
