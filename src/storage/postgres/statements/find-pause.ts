import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import { headOfScope } from './head-of-scope.js';

/** Until when the scope's next turn waits by itself; null where it does not. */
export async function findPause(session: Session, { tenantId, scope }: Scope): Promise<Date | null> {
  const [row] = await session.rows<{ until: Date | null }>(
    `SELECT CASE head.status WHEN 'failed' THEN head.run_after WHEN 'pending' THEN head.not_before END AS until
     FROM (
       ${headOfScope(session.names.schema)}
     ) AS head`,
    [tenantId, scope],
  );
  return row?.until ?? null;
}
