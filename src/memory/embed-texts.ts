import type { Embedder } from '../embedding/embedder.js';
import { ProviderError } from '../errors/provider-error.js';
import type { SpaceVector } from '../storage/memory-store.js';
import { checkSpaceVector } from '../storage/space-vector.js';

/**
 * A vector per text, in order. What an embedder gives back is a stranger's data until it is checked: with a vector more or
 * less nobody can say which belongs to which text, and one that is no vector must not reach a statement.
 * @throws ProviderError `malformed`; what the guarded embedder throws; the signal's reason
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<SpaceVector[]> {
  if (texts.length === 0) return [];
  const { space } = embedder;
  const given: unknown = await embedder.embedDocuments(texts, signal ? { signal } : {});
  if (!Array.isArray(given) || given.length !== texts.length) {
    throw malformed(space, `${Array.isArray(given) ? given.length : 'no'} vectors for ${texts.length} texts`);
  }
  // `Array.from`: a hole in the list is a vector that is missing.
  return Array.from(given as unknown[], (values) => checkedVector(space, values));
}

/** The vector of one text. @throws as `embedTexts` */
export async function embedText(embedder: Embedder, text: string): Promise<SpaceVector> {
  const [vector] = await embedTexts(embedder, [text]);
  return vector ?? checkedVector(embedder.space, undefined);
}

/** @throws ProviderError `malformed` unless it is a vector of the space */
export function checkedVector(space: string, values: unknown): SpaceVector {
  const numbers = values instanceof Float32Array || values instanceof Float64Array ? [...values] : values;
  if (!Array.isArray(numbers)) throw malformed(space, 'something that is no list of numbers as a vector');
  const vector: SpaceVector = { space, values: numbers as number[] };
  checkSpaceVector(vector);
  return vector;
}

function malformed(space: string, what: string): ProviderError {
  return new ProviderError(space, 'malformed', false, `${space} gave ${what}. Check the embedder; nothing was stored.`);
}
