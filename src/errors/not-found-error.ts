import { EngramError } from './engram-error.js';

/** No live memory, turn or revision of that id in this scope. A foreign id reads the same as an unknown one. */
export class NotFoundError extends EngramError {
  readonly code = 'NOT_FOUND';
}
