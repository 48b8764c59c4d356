import { EngramError } from './engram-error.js';

/** Tenant or scope is missing, empty, too long or not a string. Thrown before any query, because an undefined condition reads as "everything" in many stores. */
export class InvalidScopeError extends EngramError {
  readonly code = 'INVALID_SCOPE';

  constructor(
    readonly field: 'tenantId' | 'scope',
    message: string,
  ) {
    super(message);
  }
}
