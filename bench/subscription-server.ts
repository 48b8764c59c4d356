// The server of the bench of subscriptions: one process as it is deployed. Run by `fork` with `--import tsx --expose-gc`.
import 'reflect-metadata';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import type { Identify } from '../src/access/identity.js';
import { builtGraphQL, builtModule } from './built-app.js';
import { InstantEmbedder } from './instant-model.js';
import type { FromServer, SentEvent, ServerSetting, ToServer } from './subscription-messages.js';

const TENANT = 'bench';
const DIMENSIONS = 1536;

const { databaseUrl, subjects } = JSON.parse(process.argv[2] ?? '{}') as ServerSetting;
const tell = (message: FromServer): void => void process.send?.(message);
const now = (): number => performance.timeOrigin + performance.now();

const { MemoryModule, MemoryService, ScriptedCompletion, postgres } = await builtModule();
const { MemoryGraphQLModule, MemorySubscriptions, engramGraphQLDefaults } = await builtGraphQL();
const identify: Identify = ({ connectionParams }) => ({
  tenantId: TENANT,
  subject: String(connectionParams?.['subject']),
});

@Module({
  imports: [
    MemoryModule.forRoot({
      storage: postgres({ url: databaseUrl }),
      embedder: new InstantEmbedder(DIMENSIONS),
      completion: new ScriptedCompletion(),
    }),
    MemoryGraphQLModule.forRoot({ identify }),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      ...engramGraphQLDefaults({ identify }),
    }),
  ],
})
class HostModule {}

const app = await NestFactory.create(HostModule, { logger: ['error', 'warn'] });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
const memories = app.get(MemoryService);
const sent: SentEvent[] = [];
memories.onEvent(({ name, payload }) => {
  if (name === 'memory.added') sent.push({ memoryId: payload.memoryId, scope: payload.scope, at: now() });
});

function usage(): void {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  tell({
    what: 'usage',
    subscriptions: app.get(MemorySubscriptions).size.subscriptions,
    heapBytes: heapUsed,
    residentBytes: rss,
    cpuMs: (user + system) / 1_000,
  });
}

async function remember({ events, aSecond }: ToServer & { what: 'remember' }): Promise<void> {
  const since = performance.now();
  const adding: Promise<unknown>[] = [];
  for (let number = 0; number < events; number += 1) {
    // By the clock, not one after the other: what is slow shows as late events, and not as fewer.
    await sleep(Math.max(0, since + (1_000 * number) / aSecond - performance.now()));
    const memory = memories.for({ tenantId: TENANT, scope: `user:${number % subjects}` });
    adding.push(memory.add(`Visited place number ${number}`));
  }
  await Promise.all(adding);
  tell({ what: 'remembered', events: sent });
}

process.on('message', (message: ToServer) => {
  if (message.what === 'usage') usage();
  else void remember(message);
});
process.on('disconnect', () => process.exit());
const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
tell({ what: 'ready', url: `ws://127.0.0.1:${port}/graphql` });
