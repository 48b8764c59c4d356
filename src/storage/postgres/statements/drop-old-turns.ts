import type { Scope } from '../../../model/scope.js';
import type { OldTurns } from '../../memory-store.js';
import type { Session } from '../session.js';

/** Clears the messages of turns that died before the moment. `run_after` says that it was done: see `findScopesDueForUpkeep`. */
export async function clearDeadTurns(
  session: Session,
  { tenantId, scope }: Scope,
  { deadBefore, limit }: OldTurns & { readonly limit: number },
): Promise<number> {
  const { schema } = session.names;
  const { affected } = await session.run(
    `WITH old AS MATERIALIZED (
       SELECT turn_id
       FROM ${schema}.memory_turns
       WHERE tenant_id = $1 AND scope = $2 AND status = 'dead' AND finished_at < $3::timestamptz AND run_after < 'infinity'
       ORDER BY turn_id
       LIMIT $4::bigint
       FOR UPDATE
     )
     UPDATE ${schema}.memory_turns AS t
     SET messages = NULL, context = NULL, barred = NULL, run_after = 'infinity'
     FROM old
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = old.turn_id`,
    [tenantId, scope, deadBefore, limit],
  );
  return affected;
}

/** Drops turns that ended before the moment, dead ones too. */
export async function dropEndedTurns(
  session: Session,
  { tenantId, scope }: Scope,
  { endedBefore, limit }: OldTurns & { readonly limit: number },
): Promise<number> {
  const { schema } = session.names;
  const { affected } = await session.run(
    `WITH old AS MATERIALIZED (
       SELECT turn_id
       FROM ${schema}.memory_turns
       WHERE tenant_id = $1 AND scope = $2 AND status NOT IN ('pending', 'running', 'failed')
         AND finished_at < $3::timestamptz
       ORDER BY turn_id
       LIMIT $4::bigint
       FOR UPDATE
     )
     DELETE FROM ${schema}.memory_turns AS t
     USING old
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = old.turn_id`,
    [tenantId, scope, endedBefore, limit],
  );
  return affected;
}
