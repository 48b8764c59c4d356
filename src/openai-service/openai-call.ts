import { ProviderError } from '../errors/provider-error.js';
import { unlessAborted } from '../provider/unless-aborted.js';
import { errorInAnswer, openAiFault } from './openai-fault.js';
import type { OpenAiService } from './openai-options.js';

/** The request options of the client that this package sets. */
export interface OpenAiRequestOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly maxRetries?: number;
}

/** First wait where the service names none; doubled at each retry, up to `MAX_BACKOFF_MS`, halved at random. As the client does. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;

/**
 * One request with its retries, within `timeoutMs` in all. The client's own retries are off: they wait for as long as a
 * `Retry-After` says, repeat requests that an empty account refuses, and its time-out ends with the headers, so that a
 * body that stops half way would hang for ever. A wait that does not fit is left to the caller (`retryAfterMs`).
 * @throws ProviderError
 */
export async function callOpenAi<T>(
  service: OpenAiService,
  send: (options: OpenAiRequestOptions) => PromiseLike<T>,
  callerSignal?: AbortSignal,
): Promise<T> {
  const deadline = Date.now() + service.timeoutMs;
  const timeout = AbortSignal.timeout(service.timeoutMs);
  const signal = callerSignal === undefined ? timeout : AbortSignal.any([timeout, callerSignal]);
  for (let attempt = 0; ; attempt += 1) {
    if (signal.aborted) throw gaveUp(service, callerSignal);
    try {
      const left = Math.max(1, deadline - Date.now());
      const answer = await unlessAborted(send({ signal, timeout: left, maxRetries: 0 }), signal);
      const error = errorInAnswer(answer);
      if (!error) return answer;
      throw error as Error;
    } catch (thrown) {
      if (signal.aborted) throw gaveUp(service, callerSignal);
      const fault = openAiFault(service, thrown);
      const wait = fault.retryAfterMs === undefined ? backoffMs(attempt) : jittered(fault.retryAfterMs);
      const retries = fault.retryable && fault.fault !== 'malformed' && attempt < service.maxRetries;
      if (!retries || Date.now() + wait >= deadline) throw fault;
      await pause(wait, signal);
    }
  }
}

/** Not before it was asked for, and not at one moment with all who were asked the same. */
function jittered(asked: number): number {
  return asked + Math.random() * Math.min(asked, FIRST_BACKOFF_MS);
}

function backoffMs(attempt: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** attempt, MAX_BACKOFF_MS) * (1 - Math.random() / 2);
}

function gaveUp({ provider, model, timeoutMs }: OpenAiService, callerSignal: AbortSignal | undefined): ProviderError {
  const why = callerSignal?.aborted === true ? 'was given up by its caller' : `did not answer within ${timeoutMs} ms`;
  return new ProviderError(provider, 'timeout', true, `${provider} (${model}) ${why}: retry later.`);
}

/** Ends early, without an error, when the signal fires; the loop looks at it next. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
