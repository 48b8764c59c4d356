import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import type { PortDefinition } from '../../port-definition.js';
import type { MemoryStore } from '../memory-store.js';
import { createPostgresDataSource } from './data-source.js';
import { INDEX_SCOPES_FROM } from './index-large-scopes.js';
import { PostgresMemoryStore } from './postgres-memory-store.js';
import type { RowLevelSecurityOptions } from './row-level-security.js';

export interface PostgresStorageOptions {
  /** Schema of our tables. @default 'engram' */
  readonly schema?: string;
  /** Where pgvector is created if it is not installed. @default 'public' */
  readonly extensionSchema?: string;
  /** Text search configuration that words are stemmed with. @default 'english' */
  readonly language?: string;
  /** Memories of a scope from which its own index answers, where `createScopeIndex` has made one. @default 30000 */
  readonly hnswFrom?: number;
  /**
   * Memories of a scope from which upkeep gives it its own index by itself, 1,000 or more; false for none. It costs such a
   * scope as much disk again, and keeps what a turn costs from growing with it (docs/scaling.md). The connection has to be
   * direct and of the tables' owner, and a second one free for the time of a build. Not with `rowLevelSecurity`.
   *
   * @default 5000 for `postgres({ url })` that migrates by itself, where it is possible; else none: indexes are made by `createScopeIndex`
   */
  readonly indexScopesFrom?: number | false;
  /**
   * Keep the statement of recall prepared on each connection, which saves its planning. Behind a pooler that shares
   * connections, which is noticed, it goes unprepared all the same. @default true
   */
  readonly preparedStatements?: boolean;
  /** Hash partitions of every table, 1-256; for what runs the migrations here. @default none: whole tables */
  readonly partitions?: number;
  /**
   * Tell each transaction whose memory it is about, so that the policies of `engramMigrations({ rowLevelSecurity: true })`
   * let it see and write nothing else. The connection must be bound by them: no superuser, no BYPASSRLS, or switched to a
   * `role` that is neither. A read then takes three round trips more. @default false
   */
  readonly rowLevelSecurity?: boolean | RowLevelSecurityOptions;
}

export interface HostDataSourceOptions extends PostgresStorageOptions {
  /** Name of the TypeORM DataSource as given to `TypeOrmModule.forRoot`. @default the app's default one */
  readonly name?: string;
  /** Run what is missing of our migrations at start, apart from the host's own. @default false: the host runs `engramMigrations()` with its own */
  readonly migrate?: boolean;
}

/** Keeps memories in the host's own database, on a DataSource of `TypeOrmModule.forRoot`. */
export function hostDataSource({
  name,
  migrate = false,
  ...options
}: HostDataSourceOptions = {}): PortDefinition<MemoryStore> {
  return {
    adapter: 'postgres',
    inject: [{ token: getDataSourceToken(name), optional: true }],
    create: (dataSource?: DataSource) => {
      if (!dataSource) {
        throw new InvalidOptionsError(
          'storage',
          `Option storage: the app has no TypeORM DataSource${name === undefined ? '' : ` named ${name}`}. Import TypeOrmModule.forRoot(...), or give postgres({ url }) or embeddedPostgres({ dataDir }).`,
        );
      }
      if (dataSource.options.type !== 'postgres') {
        throw new InvalidOptionsError(
          'storage',
          `Option storage: the DataSource ${name ?? 'default'} is of type ${dataSource.options.type}, memories need postgres. Name another DataSource, or use postgres({ url }).`,
        );
      }
      return new PostgresMemoryStore(dataSource, { preparedStatements: true, ...options, migrate });
    },
  };
}

export interface PostgresUrlOptions extends PostgresStorageOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Connections that this process opens at most. @default 10 */
  readonly poolSize?: number;
  /** Run what is missing of the migrations at start. @default true */
  readonly migrate?: boolean;
}

/** Keeps memories in a Postgres with pgvector of their own, on a DataSource that the module opens and closes. */
export function postgres({
  url,
  poolSize,
  migrate = true,
  indexScopesFrom,
  ...options
}: PostgresUrlOptions): PortDefinition<MemoryStore> {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new InvalidOptionsError(
      'storage',
      'Option storage: url must start with postgres://. Give postgres://user:password@host:port/database.',
    );
  }
  return {
    adapter: 'postgres',
    create: () =>
      new PostgresMemoryStore(
        createPostgresDataSource({ connection: url, ...(poolSize === undefined ? {} : { poolSize }), ...options }),
        {
          preparedStatements: true,
          ...options,
          migrate,
          // Of tables that it may change unasked; a host's own DataSource makes nothing that the host has not asked for.
          indexScopesFrom: indexScopesFrom ?? (migrate && INDEX_SCOPES_FROM),
          indexIfPossible: indexScopesFrom === undefined,
          ownsDataSource: true,
        },
      ),
  };
}
