import { DataSource } from 'typeorm';
import { engramEntities } from './entities.js';
import { engramMigrations } from './migrations.js';
import type { EngramMigrationOptions } from './migrations.js';
import { MIGRATIONS_TABLE } from './run-migrations.js';

/** Where a Postgres listens; `host` may be the folder of a unix socket. */
export interface PostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

export interface PostgresDataSourceOptions extends EngramMigrationOptions {
  /** `postgres://user:password@host:port/database`, or where it listens. */
  readonly connection: string | PostgresConnection;
  /** Connections that this process opens at most. @default 10 */
  readonly poolSize?: number;
  /** Milliseconds to wait for a connection, one that is busy included. @default 10000 */
  readonly connectTimeoutMs?: number;
}

/** A DataSource of our own, not yet connected. Never logs: a logged parameter is a memory's text. */
export function createPostgresDataSource(options: PostgresDataSourceOptions): DataSource {
  const {
    connection,
    poolSize = 10,
    connectTimeoutMs = 10_000,
    schema = 'engram',
    extensionSchema = 'public',
    partitions,
    rowLevelSecurity,
  } = options;
  const target =
    typeof connection === 'string'
      ? { url: connection }
      : {
          host: connection.host,
          port: connection.port,
          username: connection.user,
          password: connection.password,
          database: connection.database,
        };
  return new DataSource({
    type: 'postgres',
    ...target,
    schema,
    entities: engramEntities({ schema }),
    migrations: engramMigrations({ schema, extensionSchema, partitions, rowLevelSecurity }),
    migrationsTableName: MIGRATIONS_TABLE,
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    logging: false,
    applicationName: 'nestjs-engram',
    connectTimeoutMS: connectTimeoutMs,
    poolSize,
    // An idle connection that broke is replaced at the next query, which reports what is wrong.
    poolErrorHandler: () => undefined,
  });
}
