import { EngramError } from './engram-error.js';

/**
 * A class of provider fault: `refused` is the model declining, `malformed` output or vectors that break the contract,
 * `misconfigured` an address, a model or a length of vectors that is not what the app was told, whatever is asked,
 * `circuit-open` a call that was not made because those before it failed, `unknown` what an adapter threw that tells
 * nothing of itself.
 */
export type ProviderFault =
  | 'timeout'
  | 'rate-limited'
  | 'quota'
  | 'unauthorized'
  | 'misconfigured'
  | 'refused'
  | 'malformed'
  | 'unavailable'
  | 'circuit-open'
  | 'unknown';

/** Tokens that a provider counted for a call. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** An embedding or completion provider failed. `retryable` says whether the same call may succeed later. */
export class ProviderError extends EngramError {
  readonly code = 'PROVIDER_FAILED';

  constructor(
    readonly provider: string,
    readonly fault: ProviderFault,
    readonly retryable: boolean,
    message: string,
    options?: ErrorOptions & { retryAfterMs?: number; usage?: TokenUsage },
  ) {
    super(message, options);
    this.retryAfterMs = options?.retryAfterMs;
    this.usage = options?.usage;
  }

  /** Milliseconds to wait before the next call: what the provider asked for (`Retry-After`), or when it is asked again. */
  readonly retryAfterMs: number | undefined;

  /** What the answer cost that could not be used (cut off, declined). */
  readonly usage: TokenUsage | undefined;
}
