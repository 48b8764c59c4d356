import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RedisPubSub } from 'graphql-redis-subscriptions';
import { Redis } from 'ioredis';
import { MemoryService } from 'nestjs-engram';
import { engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { IdentifiableRequest, Identity } from 'nestjs-engram/graphql';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import WebSocket from 'ws';
import { topicOf } from '../../src/graphql/subscriptions/memory-event-message.js';
import { MemorySubscriptions } from '../../src/graphql/subscriptions/memory-subscriptions.js';
import { EVENTS } from '../graphql/event-client.js';
import { graphqlApp } from '../graphql/graphql-app.js';
import { until } from '../support/until.js';

const redisUrl = process.env['ENGRAM_TEST_REDIS_URL'];

const USERS = Array.from({ length: 40 }, (_, number) => `crowd ${number}`);
const scopeOf = (subject: string): { tenantId: string; scope: string } => ({
  tenantId: 'acme',
  scope: `user:${subject}`,
});

const identify = ({ connectionParams }: IdentifiableRequest): Identity | null => {
  const subject = connectionParams?.['caller'];
  return typeof subject === 'string' ? { tenantId: 'acme', subject } : null;
};

/** One of several processes: they share the database and Redis, and nothing else. */
class Server {
  private constructor(
    readonly url: string,
    readonly redis: Redis,
    private readonly app: Awaited<ReturnType<typeof graphqlApp>>,
    private readonly bus: RedisPubSub,
  ) {}

  static async start(store: InMemoryMemoryStore, redisUrl: string): Promise<Server> {
    const publisher = new Redis(redisUrl);
    const bus = new RedisPubSub({ publisher, subscriber: new Redis(redisUrl) });
    const app = await graphqlApp({ store, identify, pubSub: bus, host: engramGraphQLDefaults({ identify }) });
    return new Server(app.url, publisher, app, bus);
  }

  get open(): MemorySubscriptions['size'] {
    return this.app.app.get(MemorySubscriptions).size;
  }

  async add(subject: string, content: string): Promise<void> {
    await this.app.app.get(MemoryService).for(scopeOf(subject)).add(content);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.bus.close();
  }
}

/** A subscriber whose connection can be cut as a phone cuts it that goes into a tunnel: without a word. */
class Subscriber {
  events = 0;

  private constructor(private readonly socket: WebSocket) {
    // What is cut off in the middle of its opening says so.
    socket.on('error', () => undefined);
  }

  static async connect({ url }: Server, subject: string): Promise<Subscriber> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const subscriber = new Subscriber(socket);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { caller: subject } }));
    await new Promise((resolve) => socket.once('message', resolve));
    socket.on('message', (message: Buffer) => {
      if ((JSON.parse(message.toString()) as { type: string }).type === 'next') subscriber.events += 1;
    });
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: EVENTS } }));
    return subscriber;
  }

  vanish(): void {
    this.socket.terminate();
  }

  leave(): void {
    this.socket.close();
  }
}

if (redisUrl === undefined) {
  describe('a crowd of subscribers', () => {
    it.skip('is tried where ENGRAM_TEST_REDIS_URL is given: npm run test:services', () => undefined);
  });
} else {
  describe('a crowd of subscribers', () => {
    const servers: Server[] = [];
    afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

    const subscriptions = (): number => servers.reduce((sum, { open }) => sum + open.subscriptions, 0);
    /** Processes that follow a user on Redis, summed over all users. */
    async function channels(): Promise<number> {
      const topics = USERS.map((subject) => topicOf(scopeOf(subject)));
      const counts = ((await servers[0]?.redis.call('PUBSUB', 'NUMSUB', ...topics)) ?? []) as unknown[];
      return counts.reduce((sum: number, count, index) => sum + (index % 2 ? Number(count) : 0), 0);
    }
    const connect = (number: number): Promise<Subscriber> =>
      Subscriber.connect(servers[number % 2] as Server, USERS[(number >> 1) % USERS.length] as string);

    it('leaves nothing behind of those who vanish, and misses nobody who stays', async () => {
      const store = new InMemoryMemoryStore();
      servers.push(await Server.start(store, redisUrl), await Server.start(store, redisUrl));
      const crowd = await Promise.all(Array.from({ length: 200 }, (_, number) => connect(number)));
      await until(() => subscriptions() === 200);
      expect(await channels()).toBe(2 * USERS.length);

      const [gone, staying] = [crowd.filter((_, n) => n % 4 < 2), crowd.filter((_, n) => n % 4 >= 2)];
      for (const subscriber of gone) subscriber.vanish();
      await until(() => subscriptions() === 100);
      await until(async () => (await channels()) === USERS.length);

      for (let round = 0; round < 8; round += 1) {
        await Promise.all(
          Array.from({ length: 50 }, async (_, number) => {
            const brief = await connect(number + round);
            if (number % 3 === 0) await sleep(number);
            if (number % 2 === 0) brief.vanish();
            else brief.leave();
          }),
        );
      }
      await until(() => subscriptions() === 100);
      await until(async () => (await channels()) === USERS.length);

      for (const [number, subject] of USERS.entries()) await servers[number % 2]?.add(subject, `Is number ${number}`);
      await until(() => staying.every(({ events }) => events === 1));
      expect(gone.every(({ events }) => events === 0)).toBe(true);

      for (const subscriber of staying) subscriber.leave();
      await until(() => subscriptions() === 0);
      await until(async () => (await channels()) === 0);
      expect(servers.map(({ open }) => open.scopes)).toEqual([0, 0]);
    }, 240_000);
  });
}
