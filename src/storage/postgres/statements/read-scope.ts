import type { Scope } from '../../../model/scope.js';
import type { ScopeState } from '../../memory-store.js';
import type { Session } from '../session.js';

export interface ScopeRow {
  readonly enabled: boolean;
  readonly generation: string;
  readonly revision: string;
  readonly erased_at: Date | null;
}

export function toScopeState(row: ScopeRow): ScopeState {
  return {
    enabled: row.enabled,
    generation: row.generation,
    revision: Number(row.revision),
    erasedAt: row.erased_at,
  };
}

export async function readScope(session: Session, { tenantId, scope }: Scope): Promise<ScopeState | null> {
  const [row] = await session.rows<ScopeRow>(
    `SELECT enabled, generation, revision, erased_at
     FROM ${session.names.schema}.memory_scopes
     WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope],
  );
  return row ? toScopeState(row) : null;
}
