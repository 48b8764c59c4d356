import { className } from '../errors/class-name.js';
import { EngramError } from '../errors/engram-error.js';
import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';

/** What errors of HTTP clients and of Node carry. */
interface Thrown {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly cause?: unknown;
}

/** Codes of Node (`ECONNREFUSED`) and of its fetch (`UND_ERR_SOCKET`) for what lies between us and a service. */
const SYSTEM_CODE = /^(E(?!RR_)[A-Z]+[A-Z0-9_]*|UND_ERR_[A-Z_]+)$/;

const SAID: Readonly<Partial<Record<ProviderFault, string>>> = {
  timeout: 'did not answer in time: retry later',
  'rate-limited': 'had too many requests: retry later',
  quota: 'has no credit left: top up the account',
  unauthorized: 'refused the key: check it and its rights',
  misconfigured: 'does not serve what it was asked for: check its address and its model',
  unavailable: 'could not be reached, or failed: retry later',
};

/** What cures itself with time. */
const RETRYABLE: ReadonlySet<ProviderFault> = new Set(['timeout', 'rate-limited', 'unavailable', 'unknown']);

/**
 * What an adapter threw as one of our errors. A host's adapter may let the error of its HTTP client through, or throw
 * what is no error at all; of those only names, codes and status are read, since their messages quote what was sent.
 */
export function thrownFault(provider: string, thrown: unknown): EngramError {
  if (thrown instanceof EngramError) return thrown;
  const fault = faultOf(thrown);
  const said =
    SAID[fault] ??
    `failed with ${nameOf(thrown)}: catch it in the adapter and throw a ProviderError, so that its class is known`;
  return new ProviderError(provider, fault, RETRYABLE.has(fault), `${provider} ${said}.`);
}

function faultOf(thrown: unknown): ProviderFault {
  let current = thrown;
  // Clients wrap the error of the socket once or twice.
  for (let depth = 0; depth < 4 && typeof current === 'object' && current !== null; depth += 1) {
    const { name, code, status, statusCode, cause } = current as Thrown;
    const fault = faultOfStatus(status) ?? faultOfStatus(statusCode) ?? faultOfCode(code);
    if (fault) return fault;
    if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
    current = cause;
  }
  return 'unknown';
}

/** The class of an error, or the type of what is none. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `what is no error (${thrown === null ? 'null' : typeof thrown})`;
  return `${className(thrown)} of its own`;
}

function faultOfStatus(status: unknown): ProviderFault | null {
  if (typeof status !== 'number') return null;
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402) return 'quota';
  if (status === 404 || status === 405 || status === 410) return 'misconfigured';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429) return 'rate-limited';
  return status >= 500 && status <= 599 ? 'unavailable' : null;
}

function faultOfCode(code: unknown): ProviderFault | null {
  if (typeof code !== 'string' || !SYSTEM_CODE.test(code)) return null;
  return /TIMEDOUT|TIMEOUT/.test(code) ? 'timeout' : 'unavailable';
}
