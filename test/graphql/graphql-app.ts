import type { AddressInfo, Server } from 'node:net';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { MemoryModule } from 'nestjs-engram';
import type { MemoryStore } from 'nestjs-engram';
import { MemoryGraphQLModule, engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { IdentifiableRequest, Identity, MemoryGraphQLOptions } from 'nestjs-engram/graphql';
import { DeterministicEmbedder, ScriptedCompletion } from 'nestjs-engram/testing';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';
import type { RecordedStatements } from '../support/recorded-statements.js';

export interface GraphQLAnswer {
  readonly status: number;
  readonly data: Record<string, unknown> | null | undefined;
  readonly errors: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
  readonly text: string;
}

export interface GraphQLApp {
  readonly app: INestApplication;
  /** `http://127.0.0.1:41234` */
  readonly url: string;
  readonly completion: ScriptedCompletion;
  /** As `tenant/user`; null sends no identity. */
  as(caller: string | null): (query: string, variables?: Record<string, unknown>) => Promise<GraphQLAnswer>;
  /** Rows of memories of all tenants, straight from the database; only where there is one. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** The caller that the test's header names. */
export function identifyByHeader({ headers }: IdentifiableRequest): Identity | null {
  const [tenantId, subject] = String(headers['x-caller'] ?? '').split('/');
  return tenantId && subject ? { tenantId, subject } : null;
}

/** What a host may be built on. */
export type Platform = 'express' | 'fastify';
const ADAPTERS = { express: () => new ExpressAdapter(), fastify: () => new FastifyAdapter() };

export interface GraphQLAppOptions extends Partial<MemoryGraphQLOptions> {
  readonly imports?: ModuleMetadata['imports'];
  readonly providers?: ModuleMetadata['providers'];
  /** Of the host's own GraphQLModule. */
  readonly host?: Partial<ApolloDriverConfig>;
  /** @default express */
  readonly platform?: Platform;
  /** Of what is sent to the database. */
  readonly statements?: RecordedStatements;
  /** Instead of a database, where nothing is asked about what is stored. */
  readonly store?: MemoryStore;
  /** Before it listens. */
  readonly prepare?: (app: INestApplication) => void;
}

/** A host app, on a database of its own unless told otherwise, served over real HTTP. */
export async function graphqlApp({
  imports,
  providers,
  host,
  platform = 'express',
  store,
  statements,
  prepare,
  ...options
}: GraphQLAppOptions = {}): Promise<GraphQLApp> {
  const database = store ? null : await openPostgresStore();
  if (database) statements?.record(database.dataSource);
  const completion = new ScriptedCompletion();
  const sockets = host?.subscriptions?.['graphql-ws'];
  // A client that is late for the busy machine alone is not sent away.
  if (typeof sockets === 'object') sockets.connectionInitWaitTimeout = 120_000;
  const module = await Test.createTestingModule({
    imports: [
      MemoryModule.forRoot({
        storage: { adapter: 'postgres', create: () => store ?? (database as PostgresStoreUnderTest).store },
        embedder: new DeterministicEmbedder(),
        completion,
        observation: { sweepIntervalMs: 0 },
      }),
      MemoryGraphQLModule.forRoot({ identify: identifyByHeader, ...options }),
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        autoSchemaFile: true,
        ...engramGraphQLDefaults({ limits: options.limits ?? {} }),
        ...host,
      }),
      ...(imports ?? []),
    ],
    providers: providers ?? [],
  }).compile();
  const app = module.createNestApplication<INestApplication>(ADAPTERS[platform](), { logger: false });
  prepare?.(app);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    app,
    url,
    completion,
    as:
      (caller) =>
      async (query, variables = {}) => {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(caller === null ? {} : { 'x-caller': caller }) },
          body: JSON.stringify({ query, variables }),
        });
        const text = await response.text();
        const { data, errors = [] } = JSON.parse(text) as Partial<GraphQLAnswer>;
        return { status: response.status, data, errors, text };
      },
    count: async () => {
      const [row] = await (database as PostgresStoreUnderTest).dataSource.query<{ count: string }[]>(
        'SELECT count(*) FROM engram.memories',
      );
      return Number(row?.count);
    },
    close: async () => {
      await app.close();
      await database?.close();
    },
  };
}
