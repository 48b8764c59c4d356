// For TypeORM's command line:
//   DATABASE_URL=postgres://... node --import tsx node_modules/typeorm/cli.js migration:show -d ormconfig.ts
// It takes no lock: run it from one place. `npm start` migrates by itself, safe from many processes at once.
import type { DataSource } from 'typeorm';
import { createPostgresDataSource } from './src/storage/postgres/data-source.js';
import { createSchemaWhereMissing } from './src/storage/postgres/migrations.js';

const connection = process.env['DATABASE_URL'];
if (!connection) throw new Error('DATABASE_URL is not set. Set it to the Postgres that shall be migrated.');
const schema = process.env['ENGRAM_SCHEMA'] ?? 'engram';
const partitions = process.env['ENGRAM_PARTITIONS'];

export const engramDataSource: Promise<DataSource> = withSchema(
  createPostgresDataSource({ connection, schema, ...(partitions && { partitions: Number(partitions) }) }),
);

/** TypeORM makes the table of its history before it runs a migration, so the schema has to be there by then. */
async function withSchema(dataSource: DataSource): Promise<DataSource> {
  await dataSource.initialize();
  const queryRunner = dataSource.createQueryRunner();
  await createSchemaWhereMissing(queryRunner, schema);
  await queryRunner.release();
  await dataSource.destroy();
  return dataSource;
}
