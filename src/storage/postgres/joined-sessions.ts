import type { DataSource } from 'typeorm';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { StorageError } from '../../errors/storage-error.js';
import type { Scope } from '../../model/scope.js';
import type { HostTransaction } from './host-transaction.js';
import { scopeSettings } from './row-level-security.js';
import { TRANSACTION_SETTINGS } from './session-pool.js';
import { Session } from './session.js';
import type { Sessions } from './sessions.js';
import type { SqlNames } from './sql-names.js';
import { enterTransaction } from './statements/enter-transaction.js';
import { reachesTables } from './statements/reaches-tables.js';
import { setLocal } from './statements/set-local.js';
import type { LocalSettings } from './statements/set-local.js';

export interface JoinedSessionsOptions {
  readonly names: SqlNames;
  /** Schema of our tables, not quoted. */
  readonly schema: string;
  readonly language: string;
  /** Whether policies ask for the scope. The role is the host's, whatever the option says. */
  readonly rowLevelSecurity: boolean;
}

/** DataSources whose connections were seen to reach our tables, by schema. */
const reached = new WeakMap<DataSource, Set<string>>();

/**
 * Runs every call on the connection of the host's transaction. What is set for it is put back, and a write that fails
 * takes only itself back, so that the host's transaction can go on.
 */
export class JoinedSessions implements Sessions {
  readonly names: SqlNames;
  private readonly session: Session;

  constructor(
    private readonly transactionOfHost: HostTransaction,
    private readonly options: JoinedSessionsOptions,
  ) {
    this.names = options.names;
    this.session = new Session(transactionOfHost.queryRunner, options.names, options.language);
  }

  async use<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T> {
    return this.transactionOfHost.inTurn(async () => {
      await this.checkReach();
      if (!this.options.rowLevelSecurity) return work(this.session);
      const { before } = await enterTransaction(this.session, scopeSettings(scope), { writes: false });
      try {
        return await work(this.session);
      } finally {
        // After a failed statement nothing can be set; the host's rollback puts everything back then.
        await setLocal(this.session, before).catch(() => undefined);
      }
    });
  }

  async transaction<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T> {
    return this.transactionOfHost.inTurn(async () => {
      await this.checkReach();
      await this.session.run('SAVEPOINT engram', []);
      try {
        const { before, isolation, transaction_id } = await enterTransaction(this.session, this.settingsOf(scope), {
          writes: true,
        });
        if (isolation !== 'read committed') throw otherIsolation(isolation);
        if (transaction_id !== null) this.transactionOfHost.wrote(transaction_id);
        const result = await work(this.session);
        await setLocal(this.session, before);
        await this.session.run('RELEASE SAVEPOINT engram', []);
        return result;
      } catch (error) {
        // Puts the settings back as well. The first error is the one to tell.
        await this.session.run('ROLLBACK TO SAVEPOINT engram', []).catch(() => undefined);
        await this.session.run('RELEASE SAVEPOINT engram', []).catch(() => undefined);
        throw error;
      }
    });
  }

  acrossScopes<T>(): Promise<T> {
    return Promise.reject(new StorageError('Nothing looks over all scopes inside a transaction of the host.'));
  }

  private settingsOf(scope: Scope): LocalSettings {
    return { ...TRANSACTION_SETTINGS, ...(this.options.rowLevelSecurity && scopeSettings(scope)) };
  }

  private async checkReach(): Promise<void> {
    const { schema } = this.options;
    const { manager } = this.transactionOfHost.queryRunner;
    const dataSource = manager.dataSource ?? manager.connection;
    const schemas = reached.get(dataSource) ?? new Set();
    if (schemas.has(schema)) return;
    if (!(await reachesTables(this.session, schema))) {
      throw new InvalidInputError(
        'entityManager',
        `entityManager is connected to a database without the tables of nestjs-engram in the schema "${schema}", or as a role that may not read them. Give one of the DataSource that reaches them.`,
      );
    }
    reached.set(dataSource, schemas.add(schema));
  }
}

function otherIsolation(isolation: string): StorageError {
  return new StorageError(
    `Memories are written at READ COMMITTED, and this transaction is at ${isolation.toUpperCase()}, where a lock that was waited for shows rows as they were before. Nothing was changed; begin it with dataSource.transaction('READ COMMITTED', ...), or call outside of it.`,
  );
}
