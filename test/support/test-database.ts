import { readFileSync } from 'node:fs';
import { EmbeddedPostgres } from '../../src/storage/embedded/index.js';
import type { PostgresConnection } from '../../src/storage/postgres/data-source.js';
// Plain JavaScript, because jest loads its global set-up without a transform.
// @ts-expect-error -- it has no types
import { dumpFile } from './database-dump.mjs';
import { createNativeDatabase } from './native-database.js';

export interface TestDatabase {
  readonly connection: string | PostgresConnection;
  /** False on the embedded database, where all connections are one session. */
  readonly native: boolean;
  close(): Promise<void>;
}

/**
 * A database of one's own: in memory, or on the server of `ENGRAM_TEST_DATABASE_URL` (a superuser's URL) where that is
 * set. It is empty; with `mayBeMigrated`, our tables may be there already in the schema `engram`, where cloning them is
 * cheaper than what the store does at its start.
 */
export async function openTestDatabase({ mayBeMigrated = false } = {}): Promise<TestDatabase> {
  const server = process.env['ENGRAM_TEST_DATABASE_URL'];
  if (server) {
    const connection = await createNativeDatabase(server, { migrated: mayBeMigrated });
    // Dropped by the run once it knows that the test file passed.
    return { connection, native: true, close: () => Promise.resolve() };
  }
  // Clients of it wait for each other, on a busy machine for long.
  const embedded = await EmbeddedPostgres.fromDump(openTestDump(), {
    idleInTransactionMs: 120_000,
    turnTimeoutMs: 120_000,
  });
  return { connection: embedded.connection, native: false, close: () => embedded.stop() };
}

/** What the global set-up made: an embedded database as `initdb` leaves it. */
export function openTestDump(): Uint8Array {
  return readFileSync(dumpFile as string);
}
