import type { QueryRunner } from 'typeorm';
import { storageFailure } from './driver-error.js';
import type { SqlNames } from './sql-names.js';

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
  ) {}

  /** @throws EngramError, never the driver's own error */
  async run<Row>(sql: string, parameters: unknown[]): Promise<StatementResult<Row>> {
    try {
      const result = await this.queryRunner.query(sql, parameters, true);
      return { rows: result.records as Row[], affected: result.affected ?? 0 };
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async rows<Row>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return (await this.run<Row>(sql, parameters)).rows;
  }
}
