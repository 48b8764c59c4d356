import type { QueryRunner } from 'typeorm';
import { driverErrorCode, storageFailure } from './driver-error.js';
import { canPrepare, prepareNoMore, statementName } from './prepared-statement.js';
import type { PreparingConnection } from './prepared-statement.js';
import type { SqlNames } from './sql-names.js';
import { unlogged } from './unlogged-value.js';

export interface StatementResult<Row> {
  readonly rows: Row[];
  /** Rows that the statement changed or returned. */
  readonly affected: number;
}

/** One connection on which statements run, in or out of a transaction. */
export class Session {
  constructor(
    private readonly queryRunner: QueryRunner,
    readonly names: SqlNames,
    /** Text search configuration that words are stemmed with. */
    readonly language: string,
    /** Statements may be kept prepared on this connection, if it is one to a server process of its own. */
    private readonly prepares = false,
  ) {}

  /** @throws EngramError, never the driver's own error */
  async run<Row>(sql: string, parameters: unknown[]): Promise<StatementResult<Row>> {
    try {
      const result = await this.queryRunner.query(sql, unlogged(parameters), true);
      return { rows: result.records as Row[], affected: result.affected ?? 0 };
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /**
   * @param prepared keep the plan on the connection, where that can be: for a statement that runs again and again, and
   *   whose planning would be a good part of its time
   */
  async rows<Row>(sql: string, parameters: unknown[], { prepared = false } = {}): Promise<Row[]> {
    const rows = prepared && this.prepares ? await this.onPrepared<Row>(sql, parameters) : null;
    return rows ?? (await this.run<Row>(sql, parameters)).rows;
  }

  /** Null where it has to run unprepared. */
  private async onPrepared<Row>(sql: string, parameters: unknown[]): Promise<Row[] | null> {
    try {
      const connection = (await this.queryRunner.connect()) as PreparingConnection;
      if (!(await canPrepare(connection))) return null;
      try {
        const { rows } = await connection.query({ name: statementName(sql), text: sql, values: parameters });
        return rows as Row[];
      } catch (error) {
        // Invalid statement name: it was prepared here, and is no more.
        if (driverErrorCode(error) !== '26000') throw error;
        prepareNoMore(connection);
        if (this.queryRunner.isTransactionActive) throw error;
        return null;
      }
    } catch (error) {
      throw storageFailure(error);
    }
  }
}
