import type { AddressInfo, Server } from 'node:net';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import type { Identify } from '../src/access/identity.js';
import type { ScopedMemory } from '../src/memory/scoped-memory.js';
import type { RecalledMemory } from '../src/model/memory.js';
import { builtGraphQL, builtModule } from './built-app.js';
import { TENANT } from './laboratory.js';
import type { Laboratory } from './laboratory.js';

/** A host's app on Express: our fields, and beside them what a request costs without them. */
export interface GraphQLHost {
  readonly url: string;
  memory(scope: string): ScopedMemory;
  close(): Promise<void>;
}

/**
 * At `/graphql` our fields, and `stored`: a field that gives `answer` without a guard or a recall.
 * At `/recall` and `/stored` the same two from bare Express handlers.
 */
export async function openGraphQLHost(laboratory: Laboratory, answer: readonly RecalledMemory[]): Promise<GraphQLHost> {
  const { MemoryModule, MemoryService, ScriptedCompletion, postgres } = await builtModule();
  const { MemoryGraphQLModule, RecalledMemoryType, engramGraphQLDefaults } = await builtGraphQL();
  const identify: Identify = ({ headers }) => ({ tenantId: TENANT, subject: String(headers['x-subject']) });

  @Resolver()
  class StoredResolver {
    @Query(() => [RecalledMemoryType])
    stored(): readonly RecalledMemory[] {
      return answer;
    }
  }

  @Module({
    imports: [
      MemoryModule.forRoot({
        storage: postgres({ url: laboratory.url }),
        embedder: laboratory.embedder,
        completion: new ScriptedCompletion(),
        recall: { maxDistance: 0.6 },
        // Else it would give a scope an index in the middle of what is measured.
        retention: { upkeepIntervalMs: 0 },
      }),
      MemoryGraphQLModule.forRoot({ identify }),
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        autoSchemaFile: true,
        ...engramGraphQLDefaults({ identify }),
      }),
    ],
    providers: [StoredResolver],
  })
  class HostModule {}

  const app = await NestFactory.create<NestExpressApplication>(HostModule, { logger: ['error', 'warn'] });
  const memories = app.get(MemoryService);
  const memory = (scope: string): ScopedMemory => memories.for({ tenantId: TENANT, scope });
  app.useBodyParser('json');
  app.use('/recall', async ({ headers, body }: Request<unknown, unknown, { query: string }>, response: Response) => {
    response.json(await memory(`user:${String(headers['x-subject'])}`).recall(body.query));
  });
  app.use('/stored', (_request: Request, response: Response) => void response.json(answer));
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, memory, close: () => app.close() };
}
