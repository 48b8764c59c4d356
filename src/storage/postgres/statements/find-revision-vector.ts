import type { Scope } from '../../../model/scope.js';
import type { SpaceVector } from '../../memory-store.js';
import type { Session } from '../session.js';
import { joinTextVector } from '../states-at.js';

/** As numbers: what the text of a halfvec says is exactly what is stored. */
export async function findRevisionVector(
  session: Session,
  { tenantId, scope }: Scope,
  memoryId: string,
  version: number,
): Promise<SpaceVector | null> {
  const { schema } = session.names;
  const [row] = await session.rows<{ embedding: string; space: string }>(
    `SELECT text.embedding::text AS embedding, text.space
     FROM ${schema}.memory_revisions r
     ${joinTextVector(schema)}
     WHERE r.tenant_id = $1 AND r.scope = $2 AND r.memory_id = $3 AND r.version = $4 AND text.embedding IS NOT NULL`,
    [tenantId, scope, memoryId, version],
  );
  return row ? { space: row.space, values: JSON.parse(row.embedding) as number[] } : null;
}
