import { ProviderError } from '../errors/provider-error.js';

/** An adapter that did not settle in the time it had. */
export function timeoutError(provider: string, ms: number): ProviderError {
  return new ProviderError(provider, 'timeout', true, `${provider} did not answer within ${ms} ms: retry later.`);
}
