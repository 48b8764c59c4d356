import { Catch, HttpException, Logger } from '@nestjs/common';
import type { ExceptionFilter } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { EngramError } from '../errors/engram-error.js';
import type { EngramErrorCode } from '../errors/engram-error.js';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { InvalidScopeError } from '../errors/invalid-scope-error.js';

/** What clients of our fields can meet in `extensions.code`, beside Apollo's own codes for what never reaches a field. */
export type MemoryErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

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

/** Messages written for operators (a provider's name, a missing key) give way to one for the caller. */
const MASKS: Partial<Record<EngramErrorCode, string>> = {
  PROVIDER_FAILED:
    'The language service behind this memory does not answer as it should. Nothing was stored; try again later.',
};
const MASK = 'Something went wrong on our side. Nothing was stored; try again, and tell the operator if it stays.';

const logger = new Logger('MemoryGraphQL');

/** The call sites of an error, without its message: that could quote what a user wrote. */
function whereOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return [error.name, ...frames].join('\n');
}

/** What a client may know of an error. The one place where our errors become GraphQL's. */
export function toGraphQLError(error: unknown): GraphQLError {
  if (!(error instanceof EngramError)) {
    logger.error(`A memory field failed: ${whereOf(error)}`);
    return new GraphQLError(MASK, { extensions: { code: 'INTERNAL_SERVER_ERROR' satisfies MemoryErrorCode } });
  }
  const code = CODES[error.code];
  const masked = code === 'INTERNAL_SERVER_ERROR' ? MASK : MASKS[error.code];
  if (masked) logger.error(`A memory field failed with ${error.code}: ${error.message}`);
  const field = error instanceof InvalidInputError || error instanceof InvalidScopeError ? error.field : undefined;
  return new GraphQLError(masked ?? error.message, { extensions: { code, ...(field === undefined ? {} : { field }) } });
}

/** Stands on our resolvers, so that a host's own filters and error formatting keep their say everywhere else. */
@Catch()
export class MemoryErrorFilter implements ExceptionFilter {
  catch(exception: unknown): never {
    // Thrown on purpose by a guard or interceptor of the host (a throttler, for one): theirs to format.
    if (exception instanceof GraphQLError || exception instanceof HttpException) throw exception;
    throw toGraphQLError(exception);
  }
}
