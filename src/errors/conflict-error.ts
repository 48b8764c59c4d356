import { EngramError } from './engram-error.js';

/** The state moved under the call (another version, another text under the same turn id, an erasure): read again, then retry. */
export class ConflictError extends EngramError {
  readonly code = 'CONFLICT';
}
