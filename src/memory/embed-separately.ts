import type { Embedder } from '../embedding/embedder.js';
import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';
import { HARMLESS_TEXT } from '../provider/guarded-embedder.js';
import { embedTexts } from './embed-texts.js';

/** Faults that no text is to blame for: trying the texts one by one would only ask a provider in trouble more often. */
const FAULTS_OF_THE_PROVIDER: ReadonlySet<ProviderFault> = new Set([
  'timeout',
  'rate-limited',
  'quota',
  'unauthorized',
  'misconfigured',
  'unavailable',
  'circuit-open',
]);

/**
 * A vector per text, in order, or null for a text that the embedder does not take; the others do not suffer for it. A
 * batch that fails is halved until the text at fault stands alone, but only if the embedder takes a harmless text.
 *
 * @throws ProviderError for a fault of the provider; whatever the embedder throws at a harmless text; the signal's reason
 */
export async function embedSeparately(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<(readonly number[] | null)[]> {
  try {
    return await embed(embedder, texts, signal);
  } catch (fault) {
    throwUnlessOfTheTexts(fault, signal);
    await embed(embedder, [HARMLESS_TEXT], signal);
    return embedHalves(embedder, texts, signal);
  }
}

async function embedHalves(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<(readonly number[] | null)[]> {
  if (texts.length === 1) return [null];
  const middle = Math.ceil(texts.length / 2);
  const vectors: (readonly number[] | null)[] = [];
  for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
    try {
      vectors.push(...(await embed(embedder, half, signal)));
    } catch (fault) {
      throwUnlessOfTheTexts(fault, signal);
      vectors.push(...(await embedHalves(embedder, half, signal)));
    }
  }
  return vectors;
}

async function embed(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<(readonly number[])[]> {
  return (await embedTexts(embedder, texts, signal)).map(({ values }) => values);
}

function throwUnlessOfTheTexts(fault: unknown, signal: AbortSignal | undefined): void {
  if (signal?.aborted || (fault instanceof ProviderError && FAULTS_OF_THE_PROVIDER.has(fault.fault))) throw fault;
}
