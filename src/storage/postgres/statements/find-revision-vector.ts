import type { Scope } from '../../../model/scope.js';
import type { SpaceVector } from '../../memory-store.js';
import type { Session } from '../session.js';
import { joinTextVector } from '../states-at.js';

/** As numbers: what the text of a halfvec says is exactly what is stored. A present state counts where it has expired. */
export async function findRevisionVector(
  session: Session,
  { tenantId, scope }: Scope,
  memoryId: string,
  version: number,
): Promise<SpaceVector | null> {
  const { schema } = session.names;
  const [row] = await session.rows<{ embedding: string; space: string }>(
    `SELECT text.embedding::text AS embedding, text.space
     FROM (
       SELECT memory_id, version, content
       FROM ${schema}.memory_revisions
       WHERE tenant_id = $1 AND scope = $2 AND memory_id = $3 AND version = $4
       UNION ALL
       SELECT id, version, content
       FROM ${schema}.memories
       WHERE tenant_id = $1 AND scope = $2 AND id = $3 AND version = $4 AND expires_at <= statement_timestamp()
     ) AS r
     ${joinTextVector(schema)}
     WHERE text.embedding IS NOT NULL`,
    [tenantId, scope, memoryId, version],
  );
  return row ? { space: row.space, values: JSON.parse(row.embedding) as number[] } : null;
}
