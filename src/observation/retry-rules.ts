import { ProviderError } from '../errors/provider-error.js';
import type { MemoryContext } from '../memory/memory-context.js';
import type { TakenTurn } from './turn-batch.js';

/** Longest wait between two tries, in milliseconds. */
const RETRY_DELAY_MAX = 10 * 60_000;

/** Longest `Retry-After` that is obeyed, in milliseconds: a day, after which a quota of any provider is a new one. */
const RETRY_AFTER_MAX = 24 * 60 * 60_000;

/**
 * First and longest wait, in milliseconds, where only a person can help: an account that is empty, a key that is wrong.
 * With the default of five failures a turn outlives a quarter of an hour of it, and can be retried for a week after.
 */
const OPERATOR_DELAY = 60_000;
const OPERATOR_DELAY_MAX = 60 * 60_000;

export interface FailureVerdict {
  /** Not tried again by itself. */
  readonly dead: boolean;
  /** Counts as one of the turn's failures. */
  readonly counted: boolean;
  readonly delayMs: number;
}

/** What becomes of turns that failed together. Several are never dead: which of them is at fault shows when each is tried alone. */
export function judgeFailure(context: MemoryContext, turns: readonly TakenTurn[], error: unknown): FailureVerdict {
  const { maxFailures, retryDelayMs } = context.settings.observation;
  const failures = Math.max(...turns.map((turn) => turn.failures));
  const delayMs = retryDelay(retryDelayMs, failures, error);
  if (turns.length > 1) return { dead: false, counted: false, delayMs };
  // Not the turn's: the provider was not even asked about it.
  const counted = !(error instanceof ProviderError && error.fault === 'circuit-open');
  const hopeless = error instanceof ProviderError && !error.retryable && !waitsForOperator(error);
  return { dead: hopeless || (counted && failures + 1 >= maxFailures), counted, delayMs };
}

function retryDelay(first: number, failures: number, error: unknown): number {
  const asked = error instanceof ProviderError ? Math.min(RETRY_AFTER_MAX, error.retryAfterMs || 0) : 0;
  const backoff = waitsForOperator(error)
    ? Math.min(OPERATOR_DELAY_MAX, OPERATOR_DELAY * 2 ** failures)
    : Math.min(RETRY_DELAY_MAX, first * 2 ** failures);
  // Partly random, so that turns that failed together do not come back together: not before what was asked for, and
  // over a while after it, since all of them were told the same time.
  return Math.max(asked * (1 + Math.random() / 4), backoff * (0.5 + Math.random() / 2));
}

function waitsForOperator(error: unknown): boolean {
  return error instanceof ProviderError && (error.fault === 'unauthorized' || error.fault === 'quota');
}
