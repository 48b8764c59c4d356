/** One vector as the service gives it. Compatible services deviate, so nothing is believed. */
export interface EmbeddingItem {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/** From here a number rounds to infinity in float16 (65,504 and half a step), in which vectors are stored. */
const FLOAT16_OVERFLOW = 65_520;
/** Up to here a number rounds to zero in float16: half of the least subnormal, 2^-24. */
const FLOAT16_UNDERFLOW = 2 ** -25;

/** What breaks the contract, in words, and whether another try may mend it. */
export class VectorFault extends Error {
  constructor(
    message: string,
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

/**
 * The vectors in the order of the texts, checked as the database will see them.
 * @throws VectorFault
 */
export function vectorsInOrder(data: unknown, count: number, dimensions: number): number[][] {
  if (!Array.isArray(data)) throw new VectorFault('answered without a list of vectors', true);
  const items = data as readonly EmbeddingItem[];
  if (items.length !== count) throw new VectorFault(`answered ${items.length} vectors for ${count} texts`, true);
  const vectors: number[][] = [];
  items.forEach((item, place) => {
    // Services that leave `index` out answer in order.
    const index = item?.index ?? place;
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count || vectors[index as number]) {
      throw new VectorFault('numbered its vectors wrongly', true);
    }
    vectors[index as number] = checkedVector(item?.embedding, dimensions);
  });
  return vectors;
}

function checkedVector(embedding: unknown, dimensions: number): number[] {
  if (typeof embedding === 'string') throw new VectorFault('answered base64 where floats were asked for', false);
  if (!Array.isArray(embedding)) throw new VectorFault('answered no vector for a text', true);
  const values = embedding as readonly unknown[];
  if (values.length !== dimensions) {
    throw new VectorFault(`answered ${values.length} dimensions where ${dimensions} are expected`, false);
  }
  let isZero = true;
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) >= FLOAT16_OVERFLOW) {
      throw new VectorFault('answered a vector with something that is no finite number', true);
    }
    if (Math.abs(value) > FLOAT16_UNDERFLOW) isZero = false;
  }
  if (isZero) throw new VectorFault('answered a vector of length zero', true);
  return values as number[];
}
