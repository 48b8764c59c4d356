// For TypeORM's command line:
//   DATABASE_URL=postgres://... node --import tsx node_modules/typeorm/cli.js migration:show -d ormconfig.ts
// It takes no lock: run it from one place. `npm start` migrates by itself, safe from many processes at once.
import { createPostgresDataSource } from './src/storage/postgres/data-source.js';

const connection = process.env['DATABASE_URL'];
if (!connection) throw new Error('DATABASE_URL is not set. Set it to the Postgres that shall be migrated.');

export const engramDataSource = createPostgresDataSource({
  connection,
  schema: process.env['ENGRAM_SCHEMA'] ?? 'engram',
});
