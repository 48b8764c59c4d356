import type { Scope } from '../../../model/scope.js';
import type { ClaimOptions } from '../../memory-store.js';
import type { Session } from '../session.js';
import { TURN_COLUMNS } from '../turn-row.js';
import type { TurnRow } from '../turn-row.js';
import { headOfScope } from './head-of-scope.js';

/** `batch_no` 0 is the scope's head: without it, another worker has taken that one meanwhile. */
export type ClaimedRow = TurnRow & { readonly batch_no: number };

/**
 * Takes the scope's head if it is due: pending and not held back, failed with its pause over, or running on
 * a lease that ran out. A later turn never overtakes it, so a failing one holds its scope until it is dead. The turns right
 * behind come along while neither they nor it were tried before: what failed or crashed together is tried one by one.
 * Locked in the order of their ids, as everywhere. The outer conditions stand again on the rows as they are once their
 * locks are had: a claim that came first leaves nothing to take. In order; empty where nothing is due.
 */
export async function claimTurns(
  session: Session,
  { tenantId, scope }: Scope,
  claim: string,
  { leaseMs, maxTurns = 1, maxBytes }: ClaimOptions,
): Promise<ClaimedRow[]> {
  const { schema } = session.names;
  const rows = await session.rows<ClaimedRow>(
    `WITH head AS MATERIALIZED (
       ${headOfScope(schema)}
     ), queue AS MATERIALIZED (
       SELECT o.turn_id, row_number() OVER waiting - 1 AS place,
              sum(octet_length(o.messages::text) + coalesce(octet_length(o.context::text), 0)) OVER waiting AS bytes,
              bool_and(o.attempt = 0 AND head.attempt = 0) OVER waiting AS untried
       FROM head
       JOIN LATERAL (
         SELECT turn_id, seq, attempt, messages, context
         FROM ${schema}.memory_turns
         WHERE tenant_id = $1 AND scope = $2 AND status IN ('pending', 'running', 'failed') AND seq >= head.seq
         ORDER BY seq
         LIMIT $5::bigint
       ) AS o ON true
       WINDOW waiting AS (ORDER BY o.seq)
     ), batch AS MATERIALIZED (
       SELECT turn_id, place::smallint AS place
       FROM queue
       WHERE place = 0 OR untried AND ($6::bigint IS NULL OR bytes <= $6::bigint)
     ), locked AS MATERIALIZED (
       SELECT o.turn_id, batch.place
       FROM batch
       JOIN ${schema}.memory_turns o ON o.tenant_id = $1 AND o.scope = $2 AND o.turn_id = batch.turn_id
       ORDER BY o.turn_id
       FOR UPDATE OF o
     )
     UPDATE ${schema}.memory_turns AS t
     SET status = 'running', claim = $3, batch_no = locked.place, attempt = t.attempt + 1, not_before = NULL,
         lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
     FROM locked
     WHERE t.tenant_id = $1 AND t.scope = $2 AND t.turn_id = locked.turn_id
       AND (t.status = 'pending' AND (t.not_before IS NULL OR t.not_before <= clock_timestamp() OR locked.place > 0)
         OR t.status = 'failed' AND t.run_after <= clock_timestamp()
         OR t.status = 'running' AND t.lease_until <= clock_timestamp())
     RETURNING ${TURN_COLUMNS}, t.batch_no`,
    [tenantId, scope, claim, leaseMs, maxTurns, maxBytes ?? null],
  );
  return rows.sort((one, other) => Number(one.seq) - Number(other.seq));
}
