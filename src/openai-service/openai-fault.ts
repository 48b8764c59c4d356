import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';
import type { OpenAiService } from './openai-options.js';

/** What the client's errors carry, whichever copy or version of the package threw them. */
interface ServiceError {
  readonly name?: unknown;
  readonly status?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly param?: unknown;
  readonly message?: unknown;
  readonly headers?: { get?(name: string): string | null };
  readonly cause?: unknown;
}

/** 429 and 402 that no waiting cures: OpenAI's codes for a used-up balance. */
const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);

/**
 * The fault behind a client's error. Only its status and code are read, and the error is not attached: services quote
 * the request in their messages, and a cause is printed by every logger.
 */
export function openAiFault({ provider, model }: OpenAiService, thrown: unknown): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServiceError;
  const fail = (fault: ProviderFault, retryable: boolean, what: string): ProviderError =>
    new ProviderError(provider, fault, retryable, `${provider} (${model}) ${what}`, {
      retryAfterMs: retryAfterMs(error),
    });
  const { status } = error;
  if (typeof status !== 'number') {
    if (error.name === 'SyntaxError')
      return fail('malformed', true, 'answered with no JSON: check baseURL, then retry.');
    if (error.constructor.name === 'APIConnectionTimeoutError')
      return fail('timeout', true, 'did not answer in time: retry later.');
    return fail(
      'unavailable',
      true,
      `could not be reached${codeOf(error)}: check baseURL and the network, then retry.`,
    );
  }
  const said = `answered ${status}${codeOf(error)}`;
  const isQuota = [error.code, error.type].some((code) => typeof code === 'string' && QUOTA_CODES.has(code));
  if (status === 402 || (status === 429 && isQuota))
    return fail('quota', false, `${said}: the account has no credit left, top it up.`);
  if (status === 429) return fail('rate-limited', true, `${said}: too many requests, retry later.`);
  if (status === 401 || status === 403)
    return fail('unauthorized', false, `${said}: check the API key and its rights.`);
  if (status === 404) return fail('unavailable', false, `${said}: check model and baseURL.`);
  if (status === 408) return fail('timeout', true, `${said}: it took too long, retry later.`);
  if (status === 409 || status >= 500) return fail('unavailable', true, `${said}: retry later.`);
  return fail('refused', false, `${said}: it does not take this request; check model and dimensions.`);
}

/** Whether the service turned the request down because of one of its parameters, named as in the request. */
export function refusesParameter(thrown: unknown, parameter: string): boolean {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServiceError;
  if (error.status !== 400 && error.status !== 422) return false;
  if (typeof error.param === 'string' && error.param !== '') return error.param.split(/[.[]/u)[0] === parameter;
  return typeof error.message === 'string' && error.message.includes(parameter);
}

/** Milliseconds to wait, from `retry-after-ms` or `Retry-After` (seconds or a date). */
function retryAfterMs({ headers }: ServiceError): number | undefined {
  if (typeof headers?.get !== 'function') return undefined;
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const header = headers.get('retry-after') ?? '';
  const wait = /^\s*[\d.]+\s*$/u.test(header) ? Number.parseFloat(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, Math.round(wait)) : undefined;
}

/** A machine's code (`ECONNREFUSED`, `context_length_exceeded`), of the error or of what caused it; never a sentence. */
function codeOf(error: ServiceError): string {
  let current: unknown = error;
  for (let depth = 0; depth < 4 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause } = current as ServiceError;
    if (typeof code === 'string' && /^[A-Za-z][A-Za-z0-9_]{1,63}$/u.test(code)) return ` (${code})`;
    current = cause;
  }
  return '';
}
