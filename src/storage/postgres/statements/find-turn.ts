import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import { TURN_COLUMNS } from '../turn-row.js';
import type { TurnRow } from '../turn-row.js';

export async function findTurn(session: Session, { tenantId, scope }: Scope, turnId: string): Promise<TurnRow | null> {
  const [row] = await session.rows<TurnRow>(
    `SELECT ${TURN_COLUMNS}
     FROM ${session.names.schema}.memory_turns t
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = $3`,
    [tenantId, scope, turnId],
  );
  return row ?? null;
}
