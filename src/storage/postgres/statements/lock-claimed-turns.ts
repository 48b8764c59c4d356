import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import { TURN_COLUMNS } from '../turn-row.js';
import type { TurnRow } from '../turn-row.js';

/** `FOR UPDATE`, because after a plain SELECT another worker may claim the turns anew before this one writes. */
export async function lockClaimedTurns(
  session: Session,
  { tenantId, scope }: Scope,
  claim: string,
): Promise<TurnRow[]> {
  return session.rows<TurnRow>(
    `SELECT ${TURN_COLUMNS}
     FROM ${session.names.schema}.memory_turns t
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.claim = $3 AND t.status = 'running'
     ORDER BY t.turn_id
     FOR UPDATE`,
    [tenantId, scope, claim],
  );
}
