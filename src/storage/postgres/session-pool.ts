import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { className } from '../../errors/class-name.js';
import type { Scope } from '../../model/scope.js';
import { storageFailure } from './driver-error.js';
import { scopeSettings } from './row-level-security.js';
import type { RowLevelSecurity } from './row-level-security.js';
import { Session } from './session.js';
import type { Sessions } from './sessions.js';
import type { SqlNames } from './sql-names.js';
import { setLocal } from './statements/set-local.js';
import type { LocalSettings } from './statements/set-local.js';

/** How long a statement waits for another writer's lock, as Postgres reads it. */
const LOCK_TIMEOUT = '5s';

/** Of every transaction of ours. Numbers are read as they are stored, or what is equal to them would count as a change. */
export const TRANSACTION_SETTINGS: LocalSettings = { lock_timeout: LOCK_TIMEOUT, extra_float_digits: '1' };

/** Connections of the DataSource's own pool, each for one call. */
export class SessionPool implements Sessions {
  private readonly logger = new Logger('MemoryStore');

  /**
   * @param rowLevelSecurity null where the tables have no policies
   * @param prepares statements may be kept prepared on these connections
   */
  constructor(
    private readonly dataSource: DataSource,
    readonly names: SqlNames,
    private readonly language: string,
    private readonly rowLevelSecurity: RowLevelSecurity | null,
    private readonly prepares: boolean,
  ) {}

  /**
   * A policy is told the scope by settings, and these live as long as a transaction: without policies none is needed.
   * A statement that only reads is right at every level, so none is asked for, which would be one more round trip.
   */
  async use<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T> {
    return this.lend((queryRunner) =>
      this.rowLevelSecurity
        ? this.inTransaction(queryRunner, undefined, this.asScope(scope), work)
        : work(new Session(queryRunner, this.names, this.language, this.prepares)),
    );
  }

  async transaction<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T> {
    const settings = { ...TRANSACTION_SETTINGS, ...this.asScope(scope) };
    return this.lend((queryRunner) => this.inTransaction(queryRunner, 'READ COMMITTED', settings, work));
  }

  async acrossScopes<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const settings = {
      ...TRANSACTION_SETTINGS,
      ...(this.rowLevelSecurity && { role: this.rowLevelSecurity.sweeper }),
    };
    return this.lend((queryRunner) => this.inTransaction(queryRunner, 'READ COMMITTED', settings, work));
  }

  private asScope(scope: Scope): LocalSettings {
    const { rowLevelSecurity } = this;
    if (!rowLevelSecurity) return {};
    return { ...scopeSettings(scope), ...(rowLevelSecurity.role !== null && { role: rowLevelSecurity.role }) };
  }

  private async lend<T>(work: (queryRunner: QueryRunner) => Promise<T>): Promise<T> {
    const queryRunner = this.dataSource.createQueryRunner();
    try {
      return await work(queryRunner);
    } finally {
      await queryRunner.release();
    }
  }

  /** @param isolation undefined: the DataSource's */
  private async inTransaction<T>(
    queryRunner: QueryRunner,
    isolation: 'READ COMMITTED' | undefined,
    settings: LocalSettings,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    await driven(() => queryRunner.startTransaction(isolation));
    try {
      const session = new Session(queryRunner, this.names, this.language, this.prepares);
      await setLocal(session, settings);
      const result = await work(session);
      await this.commit(queryRunner);
      return result;
    } catch (error) {
      // The first error is the one to tell; a connection that is gone has rolled back by itself.
      await queryRunner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }

  /** A subscriber of the host that fails after the commit undoes nothing: what was stored is not to be told as lost. */
  private async commit(queryRunner: QueryRunner): Promise<void> {
    try {
      await queryRunner.commitTransaction();
    } catch (error) {
      if (queryRunner.isTransactionActive || queryRunner.isReleased) throw storageFailure(error);
      this.logger.error(`A subscriber of the DataSource failed after a commit with ${className(error)}.`);
    }
  }
}

async function driven(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw storageFailure(error);
  }
}
