import type { Scope } from '../../../model/scope.js';
import type { HoldBack } from '../../memory-store.js';
import type { Session } from '../session.js';

/**
 * Moves the moment of every turn of the scope that is held back: on, by the idle time, or to now where enough of them
 * wait. `run_after` goes along, so that the sweeper finds them when they are due.
 */
export async function holdTurnsBack(
  session: Session,
  { tenantId, scope }: Scope,
  { idleMs, everyTurns }: HoldBack,
): Promise<void> {
  const { schema } = session.names;
  await session.run(
    `WITH held AS MATERIALIZED (
       SELECT turn_id
       FROM ${schema}.memory_turns
       WHERE tenant_id = $1 AND scope = $2 AND status = 'pending' AND not_before IS NOT NULL
       ORDER BY turn_id
       FOR UPDATE
     ), moment AS (
       SELECT CASE WHEN count(*) >= $3::bigint THEN clock_timestamp()
              ELSE clock_timestamp() + $4::float8 * interval '1 millisecond' END AS due
       FROM held
     )
     UPDATE ${schema}.memory_turns AS t
     SET not_before = moment.due, run_after = moment.due
     FROM held, moment
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = held.turn_id`,
    [tenantId, scope, everyTurns, idleMs],
  );
}
