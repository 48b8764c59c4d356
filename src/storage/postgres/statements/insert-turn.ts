import type { Scope } from '../../../model/scope.js';
import type { NewTurn } from '../../memory-store.js';
import type { Session } from '../session.js';
import { TURN_COLUMNS } from '../turn-row.js';
import type { TurnRow } from '../turn-row.js';

/** Null where a turn of that id exists. A turn without a time of its own was said when it was handed in. */
export async function insertTurn(
  session: Session,
  { tenantId, scope }: Scope,
  turn: NewTurn,
  { saidAt, held }: { saidAt: Date; held: boolean },
): Promise<TurnRow | null> {
  const [row] = await session.rows<TurnRow>(
    `INSERT INTO ${session.names.schema}.memory_turns AS t
       (tenant_id, scope, turn_id, generation, messages, context, messages_hash, occurred_at, said_at, time_zone, status,
        run_after, not_before, created_at)
     SELECT $1, $2, $3, $4, $5, $10, $6, coalesce($7::timestamptz, now.at), $11::timestamptz, $8, 'pending', now.at,
            CASE WHEN $9::boolean THEN now.at END, now.at
     FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) AS now
     ON CONFLICT (tenant_id, scope, turn_id) DO NOTHING
     RETURNING ${TURN_COLUMNS}`,
    [
      tenantId,
      scope,
      turn.turnId,
      turn.generation,
      JSON.stringify(turn.messages),
      turn.messagesHash,
      turn.occurredAt,
      turn.timeZone,
      held,
      turn.context && turn.context.length > 0 ? JSON.stringify(turn.context) : null,
      saidAt,
    ],
  );
  return row ?? null;
}
