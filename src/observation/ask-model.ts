import type { CompletionRequest } from '../completion/completion.js';
import { ProviderError } from '../errors/provider-error.js';
import type { TokenUsage } from '../errors/provider-error.js';
import type { MemoryContext } from '../memory/memory-context.js';
import { MalformedAnswerError } from './json-answer.js';

/** Counts tokens of several calls. */
export interface TokenTally {
  inputTokens: number;
  outputTokens: number;
}

/**
 * Asks the model once and reads its answer. What the call cost is added to `tally` before the answer is looked at: one
 * that cannot be used was paid for too.
 * @throws ProviderError, whatever the adapter threw; `malformed` for an answer that `read` cannot make sense of
 */
export async function askModel<T>(
  context: MemoryContext,
  request: CompletionRequest,
  tally: TokenTally,
  read: (text: string) => T,
): Promise<T> {
  const { completion } = context;
  try {
    const { text, usage } = await completion.complete(request);
    addTokens(tally, usage);
    return read(text);
  } catch (error) {
    if (error instanceof ProviderError) addTokens(tally, error.usage);
    if (!(error instanceof MalformedAnswerError)) throw error;
    throw new ProviderError(
      completion.name,
      'malformed',
      true,
      `${completion.name} answered without usable JSON. The turn is kept and tried again.`,
    );
  }
}

/** Counts are what an adapter says: what is no count is left out. */
export function addTokens(tally: TokenTally, usage: TokenUsage | undefined): void {
  tally.inputTokens += countOf(usage?.inputTokens);
  tally.outputTokens += countOf(usage?.outputTokens);
}

function countOf(tokens: unknown): number {
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}
