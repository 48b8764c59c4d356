import type { DataSource, Logger } from 'typeorm';

interface SentStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Every statement that a DataSource sends, as TypeORM's logger sees it. */
export class RecordedStatements {
  private readonly statements: SentStatement[] = [];
  private dataSource: DataSource | null = null;

  /** To be called before the DataSource connects. */
  record(dataSource: DataSource): void {
    this.dataSource = dataSource;
    const logger: Logger = {
      logQuery: (sql, parameters) =>
        void this.statements.push({ sql, parameters: Array.isArray(parameters) ? parameters : [] }),
      logQueryError: () => undefined,
      logQuerySlow: () => undefined,
      logSchemaBuild: () => undefined,
      logMigration: () => undefined,
      log: () => undefined,
    };
    dataSource.setOptions({ logging: ['query'], logger });
  }

  get sent(): readonly string[] {
    return this.statements.map(({ sql }) => sql);
  }

  /** What is sent while `work` runs, if nothing else runs. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    const before = this.statements.length;
    await work();
    return this.sent.slice(before);
  }

  /** How Postgres would run the last statement that matches, under the settings that stood before it in its transaction. */
  async plan(statement: RegExp): Promise<string> {
    if (!this.dataSource) throw new Error('Nothing is recorded yet.');
    const at = this.statements.findLastIndex(({ sql }) => statement.test(sql));
    const start = this.statements.findLastIndex(({ sql }, index) => index < at && sql.startsWith('START TRANSACTION'));
    const queryRunner = this.dataSource.createQueryRunner();
    await queryRunner.startTransaction();
    try {
      for (const { sql, parameters } of this.statements.slice(start + 1, at)) {
        await queryRunner.query(sql, [...parameters]);
      }
      const { sql = '', parameters = [] } = this.statements[at] ?? {};
      const rows: { 'QUERY PLAN': string }[] = await queryRunner.query(`EXPLAIN ${sql}`, [...parameters]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await queryRunner.rollbackTransaction();
      await queryRunner.release();
    }
  }
}
