import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Until when the scope's earliest open turn waits by itself; null where it does not. */
export async function findPause(session: Session, { tenantId, scope }: Scope): Promise<Date | null> {
  const { schema } = session.names;
  const [row] = await session.rows<{ until: Date | null }>(
    `SELECT CASE status WHEN 'failed' THEN run_after WHEN 'pending' THEN not_before END AS until
     FROM ${schema}.memory_turns
     WHERE tenant_id = $1 AND scope = $2 AND status IN ('pending', 'running', 'failed')
     ORDER BY (status = 'running') DESC, seq
     LIMIT 1`,
    [tenantId, scope],
  );
  return row?.until ?? null;
}
