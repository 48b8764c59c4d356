import { EngramError } from './engram-error.js';

/** The identity is known but owns no right to what was asked. */
export class ForbiddenError extends EngramError {
  readonly code = 'FORBIDDEN';
}
