import { readdirSync, readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { StorageError } from '../../errors/storage-error.js';
import { allOrNothing } from './all-or-nothing.js';
import { driverErrorCode, storageFailure } from './driver-error.js';
import { withoutForcedPolicies } from './forced-policies.js';
import { refuseRoleSchema } from './refuse-role-schema.js';
import { resolveRowLevelSecurity } from './row-level-security.js';
import type { RowLevelSecurity, RowLevelSecurityOptions } from './row-level-security.js';
import { makeSecureRoles } from './secure-roles.js';
import { quoteIdentifier, quoteLiteral } from './sql-names.js';

export interface EngramMigrationOptions {
  /** Schema of our tables. @default 'engram' */
  readonly schema?: string;
  /** Where pgvector is created if it is not installed; an installed one is used where it is. @default 'public' */
  readonly extensionSchema?: string;
  /**
   * Hash partitions of every table, by tenant and scope: 1-256. May be set later, then the rows move in one transaction
   * under an exclusive lock; once the tables are laid out, another number changes nothing (see docs/scaling.md).
   * @default none: whole tables
   */
  readonly partitions?: number;
  /**
   * Policies on every table, that show a transaction only the scope that it names; the app needs the same option then.
   * May be set later. Needs Postgres 16, and the right to make a role or roles that are there. @default false
   */
  readonly rowLevelSecurity?: boolean | RowLevelSecurityOptions;
}

export type EngramMigration = new () => MigrationInterface;

/** `src/storage/postgres` and `dist/storage/postgres` lie equally deep below the package root. */
const FOLDER = new URL('../../../migrations/', import.meta.url);

/** The migration that only runs with the option `partitions`. */
const PARTITION_TABLES = '1788000050000-partition-tables';

/** The migration that only runs with the option `rowLevelSecurity`. */
const SECURE_ROWS = '1788000900000-secure-rows';

/** Planning looks at each partition's locks, and one transaction that makes them all holds a lock on each. */
const PARTITIONS_MAX = 256;

/**
 * The migrations of this package as TypeORM classes, oldest first, for a host's own `migrations` list. From a function,
 * because TypeORM constructs them without arguments.
 */
export function engramMigrations(options: EngramMigrationOptions = {}): EngramMigration[] {
  const { schema = 'engram', extensionSchema = 'public', partitions } = options;
  const security = resolveRowLevelSecurity(options.rowLevelSecurity, schema);
  checkPartitions(partitions);
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.up.sql'))
    .map((file) => file.slice(0, -'.up.sql'.length))
    .filter((stem) => partitions !== undefined || stem !== PARTITION_TABLES)
    .filter((stem) => security || stem !== SECURE_ROWS)
    .sort()
    .map((stem) => migrationClass(stem, { schema, extensionSchema, partitions, security }));
}

function checkPartitions(partitions: number | undefined): void {
  if (partitions === undefined) return;
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > PARTITIONS_MAX) {
    throw new InvalidOptionsError(
      'partitions',
      `Option partitions must be a whole number from 1 to ${PARTITIONS_MAX}. Leave it out for whole tables.`,
    );
  }
}

interface MigrationNames {
  readonly schema: string;
  readonly extensionSchema: string;
  readonly partitions: number | undefined;
  readonly security: RowLevelSecurity | null;
}

function migrationClass(stem: string, names: MigrationNames): EngramMigration {
  const { schema, extensionSchema } = names;
  const up = readFileSync(new URL(`${stem}.up.sql`, FOLDER), 'utf8');
  const down = readFileSync(new URL(`${stem}.down.sql`, FOLDER), 'utf8');
  return class implements MigrationInterface {
    readonly name = migrationName(stem);

    async up(queryRunner: QueryRunner): Promise<void> {
      await allOrNothing(queryRunner, async () => {
        await refuseRoleSchema(queryRunner, schema);
        await createSchemaWhereMissing(queryRunner, schema);
        const extension = await vectorSchema(queryRunner, extensionSchema);
        if (stem === SECURE_ROWS && names.security) await makeSecureRoles(queryRunner, names.security);
        await withoutForcedPolicies(queryRunner, schema, () =>
          queryRunner.query(withNames(up, { ...names, extensionSchema: extension })),
        );
      });
    }

    async down(queryRunner: QueryRunner): Promise<void> {
      await allOrNothing(queryRunner, () =>
        withoutForcedPolicies(queryRunner, schema, () => queryRunner.query(withNames(down, names))),
      );
    }
  };
}

/** `1788000000000-create-memory-tables` -> `CreateMemoryTables1788000000000`, as TypeORM wants it. */
function migrationName(stem: string): string {
  const [timestamp = '', ...words] = stem.split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + timestamp;
}

/** Fills in psql's `:"name"`, `:'text'` and `:number` variables, so that the same file runs by psql; in one pass, since a name may look like a variable. */
function withNames(sql: string, { schema, extensionSchema, partitions = 0, security }: MigrationNames): string {
  const values: Readonly<Record<string, string>> = {
    schema,
    extension_schema: extensionSchema,
    sweeper: security?.sweeper ?? '',
    role: security?.role ?? '',
    partitions: String(partitions),
  };
  return sql.replace(/:(["']?)(schema|extension_schema|sweeper|role|partitions)\1(?!\w)/g, (_, quote, name) => {
    const value = values[name as string] ?? '';
    if (quote === '"') return quoteIdentifier(value);
    return quote === "'" ? quoteLiteral(value) : value;
  });
}

/** `CREATE SCHEMA IF NOT EXISTS` asks for the right to create even where there is nothing to do. */
export async function createSchemaWhereMissing(queryRunner: QueryRunner, schema: string): Promise<void> {
  const found: unknown[] = await queryRunner.query('SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1', [
    schema,
  ]);
  if (found.length > 0) return;
  const statement = `CREATE SCHEMA ${quoteIdentifier(schema)}`;
  try {
    await queryRunner.query(statement);
  } catch (error) {
    if (driverErrorCode(error) !== '42501') throw storageFailure(error);
    throw new StorageError(
      `The schema "${schema}" is missing and this role may not create it. An administrator has to run: ${statement} AUTHORIZATION <this role>;`,
    );
  }
}

/** The schema that pgvector is in; creates it in `preferred` where it is missing. */
async function vectorSchema(queryRunner: QueryRunner, preferred: string): Promise<string> {
  const installed: { schema: string }[] = await queryRunner.query(
    `SELECT n.nspname AS schema FROM pg_catalog.pg_extension e
     JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  );
  if (installed[0]) return installed[0].schema;

  const statement = `CREATE EXTENSION vector WITH SCHEMA ${quoteIdentifier(preferred)};`;
  const available: unknown[] = await queryRunner.query(
    `SELECT 1 FROM pg_catalog.pg_available_extensions WHERE name = 'vector'`,
  );
  if (available.length === 0) {
    throw new StorageError(
      `pgvector is not installed on this Postgres server. Install its package there, then have an administrator run in this database: ${statement}`,
    );
  }
  await createSchemaWhereMissing(queryRunner, preferred);
  try {
    await queryRunner.query(statement);
  } catch (error) {
    if (driverErrorCode(error) !== '42501') throw storageFailure(error);
    throw new StorageError(
      `The extension vector is missing and this role may not create it. An administrator has to run in this database: ${statement}`,
    );
  }
  return preferred;
}
