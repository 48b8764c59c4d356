import type { Scope } from '../../model/scope.js';
import type { Session } from './session.js';
import type { SqlNames } from './sql-names.js';

/** Lends a connection to each call of the store. Never two to one call: a pool of one connection has to do. */
export interface Sessions {
  readonly names: SqlNames;
  /** Statements of one scope that lock nothing. */
  use<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T>;
  /** All or nothing in one scope, with a limit on waiting for locks. READ COMMITTED: what a lock waited for is seen by the next statement. */
  transaction<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T>;
  /** For the statements that are marked EXCEPTION: all or nothing, over the keys of every scope. */
  acrossScopes<T>(work: (session: Session) => Promise<T>): Promise<T>;
}
