import { EngramError } from './engram-error.js';
import type { EngramErrorCode } from './engram-error.js';
import { InvalidInputError } from './invalid-input-error.js';
import { InvalidScopeError } from './invalid-scope-error.js';

/** What clients can meet as the code of an error, over GraphQL and over HTTP. */
export type MemoryErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

/** What a client may know of an error. */
export interface ClientError {
  readonly code: MemoryErrorCode;
  /** Of an HTTP answer. */
  readonly status: number;
  readonly message: string;
  /** The argument at fault, where there is one. */
  readonly field?: string;
  /** For the operator's log, where the client is told less: no message that could quote what a user wrote. */
  readonly fault?: string;
}

const CODES: Readonly<Record<EngramErrorCode, MemoryErrorCode>> = {
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  FORBIDDEN: 'FORBIDDEN',
  INVALID_INPUT: 'BAD_USER_INPUT',
  INVALID_SCOPE: 'BAD_USER_INPUT',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'CONFLICT',
  UNAVAILABLE: 'UNAVAILABLE',
  PROVIDER_FAILED: 'UNAVAILABLE',
  // Faults of the app, not of the caller: nothing that the caller can act on.
  INVALID_OPTIONS: 'INTERNAL_SERVER_ERROR',
  STORAGE_FAILED: 'INTERNAL_SERVER_ERROR',
};

const STATUSES: Readonly<Record<MemoryErrorCode, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  BAD_USER_INPUT: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 500,
};

/** Messages written for operators (a provider's name, a missing key) give way to one for the caller. */
const MASKS: Partial<Record<EngramErrorCode, string>> = {
  PROVIDER_FAILED:
    'The language service behind this memory does not answer as it should. Nothing was stored; try again later.',
};
const MASK = 'Something went wrong on our side. Nothing was stored; try again, and tell the operator if it stays.';

/** The call sites of an error, without its message: lines of that could look like call sites too. */
function whereOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { name, message, stack = '' } = error;
  const start = stack.indexOf(message);
  const frames = start === -1 ? [] : stack.slice(start + message.length).split('\n');
  return [name, ...frames.filter((line) => line.startsWith('    at '))].join('\n');
}

/** The one place where errors become what clients of any transport are told. */
export function toClientError(error: unknown): ClientError {
  if (!(error instanceof EngramError)) {
    const code = 'INTERNAL_SERVER_ERROR';
    return { code, status: STATUSES[code], message: MASK, fault: `A memory call failed: ${whereOf(error)}` };
  }
  const code = CODES[error.code];
  const mask = code === 'INTERNAL_SERVER_ERROR' ? MASK : MASKS[error.code];
  const field = error instanceof InvalidInputError || error instanceof InvalidScopeError ? error.field : undefined;
  return {
    code,
    status: STATUSES[code],
    message: mask ?? error.message,
    ...(field !== undefined && { field }),
    ...(mask !== undefined && { fault: `A memory call failed with ${error.code}: ${error.message}` }),
  };
}
