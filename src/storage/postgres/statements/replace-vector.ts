import type { Scope } from '../../../model/scope.js';
import type { SpaceVector, StoredText } from '../../memory-store.js';
import { halfVectorLiteral } from '../half-vector.js';
import type { Session } from '../session.js';

/**
 * The vector of a memory's text, and nothing else: no version, no revision, no stamp. The text is compared whole, because
 * two texts of one hash (which folds case) need not have one vector.
 */
export async function replaceMemoryVector(
  session: Session,
  { tenantId, scope }: Scope,
  text: StoredText,
  vector: SpaceVector,
): Promise<boolean> {
  const { schema, extension } = session.names;
  const { affected } = await session.run(
    `UPDATE ${schema}.memories
     SET embedding = $6::text::${extension}.halfvec, space = $7
     WHERE tenant_id = $1 AND scope = $2 AND id = $3 AND content = $4 AND space IS NOT DISTINCT FROM $5::text`,
    [tenantId, scope, text.memoryId, text.content, text.space, halfVectorLiteral(vector), vector.space],
  );
  return affected === 1;
}

/** The vector of a text that a memory had. */
export async function replaceRevisionVector(
  session: Session,
  { tenantId, scope }: Scope,
  text: StoredText,
  vector: SpaceVector,
): Promise<boolean> {
  const { schema, extension } = session.names;
  const { affected } = await session.run(
    `UPDATE ${schema}.memory_revisions
     SET embedding = $7::text::${extension}.halfvec, space = $8
     WHERE tenant_id = $1 AND scope = $2 AND memory_id = $3 AND version = $4 AND content = $5
       AND space IS NOT DISTINCT FROM $6::text`,
    [tenantId, scope, text.memoryId, text.version, text.content, text.space, halfVectorLiteral(vector), vector.space],
  );
  return affected === 1;
}
