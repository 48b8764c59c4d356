import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

export interface ScopeAdvance {
  readonly stamp: Date;
  /** What recall can see has changed. */
  readonly changed: boolean;
  /** Memories more or fewer. */
  readonly docs: number;
  /** Words of memories more or fewer. */
  readonly terms: number;
}

/** Keeps the stamp as the scope's clock, counts the change, and moves the counters. */
export async function advanceScope(session: Session, { tenantId, scope }: Scope, advance: ScopeAdvance): Promise<void> {
  await session.run(
    `UPDATE ${session.names.schema}.memory_scopes
     SET clock = $3, revision = revision + $4::int, docs = greatest(0, docs + $5::int), terms = greatest(0, terms + $6::bigint)
     WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope, advance.stamp, advance.changed ? 1 : 0, advance.docs, advance.terms],
  );
}
