import { EngramError } from './engram-error.js';

/** The database refused a statement. The driver error is not attached: its detail can print a row. */
export class StorageError extends EngramError {
  readonly code = 'STORAGE_FAILED';
}
