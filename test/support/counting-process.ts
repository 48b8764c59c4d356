// A process that opens an embedded database and counts in it, one commit after another, telling each number once it is
// committed. Run by `node --import tsx`, to be killed.
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/storage/embedded/index.js';

const [, , dataDir = ''] = process.argv;
try {
  const postgres = await EmbeddedPostgres.start({ dataDir });
  const client = new Client(postgres.connection);
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS counted (n int PRIMARY KEY, note text)');
  for (;;) {
    const { rows } = await client.query(
      `INSERT INTO counted SELECT coalesce(max(n), 0) + 1, repeat('x', 2000) FROM counted RETURNING n`,
    );
    process.stdout.write(`${rows[0].n}\n`);
  }
} catch (error) {
  process.stdout.write(`${(error as Error).name}: ${(error as Error).message}\n`);
  process.exit(1);
}
