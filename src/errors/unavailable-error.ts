import { EngramError } from './engram-error.js';

/** A dependency cannot serve now (database, provider, lock time-out). Retrying later is safe; nothing was stored. */
export class UnavailableError extends EngramError {
  readonly code = 'UNAVAILABLE';
}
