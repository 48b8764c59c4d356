import { expect } from '@jest/globals';
import { Client } from 'pg';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { runMigrations } from '../../src/storage/postgres/run-migrations.js';
// @ts-expect-error -- plain JavaScript for jest's sake, it has no types
import { databaseName, templateName } from './database-run.mjs';

/**
 * Makes a database on the server, named after the run and the test file. It is dropped by the run, not by the test:
 * only the run knows whether the file passed.
 *
 * @param server URL of a superuser
 * @returns its URL
 */
export async function createNativeDatabase(server: string, { migrated }: { migrated: boolean }): Promise<string> {
  const run = process.env['ENGRAM_TEST_RUN'];
  const { testPath } = expect.getState();
  if (!run || !testPath) {
    throw new Error(
      'ENGRAM_TEST_DATABASE_URL is set, but jest runs without the reporter test/support/database-run.mjs. Leave jest.config.js its reporters.',
    );
  }
  const name: string = databaseName(run, testPath);
  await onServer(server, async (client) => {
    const template = migrated ? await migratedTemplate(server, client, run) : 'template0';
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return databaseUrl(server, name);
}

/** Made by whoever needs it first, while the other test files wait; renamed when complete. */
async function migratedTemplate(server: string, client: Client, run: string): Promise<string> {
  const template: string = templateName(run);
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_catalog.pg_database WHERE datname = $1', [template]);
    if (rowCount === 0) {
      const partial = `${template}_partial`;
      await client.query(`DROP DATABASE IF EXISTS ${partial} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${partial} TEMPLATE template0`);
      await migrate(databaseUrl(server, partial));
      await client.query(`ALTER DATABASE ${partial} RENAME TO ${template}`);
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  }
  return template;
}

async function migrate(url: string): Promise<void> {
  const dataSource = createPostgresDataSource({ connection: url });
  await dataSource.initialize();
  try {
    await runMigrations(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(server: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
