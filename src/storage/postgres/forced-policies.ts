import type { QueryRunner } from 'typeorm';
import { quoteIdentifier } from './sql-names.js';
import { listSecuredTables } from './statements/list-secured-tables.js';

/**
 * Runs a migration as the owner of the tables, whom policies do not concern while it runs, and fails where one still
 * would hide a row: else a step on the rows of a table would change none and count as done.
 */
export async function withoutForcedPolicies(
  queryRunner: QueryRunner,
  schema: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const [setting]: { row_security: string }[] = await queryRunner.query('SHOW row_security');
  await queryRunner.query('SET LOCAL row_security = off');
  const table = (name: string): string => `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
  const forced = (await listSecuredTables(queryRunner, schema)).filter((one) => one.forced).map(({ name }) => name);
  for (const name of forced) await queryRunner.query(`ALTER TABLE ${table(name)} NO FORCE ROW LEVEL SECURITY`);

  await work();

  // The migration may have dropped a table, or taken its policies away.
  for (const { name } of await listSecuredTables(queryRunner, schema)) {
    if (forced.includes(name)) await queryRunner.query(`ALTER TABLE ${table(name)} FORCE ROW LEVEL SECURITY`);
  }
  // The transaction may be one of the host's, with migrations of its own to come.
  await queryRunner.query(`SET LOCAL row_security = ${setting?.row_security === 'off' ? 'off' : 'on'}`);
}
