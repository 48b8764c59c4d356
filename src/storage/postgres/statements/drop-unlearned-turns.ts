import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/**
 * Clears the text of every turn that is not applied, and ends the open ones as `disabled`. A dead turn stays dead, and
 * cannot be tried again without its text. @returns how many turns lost theirs
 */
export async function dropUnlearnedTurns(session: Session, { tenantId, scope }: Scope, stamp: Date): Promise<number> {
  const { affected } = await session.run(
    `UPDATE ${session.names.schema}.memory_turns
     SET status = CASE WHEN status = 'dead' THEN status ELSE 'disabled' END, messages = NULL, context = NULL, barred = NULL,
         claim = NULL, batch_no = NULL, lease_until = NULL, finished_at = coalesce(finished_at, $3)
     WHERE tenant_id = $1 AND scope = $2 AND messages IS NOT NULL`,
    [tenantId, scope, stamp],
  );
  return affected;
}
