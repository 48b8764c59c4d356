import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RedisPubSub } from 'graphql-redis-subscriptions';
import { PubSub } from 'graphql-subscriptions';
import { Redis } from 'ioredis';
import { MemoryService } from 'nestjs-engram';
import { engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { IdentifiableRequest, Identity } from 'nestjs-engram/graphql';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import { MemoryEventBus } from '../../src/graphql/subscriptions/memory-event-bus.js';
import type { PubSubBus } from '../../src/graphql/subscriptions/memory-event-bus.js';
import { topicOf } from '../../src/graphql/subscriptions/memory-event-message.js';
import type { MemoryEventMessage } from '../../src/graphql/subscriptions/memory-event-message.js';
import { MemorySubscriptions } from '../../src/graphql/subscriptions/memory-subscriptions.js';
import { EventClient } from '../graphql/event-client.js';
import { graphqlApp } from '../graphql/graphql-app.js';
import type { GraphQLApp } from '../graphql/graphql-app.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

const redisUrl = process.env['ENGRAM_TEST_REDIS_URL'];

async function redisPubSub(url: string): Promise<RedisPubSub> {
  const [publisher, subscriber] = [new Redis(url, { lazyConnect: true }), new Redis(url, { lazyConnect: true })];
  await Promise.all([publisher.connect(), subscriber.connect()]);
  return new RedisPubSub({ publisher, subscriber });
}

const BUSES: readonly (readonly [string, () => Promise<{ bus: PubSubBus; close: () => Promise<unknown> }>])[] = [
  ['in this process', () => Promise.resolve({ bus: new PubSub(), close: () => Promise.resolve() })],
  ...(redisUrl === undefined
    ? []
    : ([
        [
          'over Redis',
          async () => {
            const bus = await redisPubSub(redisUrl);
            return { bus, close: () => bus.close() };
          },
        ],
      ] as const)),
];

const message = (scope: string, number: number): MemoryEventMessage => ({
  action: 'added',
  memoryId: `memory ${number} "\\ 漢字 👩‍👩‍👧`,
  tenantId: 'acme',
  scope,
  at: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, number)).toISOString(),
});

/** As another process does it. */
const send = (bus: PubSubBus, sent: MemoryEventMessage): Promise<void> => bus.publish(topicOf(sent), sent);

describe.each(BUSES)('a bus %s', (_, open) => {
  it('brings each scope its messages as they were sent, in order, and no others', async () => {
    const { bus: engine, close } = await open();
    const bus = new MemoryEventBus(engine, () => undefined);
    const received: Record<string, MemoryEventMessage[]> = { one: [], other: [] };
    const sinks = Object.entries(received).map(([scope, messages]) => ({
      scope: { tenantId: 'acme', scope },
      sink: (got: MemoryEventMessage) => void messages.push(got),
    }));
    for (const { scope, sink } of sinks) await bus.follow(scope, sink);
    const sent = Array.from({ length: 50 }, (__, number) => message(number % 2 ? 'one' : 'other', number));
    for (const next of sent) await send(engine, next);
    await send(engine, { ...message('one', 0), tenantId: 'other tenant' });
    await until(() => received['one']?.length === 25 && received['other']?.length === 25);
    expect(received['one']).toEqual(sent.filter(({ scope }) => scope === 'one'));
    expect(received['other']).toEqual(sent.filter(({ scope }) => scope === 'other'));
    for (const { scope, sink } of sinks) await bus.leave(scope, sink);
    expect(bus.size).toBe(0);
    await close();
  });

  it('brings nothing that is no message of ours', async () => {
    const { bus: engine, close } = await open();
    const topics: string[] = [];
    const bus = new MemoryEventBus(
      {
        ...{ publish: (topic, payload) => engine.publish(topic, payload), unsubscribe: (id) => engine.unsubscribe(id) },
        subscribe: (topic, onMessage, options) => {
          topics.push(topic);
          return engine.subscribe(topic, onMessage, options);
        },
      },
      () => undefined,
    );
    const received: MemoryEventMessage[] = [];
    const sink = (got: MemoryEventMessage): void => void received.push(got);
    await bus.follow({ tenantId: 'acme', scope: 'one' }, sink);
    for (const payload of [null, 7, 'text', [], {}, { ...message('one', 1), action: 'dropped' }, message('two', 2)])
      await engine.publish(topics[0] ?? '', payload);
    await send(engine, message('one', 3));
    await until(() => received.length > 0);
    expect(received).toEqual([message('one', 3)]);
    await bus.leave({ tenantId: 'acme', scope: 'one' }, sink);
    await close();
  });

  it('ends with the last follower, also when that one leaves at once', async () => {
    const { bus: engine, close } = await open();
    const bus = new MemoryEventBus(engine, () => undefined);
    const scope = { tenantId: 'acme', scope: 'brief' };
    const received: MemoryEventMessage[] = [];
    const late = (got: MemoryEventMessage): void => void received.push(got);
    const early = (): void => undefined;
    const following = bus.follow(scope, early);
    const leaving = bus.leave(scope, early);
    await Promise.all([following, leaving]);
    await bus.follow(scope, late);
    await send(engine, message('brief', 1));
    await until(() => received.length === 1);
    await bus.leave(scope, late);
    expect(bus.size).toBe(0);
    await close();
  });
});

