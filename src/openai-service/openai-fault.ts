import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';
import type { OpenAiService } from './openai-options.js';
import { TooLongError } from './too-long-error.js';

/** What the client's errors carry, whichever copy or version of the package threw them. */
interface ServiceError {
  /** The client names its errors by their class only. */
  readonly constructor?: { readonly name?: unknown };
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

/** Codes of a model that the service does not have, whatever the status: nothing that the text could be blamed for. */
const MODEL_CODES = new Set(['model_not_found', 'invalid_model', 'model_not_supported', 'unknown_model']);

/** What may be answered otherwise in a moment, beside 5xx: a gateway's words for a connection or a service behind it. */
const PASSING_STATUSES = new Set([409, 421, 423, 424, 425, 499]);

/**
 * What is said of the request itself. All others below 500 speak of where it went: a redirect that leads nowhere, a path
 * or a method that is not there, a host that serves something else.
 */
const REQUEST_STATUSES = new Set([400, 413, 422]);

/** Longest wait taken from a header, in milliseconds: a day. What is longer says "not today" all the same. */
const RETRY_AFTER_MAX = 24 * 60 * 60_000;

/** How services say that a text, or all texts together, are more than the model takes; by code, else in words. */
const TOO_LONG_CODES = new Set(['context_length_exceeded', 'string_above_max_length', 'max_tokens_exceeded']);
const TOO_LONG_WORDS =
  /\b(tokens?|context (length|size|window)|too (long|large|many)|max(imum)? (input |sequence )?length)\b/i;

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
    if (error.constructor?.name === 'APIConnectionTimeoutError')
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
  if (status === 408) return fail('timeout', true, `${said}: it took too long, retry later.`);
  if (PASSING_STATUSES.has(status) || status >= 500) return fail('unavailable', true, `${said}: retry later.`);
  if (!REQUEST_STATUSES.has(status) || saysNoModel(error))
    return fail('misconfigured', false, `${said}: check model and baseURL.`);
  if (saysTooLong(error)) {
    return new TooLongError(provider, 'refused', false, `${provider} (${model}) ${said}: the text is too long for it.`);
  }
  return fail('refused', false, `${said}: it does not take this request; check model and dimensions.`);
}

function saysNoModel({ code, param }: ServiceError): boolean {
  return param === 'model' || (typeof code === 'string' && MODEL_CODES.has(code));
}

function saysTooLong({ status, code, message }: ServiceError): boolean {
  if (status === 413 || (typeof code === 'string' && TOO_LONG_CODES.has(code))) return true;
  return typeof message === 'string' && TOO_LONG_WORDS.test(message);
}

/**
 * What some gateways answer with status 200: an error in the body, and nothing of what was asked for.
 * @returns what stands for the client's error, or null for an answer
 */
export function errorInAnswer(response: unknown): object | null {
  if (typeof response !== 'object' || response === null) return null;
  const { error, choices, data } = response as { error?: unknown; choices?: unknown; data?: unknown };
  if (typeof error !== 'object' || error === null || Array.isArray(choices) || Array.isArray(data)) return null;
  const { code, status } = error as ServiceError;
  const number = [status, code].find((value) => typeof value === 'number' && value >= 400 && value <= 599);
  return { ...error, status: number ?? 502 };
}

/**
 * Whether the service turned the request down because of one of its parameters, named as in the request.
 * @param words what else names it in a message
 */
export function refusesParameter(thrown: unknown, parameter: string, words: readonly string[] = []): boolean {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServiceError;
  if (error.status !== 400 && error.status !== 422) return false;
  if (typeof error.param === 'string' && error.param !== '') return error.param.split(/[.[]/u)[0] === parameter;
  const { message } = error;
  return typeof message === 'string' && [parameter, ...words].some((name) => message.includes(name));
}

/**
 * Milliseconds to wait, from `retry-after-ms` or `Retry-After` (seconds or a date), at most a day. A date that has passed
 * says nothing, the two clocks differ; nor does what is neither of the two.
 */
function retryAfterMs({ headers }: ServiceError): number | undefined {
  if (typeof headers?.get !== 'function') return undefined;
  const wait = numberIn(headers.get('retry-after-ms'), 1) ?? numberIn(headers.get('retry-after'), 1_000);
  if (wait !== undefined) return Math.min(wait, RETRY_AFTER_MAX);
  const header = headers.get('retry-after') ?? '';
  // A name stands in every date of HTTP, while `Date.parse` takes "-5" for a day in May.
  const left = /[a-z]/i.test(header) ? Date.parse(header) - Date.now() : Number.NaN;
  return left > 0 ? Math.min(Math.round(left), RETRY_AFTER_MAX) : undefined;
}

function numberIn(header: string | null, unitMs: number): number | undefined {
  return header !== null && /^\s*\d+(\.\d+)?\s*$/.test(header)
    ? Math.round(Number.parseFloat(header) * unitMs)
    : undefined;
}

/**
 * A machine's code (`ECONNREFUSED`, `context_length_exceeded`), of the error or of what caused it. Never a sentence, and no
 * single word either, which could be one of what was sent.
 */
function codeOf(error: ServiceError): string {
  let current: unknown = error;
  for (let depth = 0; depth < 4 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause } = current as ServiceError;
    if (typeof code === 'string' && /^(E[A-Z]{3,30}|[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+){1,9})$/.test(code))
      return ` (${code})`;
    current = cause;
  }
  return '';
}
