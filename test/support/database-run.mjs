// Databases on the native server belong to one run of jest, and by their names to one test file. This is the reporter
// that opens the run and closes it: files that passed leave nothing, files that failed leave their databases as evidence.
// Plain JavaScript, because jest loads reporters without a transform.
import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const DAY_MS = 24 * 60 * 60 * 1000;
const folder = fileURLToPath(new URL('../', import.meta.url));

/** The migrated database that those of a run are cloned from. */
export function templateName(run) {
  return `engram_test_${run}_template`;
}

/**
 * A new name for a database of a test file: the same for all of them but for the last 9 characters. Postgres cuts names
 * at 63 bytes, so a long path keeps its end.
 */
export function databaseName(run, testPath) {
  const words = relative(folder, testPath)
    .toLowerCase()
    .replace(/\.spec\.ts$/, '')
    .replace(/[^a-z0-9]+/g, '_');
  return `engram_test_${run}_${words.slice(-28)}_${randomBytes(4).toString('hex')}`;
}

/** Begins with the time in base 36, so that old evidence is known by its name. */
function newRun() {
  return `${Date.now().toString(36)}${randomBytes(2).toString('hex')}`;
}

function startOfRun(database) {
  return parseInt(database.slice('engram_test_'.length, 'engram_test_'.length + 8), 36);
}

export default class DatabaseRun {
  constructor() {
    this.run = newRun();
    // Before the workers start, which inherit it.
    process.env.ENGRAM_TEST_RUN = this.run;
  }

  /** Evidence is kept for a day. */
  async onRunStart() {
    await onServer(async (client) => {
      const old = (await databases(client, 'engram_test_')).filter((name) => startOfRun(name) < Date.now() - DAY_MS);
      await dropAll(client, old);
    });
  }

  async onTestFileResult(test, result) {
    if (result.numFailingTests > 0 || result.testExecError) return;
    const ofFile = databaseName(this.run, test.path).slice(0, -9);
    await onServer(async (client) => {
      const own = (await databases(client, ofFile)).filter((name) => name.slice(0, -9) === ofFile);
      await dropAll(client, own);
    });
  }

  async onRunComplete() {
    await onServer(async (client) => {
      await dropAll(client, [`${templateName(this.run)}_partial`, templateName(this.run)]);
      const kept = await databases(client, `engram_test_${this.run}_`);
      if (kept.length > 0) console.error(`Kept for a day, of files that failed:\n  ${kept.join('\n  ')}`);
    });
  }
}

async function onServer(work) {
  const client = new pg.Client({ connectionString: process.env.ENGRAM_TEST_DATABASE_URL });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function databases(client, prefix) {
  const { rows } = await client.query(
    'SELECT datname FROM pg_catalog.pg_database WHERE starts_with(datname, $1) ORDER BY datname',
    [prefix],
  );
  return rows.map((row) => row.datname);
}

async function dropAll(client, names) {
  for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}
