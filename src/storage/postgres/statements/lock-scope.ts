import type { Scope } from '../../../model/scope.js';
import type { ScopeState } from '../../memory-store.js';
import type { Session } from '../session.js';
import { toScopeState } from './read-scope.js';
import type { ScopeRow } from './read-scope.js';

export interface LockedScope {
  readonly state: ScopeState;
  /** The one time of the transaction. */
  readonly stamp: Date;
}

/**
 * Takes the lock of every writer of memories. Not `FOR UPDATE`: turn inserts hold `FOR KEY SHARE` through their foreign
 * key and need not wait. The stamp is not `now()`, which is when the transaction began: a later commit of an older
 * transaction would end a revision before it started.
 */
export async function lockScope(session: Session, { tenantId, scope }: Scope): Promise<LockedScope | null> {
  const [row] = await session.rows<ScopeRow & { stamp: Date }>(
    `SELECT enabled, generation, revision, erased_at,
            greatest(date_trunc('milliseconds', clock_timestamp()), clock + interval '1 millisecond') AS stamp
     FROM ${session.names.schema}.memory_scopes
     WHERE tenant_id = $1 AND scope = $2
     FOR NO KEY UPDATE`,
    [tenantId, scope],
  );
  return row ? { state: toScopeState(row), stamp: row.stamp } : null;
}
