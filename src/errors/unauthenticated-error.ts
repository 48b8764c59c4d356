import { EngramError } from './engram-error.js';

/** The request carries no identity, or one that does not verify. */
export class UnauthenticatedError extends EngramError {
  readonly code = 'UNAUTHENTICATED';
}
