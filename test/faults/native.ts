import { describe } from '@jest/globals';
import { openTestDatabase } from '../support/test-database.js';

/** The embedded database is one process with one session: two workers need a server. */
export const onServer = process.env['ENGRAM_TEST_DATABASE_URL'] !== undefined;

/** For what is about processes beside each other. */
export const describeOnServer = onServer ? describe : describe.skip;

/** A database with our tables, for processes that know it by its URL. */
export async function nativeDatabase(): Promise<string> {
  const { connection } = await openTestDatabase({ mayBeMigrated: true });
  if (typeof connection !== 'string') throw new Error('This database has no URL. Run it by npm run test:services.');
  return connection;
}
