import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/** Settings as they were, by name. */
export type SettingsBefore = Readonly<Record<string, string>>;

/**
 * For the rest of the transaction: how thoroughly a nearest-neighbour index is searched, that it goes on until the filters
 * have let enough rows through, and that nothing is sorted where an index has the order. The planner would sort: it has no
 * statistics on a scope, and takes the scope for a row or two.
 *
 * @param thoroughness pgvector's `hnsw.ef_search`, 1-1000
 * @returns the settings before, and the scope's size by its counter
 */
export async function enterIndexScan(
  session: Session,
  { tenantId, scope }: Scope,
  thoroughness: number,
): Promise<{ before: SettingsBefore; size: number }> {
  const { schema, extension } = session.names;
  const [row] = await session.rows<{ before: SettingsBefore; size: number | null }>(
    `WITH loaded AS MATERIALIZED (
       -- pgvector knows its settings once it is loaded, which its first use does.
       SELECT ${extension}.l2_norm('[1]'::${extension}.halfvec) AS one
     ), before AS MATERIALIZED (
       SELECT jsonb_object_agg(s.name, current_setting(s.name)) AS settings
       FROM loaded CROSS JOIN unnest($3::text[]) AS s (name)
       WHERE one > 0
     ), changed AS MATERIALIZED (
       SELECT set_config(s.name, s.value, true) FROM before CROSS JOIN unnest($3::text[], $4::text[]) AS s (name, value)
       WHERE settings IS NOT NULL
     )
     SELECT (SELECT settings FROM before) AS before, (SELECT count(*) FROM changed) AS changed,
            (SELECT s.docs FROM ${schema}.memory_scopes s WHERE s.tenant_id = $1 AND s.scope = $2) AS size`,
    [
      tenantId,
      scope,
      ['hnsw.ef_search', 'hnsw.iterative_scan', 'enable_sort'],
      [String(thoroughness), 'relaxed_order', 'off'],
    ],
  );
  return { before: row?.before ?? {}, size: row?.size ?? 0 };
}
