/**
 * Part of a statement with tenant, scope and claim as $1 to $3: the turns that the claim holds. Locked in the order of their
 * ids before any is written, as an apply and an erasure do: one that locked them as it finds them would deadlock with those.
 */
export function heldTurns(schema: string): string {
  return `SELECT turn_id
       FROM ${schema}.memory_turns
       WHERE tenant_id = $1 AND scope = $2 AND claim = $3 AND status = 'running'
       ORDER BY turn_id
       FOR UPDATE`;
}
