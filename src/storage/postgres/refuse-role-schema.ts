import type { QueryRunner } from 'typeorm';
import { StorageError } from '../../errors/storage-error.js';

/**
 * A schema called as the role comes first on Postgres's usual search path (`"$user", public`) as soon as it exists. A host
 * that names no schema would then no longer find its own tables, TypeORM's table of migrations first, and run all of its
 * migrations again.
 * @throws StorageError before anything is made
 */
export async function refuseRoleSchema(queryRunner: QueryRunner, schema: string): Promise<void> {
  const { options } = queryRunner.connection;
  if ('schema' in options && options.schema !== undefined) return;
  const hidden: unknown[] = await queryRunner.query(
    `SELECT 1 WHERE current_user = $1 AND current_setting('search_path') ~ E'^\\\\s*"\\\\$user"'
       AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1)`,
    [schema],
  );
  if (hidden.length === 0) return;
  throw new StorageError(
    `The schema "${schema}" of the memories is called as this role, so Postgres would look there first for the app's own tables. Set schema: 'public' on the TypeORM DataSource, or give engramMigrations and the storage another schema.`,
  );
}
