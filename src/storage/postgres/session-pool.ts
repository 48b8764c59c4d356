import type { DataSource, QueryRunner } from 'typeorm';
import { storageFailure } from './driver-error.js';
import { Session } from './session.js';
import type { SqlNames } from './sql-names.js';

/** Milliseconds after which a statement gives up waiting for another writer's lock. */
const LOCK_TIMEOUT_MS = 5_000;

/** Lends connections. Never two to one call: a pool of one connection has to do. */
export class SessionPool {
  constructor(
    private readonly dataSource: DataSource,
    private readonly names: SqlNames,
    private readonly language: string,
  ) {}

  /** Statements that lock nothing, each its own transaction. */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const queryRunner = this.dataSource.createQueryRunner();
    try {
      return await work(this.session(queryRunner));
    } finally {
      await queryRunner.release();
    }
  }

  /** All or nothing, with a limit on waiting for locks. READ COMMITTED: what a lock waited for is seen by the next statement. */
  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const queryRunner = this.dataSource.createQueryRunner();
    try {
      await driven(() => queryRunner.startTransaction('READ COMMITTED'));
      try {
        const session = this.session(queryRunner);
        await session.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`, []);
        const result = await work(session);
        await driven(() => queryRunner.commitTransaction());
        return result;
      } catch (error) {
        // The first error is the one to tell; a connection that is gone has rolled back by itself.
        await queryRunner.rollbackTransaction().catch(() => undefined);
        throw error;
      }
    } finally {
      await queryRunner.release();
    }
  }

  private session(queryRunner: QueryRunner): Session {
    return new Session(queryRunner, this.names, this.language);
  }
}

async function driven(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw storageFailure(error);
  }
}
