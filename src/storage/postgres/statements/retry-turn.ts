import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import { TURN_COLUMNS } from '../turn-row.js';
import type { TurnRow } from '../turn-row.js';

/**
 * Makes a dead or failed turn that has its messages due at once. `attempt` never goes back; what it counted so far is no
 * longer held against the turn. Null where there is no such turn.
 */
export async function retryTurn(session: Session, { tenantId, scope }: Scope, turnId: string): Promise<TurnRow | null> {
  const [row] = await session.rows<TurnRow>(
    `UPDATE ${session.names.schema}.memory_turns AS t
     SET status = 'pending', failures = 0, given_back = attempt, error_code = NULL, finished_at = NULL,
         not_before = NULL, run_after = clock_timestamp()
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = $3
       AND t.status IN ('dead', 'failed') AND t.messages IS NOT NULL
     RETURNING ${TURN_COLUMNS}`,
    [tenantId, scope, turnId],
  );
  return row ?? null;
}
