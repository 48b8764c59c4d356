// A process that connects, says so, waits for a line on its input, then migrates and tells what ran. Run by
// `node --import tsx`, many at once.
import { once } from 'node:events';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { runMigrations } from '../../src/storage/postgres/run-migrations.js';

const [, , connection = '', schema = ''] = process.argv;
const dataSource = await createPostgresDataSource({ connection, schema, poolSize: 1 }).initialize();
process.stdout.write('ready\n');
await once(process.stdin, 'data');
try {
  process.stdout.write(`${JSON.stringify(await runMigrations(dataSource, { schema }))}\n`);
} catch (error) {
  process.stdout.write(`${(error as Error).name}: ${(error as Error).message}\n`);
}
await dataSource.destroy();
process.stdin.destroy();
