import { ProviderError } from '../errors/provider-error.js';
import type { MemoryContext } from '../memory/memory-context.js';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import { MalformedAnswerError } from './json-answer.js';

/** Turns the ways in which a model call can end into one error class, for every caller. */
export async function askModel<T>(context: MemoryContext, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await withDeadline(context.settings.observation.modelTimeoutMs, work);
  } catch (error) {
    const { name } = context.completion;
    if (error instanceof DeadlineError) {
      throw new ProviderError(
        name,
        'timeout',
        true,
        `${name} did not answer in time. The turn is kept and tried again.`,
      );
    }
    if (error instanceof MalformedAnswerError) {
      throw new ProviderError(
        name,
        'malformed',
        true,
        `${name} answered without usable JSON. The turn is kept and tried again.`,
      );
    }
    throw error;
  }
}
