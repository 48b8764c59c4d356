import type { SpaceVector } from '../memory-store.js';
import { checkSpaceVector } from '../space-vector.js';

/** The vector as pgvector's `halfvec` reads it. @throws ProviderError as `checkSpaceVector` */
export function halfVectorLiteral(vector: SpaceVector): string {
  checkSpaceVector(vector);
  return `[${vector.values.join(',')}]`;
}
