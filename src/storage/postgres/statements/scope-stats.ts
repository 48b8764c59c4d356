import { MEMORY_KINDS } from '../../../model/kind.js';
import type { MemoryKind } from '../../../model/kind.js';
import type { ScopeStats } from '../../../model/scope-stats.js';
import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

interface StatsRow {
  readonly by_kind: Partial<Record<MemoryKind, number>>;
  readonly stale: string;
  readonly pending: string;
  readonly dead: string;
}

/** Counted, not read from the scope's counters, which are hints. */
export async function scopeStats(
  session: Session,
  { tenantId, scope }: Scope,
  space: string | null,
): Promise<ScopeStats> {
  const { schema } = session.names;
  const [row] = await session.rows<StatsRow>(
    `WITH live AS MATERIALIZED (
       SELECT kind, $3::text IS NOT NULL AND space IS DISTINCT FROM $3 AS stale
       FROM ${schema}.memories
       WHERE tenant_id = $1 AND scope = $2 AND (expires_at IS NULL OR expires_at > statement_timestamp())
     )
     SELECT (SELECT coalesce(jsonb_object_agg(kind, n), '{}') FROM (SELECT kind, count(*) AS n FROM live GROUP BY kind) AS k)
              AS by_kind,
            (SELECT count(*) FROM live WHERE stale) AS stale,
            count(*) FILTER (WHERE status IN ('pending', 'running', 'failed')) AS pending,
            count(*) FILTER (WHERE status = 'dead') AS dead
     FROM ${schema}.memory_turns
     WHERE tenant_id = $1 AND scope = $2`,
    [tenantId, scope, space],
  );
  const byKind = Object.fromEntries(MEMORY_KINDS.map((kind) => [kind, row?.by_kind[kind] ?? 0])) as Record<
    MemoryKind,
    number
  >;
  return {
    total: Object.values(byKind).reduce((sum, count) => sum + count, 0),
    byKind,
    staleEmbeddings: Number(row?.stale ?? 0),
    pendingTurns: Number(row?.pending ?? 0),
    deadTurns: Number(row?.dead ?? 0),
  };
}
