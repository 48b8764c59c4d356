import type { QueryRunner } from 'typeorm';
import { StorageError } from '../../errors/storage-error.js';
import { driverErrorCode, storageFailure } from './driver-error.js';
import type { RowLevelSecurity } from './row-level-security.js';
import { quoteIdentifier } from './sql-names.js';

/** Two databases of one server may make the same role in the same moment; whoever comes second finds it there. */
const MADE_BY_ANOTHER = new Set(['42710', '23505']);

/**
 * Makes the roles that the policies name, where they are missing, and lets the present role switch to them. It does not
 * inherit from them: a policy for a role counts for everyone who inherits from it, and the sweeper's shows every scope.
 *
 * @throws StorageError with the statements for the administrator where a right is missing, or the server is too old
 */
export async function makeSecureRoles(queryRunner: QueryRunner, { role, sweeper }: RowLevelSecurity): Promise<void> {
  const [me]: { name: string; superuser: boolean; recent: boolean }[] = await queryRunner.query(
    `SELECT r.rolname AS name, r.rolsuper AS superuser, current_setting('server_version_num')::int >= 160000 AS recent
     FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`,
  );
  if (!me?.recent) throw tooOld();
  for (const name of role === null ? [sweeper] : [role, sweeper]) {
    const create = `CREATE ROLE ${quoteIdentifier(name)}`;
    const grant = grantOf(name, me.name);
    if (!(await roleExists(queryRunner, name))) await run(queryRunner, create, `${create}; ${grant};`);
    if (!me.superuser && !(await maySwitchTo(queryRunner, name))) await run(queryRunner, grant, `${grant};`);
  }
}

/** Lets a role switch to another, and nothing more. */
export function grantOf(role: string, to: string): string {
  return `GRANT ${quoteIdentifier(role)} TO ${quoteIdentifier(to)} WITH INHERIT FALSE, SET TRUE`;
}

/** Before Postgres 16 a role inherits from all of its groups or from none. */
export function tooOld(): StorageError {
  return new StorageError('Row level security needs Postgres 16 or later. Upgrade, or leave rowLevelSecurity out.');
}

async function run(queryRunner: QueryRunner, statement: string, forAdministrator: string): Promise<void> {
  await queryRunner.query('SAVEPOINT engram_role');
  try {
    await queryRunner.query(statement);
  } catch (error) {
    const code = driverErrorCode(error) ?? '';
    if (code === '42501') {
      throw new StorageError(
        `Row level security needs a role that this one may not make or use. An administrator has to run: ${forAdministrator}`,
      );
    }
    if (!MADE_BY_ANOTHER.has(code)) throw storageFailure(error);
    await queryRunner.query('ROLLBACK TO SAVEPOINT engram_role');
  }
  await queryRunner.query('RELEASE SAVEPOINT engram_role');
}

async function roleExists(queryRunner: QueryRunner, name: string): Promise<boolean> {
  const found: unknown[] = await queryRunner.query('SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = $1', [name]);
  return found.length > 0;
}

async function maySwitchTo(queryRunner: QueryRunner, name: string): Promise<boolean> {
  const rows: { may: boolean }[] = await queryRunner.query(`SELECT pg_catalog.pg_has_role($1::name, 'SET') AS may`, [
    name,
  ]);
  return rows[0]?.may === true;
}
