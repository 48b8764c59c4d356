import { ConflictError } from '../../errors/conflict-error.js';
import { EngramError } from '../../errors/engram-error.js';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { StorageError } from '../../errors/storage-error.js';
import { UnavailableError } from '../../errors/unavailable-error.js';

/** SQLSTATE (Postgres manual, appendix A) or Node's code (`ECONNREFUSED`) of whatever the driver threw. */
export function driverErrorCode(error: unknown): string | undefined {
  // No `instanceof`: an error of Node's core may be of another realm than this module.
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError, errors } = error as { code?: unknown; driverError?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  // TypeORM wraps the driver's error; Node collects one per address that it tried.
  return driverErrorCode(driverError ?? (Array.isArray(errors) ? errors[0] : undefined));
}

/**
 * Lost connections are in part reported without a code. The texts are those of pg 8, pg-pool 3 and TypeORM, whose query
 * runner releases itself when its connection breaks between two statements of a transaction.
 */
const LOST_CONNECTION =
  /connection terminated|connection error|timeout exceeded when trying to connect|not queryable|calling end on the pool|query runner already released/i;

/**
 * The error that callers see for one of the driver. Nothing of the original is kept but its code: a CHECK violation's
 * detail prints the row, and TypeORM's error carries the parameters.
 */
export function storageFailure(error: unknown): EngramError {
  if (error instanceof EngramError) return error;
  const code = driverErrorCode(error);
  if (code === undefined) {
    const { message } = Object(error) as { message?: unknown };
    const lost = typeof message === 'string' && LOST_CONNECTION.test(message);
    return lost
      ? new UnavailableError('The database connection was lost. Check that Postgres is reachable, then try again.')
      : new StorageError(
          'The database driver failed without a code. Check the connection settings and the server log.',
        );
  }
  if (code === '55P03') {
    return new UnavailableError('Another writer held the lock for longer than the lock time-out. Try again.');
  }
  if (code === '40001' || code === '40P01') {
    return new UnavailableError(`The database ended the transaction for another one (${code}). Try again.`);
  }
  if (code === '57014') {
    return new UnavailableError(
      'The database ended a statement before it was done (57014): its statement_timeout has passed, or somebody cancelled it. Try again, or raise the time-out.',
    );
  }
  if (/^(?:08|53|57|25P03)/.test(code) || /^E[A-Z]+$/.test(code)) {
    return new UnavailableError(
      `The database cannot serve now (${code}). Check that it runs and is reachable, then try again.`,
    );
  }
  if (code === '25006') {
    return new UnavailableError(
      'The database takes no writes now (25006): it is a standby, or the role may only read. Try again once the primary is back, or connect to it.',
    );
  }
  if (code === '25P01' || code === '25P02') {
    return new StorageError(
      code === '25P01'
        ? 'The transaction had ended before the call did (25P01), so nothing was stored. Await every call inside it.'
        : 'A statement before the call failed, and the transaction with it (25P02). Roll it back; nothing was stored.',
    );
  }
  if (code === '23505') {
    return new ConflictError('Another row holds the same key or the same text. Read again, then retry.');
  }
  if (code === '22021' || code === '22P05' || code === '22P02') {
    return new InvalidInputError(
      'text',
      `A value holds characters that Postgres cannot store (${code}): NUL or half a character. Remove them.`,
    );
  }
  if (code === '42501') {
    return new StorageError(
      'The database role lacks a right on the tables of nestjs-engram (42501). Grant it, or run as their owner.',
    );
  }
  // Raised by our own procedure that lays the tables out.
  if (code === 'EG001') {
    return new StorageError(
      'Tables with row level security cannot be laid out in partitions: their policies would be lost. Disable it on them, lay them out, then set it up again.',
    );
  }
  if (code === '42P01' || code === '3F000') {
    return new StorageError(
      `The tables of nestjs-engram are missing (${code}). Add engramMigrations() to the migrations of the DataSource and run them, or set "migrate: true" on the storage.`,
    );
  }
  if (code.startsWith('28')) {
    return new StorageError(
      `The database server refused the user or the password (${code}). Check both in the connection settings.`,
    );
  }
  if (code === '3D000') {
    return new StorageError(
      'The database does not exist on that server (3D000). Create it, or correct its name in the connection settings.',
    );
  }
  return new StorageError(`The database refused a statement (SQLSTATE ${code}). The server log has the details.`);
}
