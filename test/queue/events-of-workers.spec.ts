import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { topicOf } from '../../src/graphql/subscriptions/memory-event-message.js';
import { EventClient } from '../graphql/event-client.js';
import type { Subscription } from '../graphql/event-client.js';
import { AppProcess } from '../server/app-process.js';
import { onServer } from '../faults/native.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { openTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const SLOW = 300_000;

const LATER =
  'mutation ($turnId: ID!, $said: String!) { observeLater(input: { turnId: $turnId, messages: [{ role: USER, content: $said }] }) { status } }';
const TURN = 'query ($turnId: ID!) { observation(turnId: $turnId) { status } }';

// Real processes: one that serves and only hands turns in, one that works them. It takes a server for both databases.
(onServer && hasRedisServer ? describe : describe.skip)('what a worker process learns', () => {
  let redis: RedisServer;
  let env: Record<string, string>;
  let running: AppProcess[];
  let clients: EventClient[];

  beforeEach(async () => {
    redis = await RedisServer.prepare();
    env = { DATABASE_URL: (await openTestDatabase()).connection as string, REDIS_URL: redis.url };
    running = [];
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    await Promise.all(running.map((process) => process.stop('SIGKILL')));
    await redis.kill();
  });

  async function start(entry: 'main' | 'worker'): Promise<AppProcess> {
    const process = await AppProcess.start(entry === 'main' ? { ...env, ENGRAM_WORKER: 'off' } : env, entry);
    running.push(process);
    return process;
  }

  function subscribe(app: AppProcess): Subscription {
    const client = new EventClient(app.url);
    clients.push(client);
    return client.subscribe();
  }

  /** A subscription that Redis knows of; one that was sent away meanwhile is followed by another, as clients do it. */
  async function follow(app: AppProcess): Promise<Subscription> {
    const topic = `0:${topicOf({ tenantId: 'demo', scope: 'user:demo' })}`;
    for (;;) {
      const subscription = subscribe(app);
      let isOpen = true;
      void subscription.ended.then(() => (isOpen = false));
      let followers: unknown = 0;
      await redis.use(async (client) => {
        while (isOpen && followers !== 1) {
          await sleep(20);
          followers = ((await client.call('PUBSUB', 'NUMSUB', topic)) as unknown[])[1];
        }
      });
      if (isOpen) return subscription;
    }
  }

  async function say(app: AppProcess, turnId: string, said: string): Promise<void> {
    expect((await app.graphql(LATER, { turnId, said })).data).toEqual({ observeLater: { status: 'PENDING' } });
  }

  async function learned(app: AppProcess, turnId: string): Promise<void> {
    await until(
      async () => {
        const { data } = await app.graphql(TURN, { turnId });
        return (data?.['observation'] as { status: string } | null)?.status === 'APPLIED';
      },
      () => `${running.map(({ stderr }) => stderr).join('\n')}\nThe learning of ${turnId}`,
    );
  }

  /** Nothing but what the operator may know, and no fault that nobody expected. */
  function expectCalm({ stderr }: AppProcess, lines: number): void {
    expect(stderr).not.toMatch(/vegetarian|Lisbon|unhandled|Error:|at .*\.js:/i);
    expect(stderr.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(lines);
  }

  it(
    'is told to the subscribers of the process that serves',
    async () => {
      await redis.start();
      const [app, worker] = [await start('main'), await start('worker')];
      const subscription = await follow(app);
      await say(app, 'a', 'I am vegetarian.');
      await subscription.until(1);
      expect(subscription.events).toMatchObject([{ action: 'ADDED', scope: 'user:demo' }]);
      expect((await worker.stop()).code).toBe(0);
      expect((await app.stop()).code).toBe(0);
      expect([worker.stderr, app.stderr]).toEqual(['', '']);
    },
    SLOW,
  );

  it(
    'is told again when Redis was away, after subscribers were sent to read again',
    async () => {
      await redis.start();
      const [app, worker] = [await start('main'), await start('worker')];
      const before = await follow(app);
      await redis.kill();
      await say(app, 'a', 'I am vegetarian.');
      await redis.start();
      expect(await before.ended).toMatchObject({ code: 1013 });
      await learned(app, 'a');
      const after = await follow(app);
      await say(app, 'b', 'I live in Lisbon.');
      await after.until(1);
      expect(after.events).toMatchObject([{ action: 'ADDED' }]);
      expect((await worker.stop()).code).toBe(0);
      expect((await app.stop()).code).toBe(0);
      // The queue and the bus, away: each tells of it once in its process, and once more where events were lost.
      expectCalm(app, 3);
      expectCalm(worker, 3);
    },
    SLOW,
  );

  it(
    'is told when Redis comes that was down at the start, and until then the app serves without it',
    async () => {
      const [app, worker] = [await start('main'), await start('worker')];
      await say(app, 'a', 'I am vegetarian.');
      expect(await subscribe(app).ended).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
      expect((await fetch(`${app.url}/health`)).status).toBe(200);
      await redis.start();
      // The worker may still be on its way to the bus: then subscribers are sent to read again, and come back.
      for (let turn = 0, isHeard = false; !isHeard; turn += 1) {
        const subscription = await follow(app);
        await say(app, `b${turn}`, turn % 2 === 0 ? 'I live in Lisbon.' : 'I moved to Porto.');
        isHeard = await Promise.race([subscription.until(1).then(() => true), subscription.ended.then(() => false)]);
      }
      await learned(app, 'a');
      // With Redis away again: neither waits for it.
      await redis.kill();
      expect((await worker.stop()).code).toBe(0);
      expect((await app.stop()).code).toBe(0);
      expectCalm(app, 6);
      expectCalm(worker, 6);
    },
    SLOW,
  );
});
