import type { Scope } from '../../../model/scope.js';
import type { ScopeState } from '../../memory-store.js';
import type { Session } from '../session.js';
import { toScopeState } from './read-scope.js';
import type { ScopeRow } from './read-scope.js';

export interface SharedScope {
  readonly state: ScopeState;
  /** Not before the scope's last stamp, which is ahead where the server's clock was set back. */
  readonly now: Date;
}

/**
 * The scope as an insert of a turn must see it: waits for an erasure or a switch-off (`FOR UPDATE`) that is under way,
 * and for no writer of memories.
 */
export async function shareScope(session: Session, { tenantId, scope }: Scope): Promise<SharedScope | null> {
  const [row] = await session.rows<ScopeRow & { now: Date }>(
    `SELECT enabled, generation, revision, erased_at,
            greatest(date_trunc('milliseconds', clock_timestamp()), clock) AS now
     FROM ${session.names.schema}.memory_scopes
     WHERE tenant_id = $1 AND scope = $2
     FOR KEY SHARE`,
    [tenantId, scope],
  );
  return row ? { state: toScopeState(row), now: row.now } : null;
}
