import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import type { LockedScope } from './lock-scope.js';
import { toScopeState } from './read-scope.js';
import type { ScopeRow } from './read-scope.js';

export interface ScopeAlone extends LockedScope {
  /** Isolation level of the transaction, as Postgres spells it. */
  readonly isolation: string;
}

/**
 * `FOR UPDATE`: the only lock that also waits for turns that other transactions are inserting, because those hold
 * `FOR KEY SHARE` on this row through their foreign key. With a weaker one such a turn outlives its owner's erasure.
 */
export async function lockScopeAlone(session: Session, { tenantId, scope }: Scope): Promise<ScopeAlone | null> {
  const [row] = await session.rows<ScopeRow & { stamp: Date; isolation: string }>(
    `SELECT enabled, generation, revision, erased_at,
            greatest(date_trunc('milliseconds', clock_timestamp()), clock + interval '1 millisecond') AS stamp,
            current_setting('transaction_isolation') AS isolation
     FROM ${session.names.schema}.memory_scopes
     WHERE tenant_id = $1 AND scope = $2
     FOR UPDATE`,
    [tenantId, scope],
  );
  return row ? { state: toScopeState(row), stamp: row.stamp, isolation: row.isolation } : null;
}
