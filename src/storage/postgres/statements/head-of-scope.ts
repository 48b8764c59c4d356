/**
 * Part of a statement with tenant and scope as $1 and $2: the turn of the scope that comes next. That is its runner, live or
 * crashed, since there can be no second one; else its earliest open turn. The others of a runner's batch stand in line by
 * their `seq`: when the head of a crashed batch was swept, it still comes before them.
 */
export function headOfScope(schema: string): string {
  return `SELECT turn_id, seq, attempt, status, run_after, not_before
       FROM (
         (SELECT 0 AS line, turn_id, seq, attempt, status, run_after, not_before
          FROM ${schema}.memory_turns
          WHERE tenant_id = $1 AND scope = $2 AND status = 'running' AND batch_no = 0)
         UNION ALL
         (SELECT 1 AS line, turn_id, seq, attempt, status, run_after, not_before
          FROM ${schema}.memory_turns
          WHERE tenant_id = $1 AND scope = $2 AND status IN ('pending', 'running', 'failed')
          ORDER BY seq
          LIMIT 1)
       ) AS next
       ORDER BY line
       LIMIT 1`;
}
