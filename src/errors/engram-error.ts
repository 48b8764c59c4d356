/** Stable codes of every error that this package throws on purpose. A host may switch on them; messages may change. */
export type EngramErrorCode =
  | 'INVALID_OPTIONS'
  | 'INVALID_SCOPE'
  | 'INVALID_INPUT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'UNAVAILABLE'
  | 'PROVIDER_FAILED'
  | 'STORAGE_FAILED';

/**
 * Base of all errors. The message names the thing, the reason and the next step, and never quotes memory text, a query
 * or a message: what is needed to act on it stands in readonly fields of the subclasses.
 */
export abstract class EngramError extends Error {
  abstract readonly code: EngramErrorCode;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
