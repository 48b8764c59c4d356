import type { DataSource, QueryRunner } from 'typeorm';
import { storageFailure } from './driver-error.js';
import { createSchemaWhereMissing, engramMigrations } from './migrations.js';
import type { EngramMigrationOptions } from './migrations.js';
import { quoteIdentifier } from './sql-names.js';

/** In our own schema, apart from the host's migrations. TypeORM's own layout, so that its CLI reads the same history. */
export const MIGRATIONS_TABLE = 'engram_migrations';

/** Key of the advisory lock: the ASCII codes of "engram". Any constant does, as long as every process takes the same one. */
const LOCK_KEY = 0x656e6772616d;

/**
 * Brings the schema up to date. All or nothing, and safe when many processes start at once: they take turns on a lock
 * that ends with its transaction, and those behind the first find nothing to do. A role without the right to change
 * tables may call it on a schema that is up to date.
 *
 * @returns names of the migrations that ran
 * @throws StorageError with the statement for the administrator where a right is missing
 */
export async function runMigrations(dataSource: DataSource, options: EngramMigrationOptions = {}): Promise<string[]> {
  return inMigrationTransaction(dataSource, async (queryRunner) => {
    const table = await historyTable(queryRunner, options.schema ?? 'engram');
    const done = new Set(await recordedNames(queryRunner, table));
    const ran: string[] = [];
    for (const Migration of engramMigrations(options)) {
      const migration = new Migration();
      const name = migration.name ?? Migration.name;
      if (done.has(name)) continue;
      await migration.up(queryRunner);
      await queryRunner.query(`INSERT INTO ${table} ("timestamp", name) VALUES ($1, $2)`, [name.slice(-13), name]);
      ran.push(name);
    }
    return ran;
  });
}

/** Undoes every migration, the optional ones too, newest first: all memories are gone. The schema and the extension stay. */
export async function revertMigrations(
  dataSource: DataSource,
  options: EngramMigrationOptions = {},
): Promise<string[]> {
  return inMigrationTransaction(dataSource, async (queryRunner) => {
    const table = await historyTable(queryRunner, options.schema ?? 'engram');
    const done = new Set(await recordedNames(queryRunner, table));
    const reverted: string[] = [];
    for (const Migration of engramMigrations({
      ...options,
      partitions: 1,
      rowLevelSecurity: options.rowLevelSecurity || true,
    }).reverse()) {
      const migration = new Migration();
      const name = migration.name ?? Migration.name;
      if (!done.has(name)) continue;
      await migration.down(queryRunner);
      await queryRunner.query(`DELETE FROM ${table} WHERE name = $1`, [name]);
      reverted.push(name);
    }
    return reverted;
  });
}

async function inMigrationTransaction<T>(
  dataSource: DataSource,
  work: (queryRunner: QueryRunner) => Promise<T>,
): Promise<T> {
  const queryRunner = dataSource.createQueryRunner();
  try {
    await queryRunner.startTransaction('READ COMMITTED');
    try {
      await queryRunner.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
      // A step that a row policy would hide rows from shall fail, not silently change nothing.
      await queryRunner.query('SET LOCAL row_security = off');
      const result = await work(queryRunner);
      await queryRunner.commitTransaction();
      return result;
    } catch (error) {
      // The first error is the one to tell; a connection that is gone has rolled back by itself.
      await queryRunner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw storageFailure(error);
  } finally {
    await queryRunner.release();
  }
}

async function historyTable(queryRunner: QueryRunner, schema: string): Promise<string> {
  await createSchemaWhereMissing(queryRunner, schema);
  const table = `${quoteIdentifier(schema)}.${quoteIdentifier(MIGRATIONS_TABLE)}`;
  const found: { present: boolean }[] = await queryRunner.query('SELECT to_regclass($1) IS NOT NULL AS present', [
    table,
  ]);
  if (!found[0]?.present) {
    await queryRunner.query(
      `CREATE TABLE ${table} (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name character varying NOT NULL)`,
    );
  }
  return table;
}

async function recordedNames(queryRunner: QueryRunner, table: string): Promise<string[]> {
  const rows: { name: string }[] = await queryRunner.query(`SELECT name FROM ${table}`);
  return rows.map((row) => row.name);
}
