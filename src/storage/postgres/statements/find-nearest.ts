import type { Scope } from '../../../model/scope.js';
import type { RecallQuery, SpaceVector } from '../../memory-store.js';
import { halfVectorBytes } from '../half-vector.js';
import type { Session } from '../session.js';

/**
 * Ids of the memories nearest to the query's vector that pass its filters, by the scope's own index: the cast to a fixed
 * length and the three equal signs are what its definition has. Fewer than `count` where the index gave no more.
 *
 * @param at moment by which an expiry counts; null is now
 */
export async function findNearest(
  session: Session,
  { tenantId, scope }: Scope,
  vector: SpaceVector,
  query: RecallQuery,
  at: Date | null,
  count: number,
): Promise<string[]> {
  const { schema, extension } = session.names;
  const fixed = `${extension}.halfvec(${vector.values.length})`;
  const rows = await session.rows<{ id: string }>(
    `SELECT m.id
     FROM ${schema}.memories m
     WHERE m.tenant_id = $1 AND m.scope = $2 AND m.space = $3
       AND (m.expires_at IS NULL OR m.expires_at > coalesce($7::timestamptz, statement_timestamp()))
       AND ($5::text[] IS NULL OR m.kind = ANY($5)) AND ($6::jsonb IS NULL OR m.metadata @> $6)
     ORDER BY (m.embedding::${fixed}) OPERATOR(${extension}.<=>) $4::${extension}.halfvec
     LIMIT $8::bigint`,
    [
      tenantId,
      scope,
      vector.space,
      halfVectorBytes(vector),
      query.kinds && query.kinds.length > 0 ? query.kinds : null,
      query.metadata && Object.keys(query.metadata).length > 0 ? JSON.stringify(query.metadata) : null,
      at,
      count,
    ],
  );
  return rows.map(({ id }) => id);
}
