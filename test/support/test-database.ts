import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/storage/embedded/index.js';
import type { PostgresConnection } from '../../src/storage/postgres/data-source.js';
// Plain JavaScript, because jest loads its global set-up without a transform.
// @ts-expect-error -- it has no types
import { dumpFile } from './database-dump.mjs';

export interface TestDatabase {
  readonly connection: string | PostgresConnection;
  /** False on the embedded database, where all connections are one session. */
  readonly native: boolean;
  close(): Promise<void>;
}

/**
 * An empty database of one's own: in memory, or on the server of `ENGRAM_TEST_DATABASE_URL` (a role that may create
 * databases and extensions) where that is set.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = process.env['ENGRAM_TEST_DATABASE_URL'];
  if (server) return createNativeDatabase(server);
  const embedded = await EmbeddedPostgres.fromDump(readFileSync(dumpFile as string));
  return { connection: embedded.connection, native: false, close: () => embedded.stop() };
}

async function createNativeDatabase(server: string): Promise<TestDatabase> {
  const name = `engram_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    connection: url.href,
    native: true,
    close: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
