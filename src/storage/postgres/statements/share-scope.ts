import type { Scope } from '../../../model/scope.js';
import type { ScopeState } from '../../memory-store.js';
import type { Session } from '../session.js';
import { toScopeState } from './read-scope.js';
import type { ScopeRow } from './read-scope.js';

/**
 * The scope as an insert of a turn must see it: waits for an erasure or a switch-off (`FOR UPDATE`) that is under way,
 * and for no writer of memories.
 */
export async function shareScope(session: Session, { tenantId, scope }: Scope): Promise<ScopeState | null> {
  const [row] = await session.rows<ScopeRow>(
    `SELECT enabled, generation, revision, erased_at
     FROM ${session.names.schema}.memory_scopes
     WHERE tenant_id = $1 AND scope = $2
     FOR KEY SHARE`,
    [tenantId, scope],
  );
  return row ? toScopeState(row) : null;
}
