import type { DataSource } from 'typeorm';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { storageFailure } from './driver-error.js';
import type { RowLevelSecurity } from './row-level-security.js';
import { grantOf, tooOld } from './secure-roles.js';
import { quoteIdentifier } from './sql-names.js';
import { readRowLevelSecurity, readSecureRole } from './statements/read-row-level-security.js';

/**
 * Holds the option to what the database says, before anything is served: policies that do not count for this connection
 * would be no protection, and policies that nobody tells the scope would hide every memory.
 *
 * @param security null where the option is off
 * @throws InvalidOptionsError, StorageError with the way out
 */
export async function checkRowLevelSecurity(
  dataSource: DataSource,
  schema: string,
  security: RowLevelSecurity | null,
): Promise<void> {
  const state = await asked(() => readRowLevelSecurity(dataSource, schema));
  if (!state) return;
  if (!security) {
    if (!state.active) return;
    throw refused(
      `is off, but the tables in the schema "${schema}" have policies that hide every row from the role ${state.connected_as}. Set rowLevelSecurity, or revert its migration.`,
    );
  }
  if (!state.recent) throw tooOld();
  if (state.open_tables.length > 0) {
    throw refused(
      `is on, but these tables have no forced policies: ${state.open_tables.join(', ')}. Run engramMigrations({ rowLevelSecurity: true }), or let the module run them with migrate: true.`,
    );
  }

  const acting = security.role ?? state.connected_as;
  const ask = (name: string) => asked(() => readSecureRole(dataSource, { ...security, role: name, schema }));
  const role = await ask(acting);
  if (!role) throw refused(`names the role ${acting}, which does not exist. Run the migrations with the same option.`);
  if (role.unbound) {
    throw refused(
      `is on, but no policy counts for the role ${acting}: it is a superuser or has BYPASSRLS. Connect as another role, or name one in rowLevelSecurity: { role }.`,
    );
  }
  if (!role.usable) {
    throw refused(
      `names the role ${acting}, which ${state.connected_as} may not switch to. An administrator has to run: ${grantOf(acting, state.connected_as)};`,
    );
  }
  if (!role.granted) {
    const names = quoteIdentifier(schema);
    throw refused(
      `is on, but the role ${acting} may not read and write the tables. Their owner has to run: GRANT USAGE ON SCHEMA ${names} TO ${quoteIdentifier(acting)}; and GRANT SELECT, INSERT, UPDATE, DELETE on memory_scopes, memories, memory_revisions, memory_access and memory_turns, not on their partitions.`,
    );
  }
  if (role.sweeps) {
    throw refused(
      `is on, but the role ${acting} inherits from the role ${security.sweeper}, whose policies show it the keys of every scope. An administrator has to run: ${grantOf(security.sweeper, acting)};`,
    );
  }
  const sweeper = await ask(security.sweeper);
  if (!sweeper?.usable) {
    throw refused(
      `needs the role ${security.sweeper} to look for due turns, which ${sweeper ? `${state.connected_as} may not switch to` : 'does not exist'}. An administrator has to run: ${sweeper ? '' : `CREATE ROLE ${quoteIdentifier(security.sweeper)}; `}${grantOf(security.sweeper, state.connected_as)};`,
    );
  }
}

async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw storageFailure(error);
  }
}

function refused(why: string): InvalidOptionsError {
  return new InvalidOptionsError('rowLevelSecurity', `Option rowLevelSecurity ${why}`);
}
