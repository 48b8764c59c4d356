import {
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel';
import type { CircuitBreakerPolicy } from 'cockatiel';
import { ProviderError } from '../errors/provider-error.js';
import { unlessAborted } from './unless-aborted.js';

/** Longest wait that a provider's `Retry-After` can ask of the circuit, in milliseconds: an hour. */
const ASKED_WAIT_MAX = 3_600_000;

/** Longest wait named to a caller who comes while the provider is being probed, in milliseconds. */
const PROBE_WAIT_MAX = 1_000;

export type CircuitStateName = 'closed' | 'open' | 'half-open';

/** How a provider stands, by the calls of this process. */
export interface CircuitReport {
  /** The embedder's space, or the completion's name. */
  readonly provider: string;
  /** `queries`: what recalls alone know, which cannot wait for a slow embedder. */
  readonly calls: 'all' | 'queries';
  /** `open`: not asked; `half-open`: being probed; `closed`: asked. */
  readonly state: CircuitStateName;
  /** From when on a call makes it be probed; null while it is asked anyway. */
  readonly retryAt: Date | null;
}

export interface CircuitLimits {
  /** Faults in a row that open it. */
  readonly failures: number;
  /** First wait before a probe, in milliseconds; doubled at each probe that fails. */
  readonly openMs: number;
  /** Longest wait before a probe, in milliseconds. */
  readonly maxOpenMs: number;
}

export interface CircuitRules {
  /** What an error says of the provider; `nothing` neither opens nor closes the circuit. */
  readonly verdict: (error: unknown) => 'fault' | 'answer' | 'nothing';
  /** Asked before the first caller goes through again. Absent: that caller's own call is the probe. */
  readonly probe?: () => Promise<unknown>;
  /** Told every change of state, with the error behind an opening. */
  readonly onChange: (state: CircuitStateName, error: unknown) => void;
}

/** A probe that ended in what is no answer: an unknown error is no sign that the provider is back. */
class ProbeFailure extends Error {}

/** How a call ended that says the provider is there: with a value, or with an error that it answered. */
type Answer<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Stops asking a provider that failed several times in a row, and asks again after a while. Callers are refused at once
 * meanwhile, so that nobody waits for what will fail.
 */
export class ProviderCircuit {
  private readonly policy: CircuitBreakerPolicy;
  private probeAt = 0;

  constructor(
    private readonly provider: string,
    private readonly calls: CircuitReport['calls'],
    private readonly limits: CircuitLimits,
    private readonly rules: CircuitRules,
  ) {
    this.policy = circuitBreaker(
      handleWhen((error) => error instanceof ProbeFailure || rules.verdict(error) === 'fault'),
      {
        breaker: new ConsecutiveBreaker(limits.failures),
        halfOpenAfter: new DelegateBackoff(({ attempt, result }) => {
          const wait = this.waitMs(attempt, 'error' in result ? result.error : undefined);
          this.probeAt = Date.now() + wait;
          return wait;
        }),
      },
    );
    this.policy.onBreak((reason) => rules.onChange('open', 'error' in reason ? reason.error : undefined));
    this.policy.onHalfOpen(() => rules.onChange('half-open', undefined));
    this.policy.onReset(() => rules.onChange('closed', undefined));
  }

  report(): CircuitReport {
    const { provider, calls, state } = this;
    return { provider, calls, state, retryAt: state === 'closed' ? null : new Date(this.probeAt) };
  }

  private get state(): CircuitStateName {
    switch (this.policy.state) {
      case CircuitState.Closed:
        return 'closed';
      case CircuitState.HalfOpen:
        return 'half-open';
      default:
        return 'open';
    }
  }

  /**
   * @param caller ends the wait for a probe, which goes on for the others
   * @throws ProviderError `circuit-open`, with `retryAfterMs`, without a call; whatever the work throws
   */
  async call<T>(work: () => Promise<T>, caller?: AbortSignal): Promise<T> {
    while (this.state !== 'closed') {
      if (this.state === 'half-open' || Date.now() < this.probeAt) throw this.refusal();
      if (!this.rules.probe) break;
      const probe = this.probe(this.rules.probe);
      await (caller ? unlessAborted(probe, caller) : probe);
    }
    const answer = await this.execute(() => this.answerTo(work));
    if ('error' in answer) throw answer.error;
    return answer.value;
  }

  private async execute<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.policy.execute(work);
    } catch (error) {
      // Its clock may stand a millisecond before ours.
      throw isBrokenCircuitError(error) ? this.refusal() : error;
    }
  }

  private async probe(ask: () => Promise<unknown>): Promise<void> {
    try {
      await this.execute(async () => {
        try {
          await this.answerTo(ask);
        } catch (error) {
          throw this.rules.verdict(error) === 'fault' ? error : new ProbeFailure();
        }
      });
    } catch {
      // The change of state told of its error; the caller has to know when to come back.
      throw this.refusal();
    }
  }

  private async answerTo<T>(work: () => Promise<T>): Promise<Answer<T>> {
    try {
      return { value: await work() };
    } catch (error) {
      if (this.rules.verdict(error) === 'answer') return { error };
      throw error;
    }
  }

  private waitMs(attempt: number, error: unknown): number {
    const { openMs, maxOpenMs } = this.limits;
    const asked = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(Math.min(maxOpenMs, openMs * 2 ** (attempt - 1)), Math.min(ASKED_WAIT_MAX, asked));
  }

  private refusal(): ProviderError {
    const left = this.probeAt - Date.now();
    const retryAfterMs = left > 0 ? left : Math.min(PROBE_WAIT_MAX, this.limits.openMs);
    return new ProviderError(
      this.provider,
      'circuit-open',
      true,
      `${this.provider} has failed several times in a row and is not asked until it has answered a probe: retry in ${Math.ceil(retryAfterMs / 1_000)} s.`,
      { retryAfterMs },
    );
  }
}