if (redisUrl === undefined) {
  describe('memoryEvents over Redis', () => {
    it.skip('is tried where ENGRAM_TEST_REDIS_URL is given: npm run test:services', () => undefined);
  });
} else {
  describe('memoryEvents over Redis', () => {
    const identify = ({ connectionParams }: IdentifiableRequest): Identity | null => {
      const [tenantId, subject] = String(connectionParams?.['caller'] ?? '').split('/');
      return tenantId && subject ? { tenantId, subject } : null;
    };
    const ends: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    /** One process of several: they share the database and Redis, and nothing else. */
    async function serve(store: InMemoryMemoryStore): Promise<GraphQLApp & { bus: RedisPubSub }> {
      const bus = await redisPubSub(redisUrl as string);
      const app = await graphqlApp({ store, identify, pubSub: bus, host: engramGraphQLDefaults({ identify }) });
      ends.push(
        () => bus.close(),
        () => app.close(),
      );
      return { ...app, bus };
    }

    async function follow(
      { app, bus }: Awaited<ReturnType<typeof serve>>,
      user = 'ana',
    ): Promise<ReturnType<EventClient['subscribe']>> {
      const client = new EventClient((await app.getUrl()).replace('[::1]', '127.0.0.1'), {
        connectionParams: { caller: `acme/${user}` },
      });
      ends.push(() => client.close());
      const subscription = client.subscribe();
      const topic = topicOf({ tenantId: 'acme', scope: `user:${user}` });
      for (let followers = 0; followers === 0; await sleep(10)) {
        followers = Number(((await bus.getPublisher().call('PUBSUB', 'NUMSUB', topic)) as unknown[])[1]);
      }
      return subscription;
    }

    it('reaches a subscriber of another process', async () => {
      const store = new InMemoryMemoryStore();
      const [one, other] = [await serve(store), await serve(store)];
      const ana = await follow(other);
      await one.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ben' }).add('Is Ben');
      const { memory } = await one.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ana' }).add('Is Ana');
      await ana.until(1);
      expect(ana.events).toMatchObject([{ action: 'ADDED', memoryId: memory?.id, scope: 'user:ana' }]);
    });

    it('sends subscribers away to read again, when the connection to Redis was lost for a while', async () => {
      const served = await serve(new InMemoryMemoryStore());
      const ana = await follow(served);
      served.bus.getSubscriber().disconnect(true);
      expect(await ana.ended).toMatchObject({ code: 1013 });
      expect(served.app.get(MemorySubscriptions).size).toEqual({ scopes: 0, subscriptions: 0 });
      const again = await follow(served);
      await served.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ana' }).add('Is back');
      await again.until(1);
    });

    it('sends subscribers of another process away to read again, when an event did not get onto the bus', async () => {
      const store = new InMemoryMemoryStore();
      const [one, other] = [await serve(store), await serve(store)];
      const [ana, ben] = [await follow(other), await follow(other, 'ben')];
      const publish = one.bus.publish.bind(one.bus);
      one.bus.publish = () => {
        one.bus.publish = publish;
        return Promise.reject(new Error('gone'));
      };
      await one.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ana' }).add('Is Ana');
      expect(await ana.ended).toMatchObject({ code: 1013 });
      await one.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ben' }).add('Is Ben');
      await ben.until(1);
    });

    it('stores a memory all the same when events cannot be published', async () => {
      const served = await serve(new InMemoryMemoryStore());
      served.bus.publish = () => Promise.reject(new Error('gone'));
      const { memory } = await served.app
        .get(MemoryService)
        .for({ tenantId: 'acme', scope: 'user:ana' })
        .add('Is kept');
      expect(memory?.content).toBe('Is kept');
    });
  });
}

// A Redis of their own, installed or in the folder that services:up built.
(hasRedisServer ? describe : describe.skip)('a bus on a Redis that goes away', () => {
  const scope = { tenantId: 'acme', scope: 'one' };
  const sink = (): void => undefined;

  it('outlives it, whatever begins and ends meanwhile, on clients that give commands up', async () => {
    const redis = await RedisServer.prepare();
    // The twenty attempts that ioredis makes by default, in less time.
    const connection = { port: Number(new URL(redis.url).port), retryStrategy: () => 10 };
    const engine = new RedisPubSub({ connection, connectionListener: () => undefined });
    let gaps = 0;
    const bus = new MemoryEventBus(engine, () => (gaps += 1));
    try {
      await redis.start();
      await bus.follow(scope, sink);
      for (let round = 1; round <= 2; round += 1) {
        await redis.kill();
        // Each of these is a promise that RedisPubSub leaves to nobody.
        void bus.leave(scope, sink);
        await expect(bus.follow(scope, sink)).rejects.toThrow(/no answer within/);
        await redis.start();
        await until(() => gaps >= round);
        const received: MemoryEventMessage[] = [];
        const late = (got: MemoryEventMessage): void => void received.push(got);
        await bus.follow(scope, late);
        await send(engine, message('one', round));
        await until(() => received.length === 1);
        await bus.leave(scope, late);
        await bus.follow(scope, sink);
      }
    } finally {
      bus.end();
      engine.getPublisher().disconnect();
      engine.getSubscriber().disconnect();
      await redis.kill();
    }
  });
});
