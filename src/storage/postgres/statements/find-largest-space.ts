import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

export interface LargestSpace {
  readonly space: string;
  /** The table that holds the scope's rows: a partition where there are. */
  readonly leaf: string;
  readonly memories: number;
}

/** @param space null: the one with the most memories */
export async function findLargestSpace(
  session: Session,
  { tenantId, scope }: Scope,
  space: string | null,
): Promise<LargestSpace | null> {
  const [row] = await session.rows<LargestSpace>(
    `SELECT m.space, c.relname::text AS leaf, count(*)::int AS memories
     FROM ${session.names.schema}.memories m JOIN pg_catalog.pg_class c ON c.oid = m.tableoid
     WHERE m.tenant_id = $1 AND m.scope = $2 AND m.space IS NOT NULL AND ($3::text IS NULL OR m.space = $3)
     GROUP BY m.space, c.relname
     ORDER BY count(*) DESC, m.space
     LIMIT 1`,
    [tenantId, scope, space],
  );
  return row ?? null;
}
