import { ProviderError } from '../errors/provider-error.js';
import type { MemorySettings } from '../memory/memory-context.js';
import { errorClass } from '../memory/telemetry.js';
import type { TurnRecord } from '../storage/memory-store.js';

/** Longest wait between two tries, in milliseconds. */
const RETRY_DELAY_MAX = 10 * 60_000;

/** Longest `Retry-After` that is obeyed, in milliseconds: a day, after which a quota of any provider is a new one. */
const RETRY_AFTER_MAX = 24 * 60 * 60_000;

/**
 * First and longest wait, in milliseconds, where only a person can help: an account that is empty, a key that is wrong, a
 * model that is not there.
 */
const OPERATOR_DELAY = 60_000;
const OPERATOR_DELAY_MAX = 60 * 60_000;

/** Tries for which a turn waits for that person: with the waits above about a day, a call an hour. */
export const OPERATOR_TRIES = 40;

const OPERATOR_FAULTS = ['quota', 'unauthorized', 'misconfigured'] as const;

type RetryLimits = Pick<MemorySettings['observation'], 'maxFailures' | 'retryDelayMs'>;

export interface FailureVerdict {
  /** Not tried again by itself. */
  readonly dead: boolean;
  /** Failures of the turn from now on. */
  readonly failures: number;
  readonly delayMs: number;
}

/**
 * What becomes of turns that failed together. Several are never dead: which of them is at fault shows when each is tried
 * alone. Waiting for a person and failing by itself are counted apart: a turn that outlived an empty account has all of
 * its tries left.
 */
export function judgeFailure(
  { maxFailures, retryDelayMs }: RetryLimits,
  turns: readonly Pick<TurnRecord, 'failures' | 'errorCode'>[],
  error: unknown,
): FailureVerdict {
  const waits = waitsForOperator(errorClass(error));
  const before = Math.max(
    ...turns.map(({ failures, errorCode }) => (waitsForOperator(errorCode) === waits ? failures : 0)),
  );
  const delayMs = retryDelay(waits ? OPERATOR_DELAY : retryDelayMs, waits ? OPERATOR_DELAY_MAX : RETRY_DELAY_MAX, {
    before,
    error,
  });
  // Not the turn's: which one of several it is of is not known yet, or the provider was not even asked.
  const isCounted = turns.length === 1 && !(error instanceof ProviderError && error.fault === 'circuit-open');
  if (!isCounted) return { dead: false, failures: before, delayMs };
  const failures = before + 1;
  if (waits) return { dead: failures >= Math.max(OPERATOR_TRIES, maxFailures), failures, delayMs };
  const isHopeless = error instanceof ProviderError && !error.retryable;
  return { dead: isHopeless || failures >= maxFailures, failures, delayMs };
}

function retryDelay(first: number, longest: number, { before, error }: { before: number; error: unknown }): number {
  const asked = error instanceof ProviderError ? Math.min(RETRY_AFTER_MAX, error.retryAfterMs || 0) : 0;
  const backoff = Math.min(longest, first * 2 ** before);
  // Partly random, so that turns that failed together do not come back together: not before what was asked for, and
  // over a while after it, since all of them were told the same time.
  return Math.max(asked * (1 + Math.random() / 4), backoff * (0.5 + Math.random() / 2));
}

/** @param errorCode of `errorClass`, as a turn's row keeps it */
function waitsForOperator(errorCode: string | null): boolean {
  return OPERATOR_FAULTS.some((fault) => errorCode === `PROVIDER_FAILED:${fault}`);
}
