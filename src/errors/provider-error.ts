import { EngramError } from './engram-error.js';

/** A class of provider fault: `refused` is the model declining, `malformed` output or vectors that break the contract. */
export type ProviderFault =
  'timeout' | 'rate-limited' | 'quota' | 'unauthorized' | 'refused' | 'malformed' | 'unavailable';

/** An embedding or completion provider failed. `retryable` says whether the same call may succeed later. */
export class ProviderError extends EngramError {
  readonly code = 'PROVIDER_FAILED';

  constructor(
    readonly provider: string,
    readonly fault: ProviderFault,
    readonly retryable: boolean,
    message: string,
    options?: ErrorOptions & { retryAfterMs?: number },
  ) {
    super(message, options);
    this.retryAfterMs = options?.retryAfterMs;
  }

  /** Milliseconds that the provider asked to wait, from `Retry-After`. */
  readonly retryAfterMs: number | undefined;
}
