import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { LoggerService } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { PubSub } from 'graphql-subscriptions';
import { MemoryModule } from 'nestjs-engram';
import type { QueueDefinition } from 'nestjs-engram';
import { engramGraphQLDefaults, MemoryGraphQLModule } from 'nestjs-engram/graphql';
import type { MemoryGraphQLOptions } from 'nestjs-engram/graphql';
import { DeterministicEmbedder, inMemoryStorage, ScriptedCompletion } from 'nestjs-engram/testing';
import { identifyByHeader } from './graphql-app.js';

/** One that others may take from, too. */
const sharedQueue: QueueDefinition = {
  adapter: 'shared',
  create: () => ({
    adapter: 'shared',
    start: () => Promise.resolve(),
    enqueue: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  }),
};

interface Host {
  readonly memory?: { readonly queue?: QueueDefinition; readonly worker?: boolean };
  readonly options?: Partial<MemoryGraphQLOptions>;
  readonly subscriptions?: boolean;
}

/** What the app warns of at its start. */
async function warnings({ memory, options, subscriptions = true }: Host): Promise<string[]> {
  const warned: string[] = [];
  const silent = (): void => undefined;
  const logger: LoggerService = { log: silent, error: silent, warn: (message) => void warned.push(String(message)) };
  const { subscriptions: sockets, ...defaults } = engramGraphQLDefaults({ identify: identifyByHeader });
  const module = await Test.createTestingModule({
    imports: [
      MemoryModule.forRoot({
        storage: inMemoryStorage(),
        embedder: new DeterministicEmbedder(),
        completion: new ScriptedCompletion(),
        ...memory,
      }),
      MemoryGraphQLModule.forRoot({ identify: identifyByHeader, ...options }),
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        autoSchemaFile: true,
        ...defaults,
        ...(subscriptions && sockets && { subscriptions: sockets }),
      }),
    ],
  })
    .setLogger(logger)
    .compile();
  const app = module.createNestApplication();
  await app.init();
  await app.close();
  return warned.filter((line) => line.includes('Subscribers'));
}

describe('an app that serves subscriptions without a bus', () => {
  it.each([
    ['has a queue that others may take from', { queue: sharedQueue }, 'over the queue shared'],
    ['only hands turns in', { worker: false }, 'others learn from turns'],
  ])('says at its start that they miss events where it %s', async (_, memory, why) => {
    expect(await warnings({ memory })).toEqual([expect.stringMatching(new RegExp(`${why}.*"pubSub" that they share`))]);
  });

  it('says nothing where no other process learns', async () => {
    expect(await warnings({})).toEqual([]);
  });

  it('says nothing where it has a bus, or serves no subscriptions', async () => {
    const memory = { queue: sharedQueue, worker: false };
    expect(await warnings({ memory, options: { pubSub: new PubSub() } })).toEqual([]);
    expect(await warnings({ memory, subscriptions: false })).toEqual([]);
  });
});
