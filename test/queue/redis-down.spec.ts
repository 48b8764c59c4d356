import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BullModule } from '@nestjs/bullmq';
import type { ScopedMemory } from 'nestjs-engram';
import { bullMqRedis } from 'nestjs-engram/bullmq';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';
import { QueuedApps, say } from './queued-apps.js';

/** What a chat can wait for without anybody noticing, in milliseconds: less than the queue waits for its server. */
const AT_ONCE_MS = 1_000;
/** Less than the grace of what hangs, in milliseconds. Nothing here needs a tenth of it, except on a busy machine. */
const SOON_MS = 30_000;

// They kill and start a Redis of their own, which takes its program: installed, or in the folder that services:up built.
const suite = hasRedisServer ? describe : describe.skip;

// A Redis of their own, which no services:up needs to have started: installed, or in the folder that it built.
suite('an app whose Redis is down', () => {
  let redis: RedisServer;
  let apps: QueuedApps;

  beforeEach(async () => {
    redis = await RedisServer.prepare();
    apps = new QueuedApps(bullMqRedis, () => [BullModule.forRoot({ connection: { url: redis.url } })]);
  });
  afterEach(async () => {
    await apps.close();
    await redis.kill();
  });

  const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await work;
    expect(performance.now() - began).toBeLessThan(ms);
    return result;
  };
  /** The machine may stand still at one or another, but a call that waits for the server does so each time. */
  const sayAtOnce = async (memory: ScopedMemory, turnIds: readonly string[]): Promise<void> => {
    const waits: number[] = [];
    for (const turnId of turnIds) {
      const began = performance.now();
      expect(await say(memory, turnId)).toMatchObject({ status: 'pending' });
      waits.push(performance.now() - began);
    }
    expect(Math.min(...waits)).toBeLessThan(AT_ONCE_MS);
  };

  it('boots, takes turns at once, and learns them when Redis comes', async () => {
    const memory = await within(SOON_MS, apps.boot());
    await sayAtOnce(memory, ['a', 'b', 'c']);
    await until(() => apps.ofQueue().length > 0);
    await sleep(2_500);
    expect(apps.ofQueue()).toEqual([expect.stringContaining('fails: ECONNREFUSED')]);
    await redis.start();
    for (const turnId of ['a', 'b', 'c']) await apps.learned(memory, turnId);
    expect(apps.ofQueue().slice(1)).toEqual(['The queue bullmq-redis answers again.']);
    expect(apps.logged.join('\n')).not.toContain('vegetarian');
    expect(apps.logged.join('\n')).not.toContain('user:42');
  });

  it('takes turns at once when Redis dies in the middle, and learns them when it is back', async () => {
    await redis.start();
    const memory = await apps.boot();
    await say(memory, 'before');
    await apps.learned(memory, 'before');
    await redis.kill();
    const turns = Array.from({ length: 20 }, (_, turn) => `t${turn}`);
    await sayAtOnce(memory, turns);
    await sleep(2_500);
    await sayAtOnce(memory, ['later', 'much later']);
    await redis.start();
    for (const turn of turns) await apps.learned(memory, turn);
    await apps.learned(memory, 'later');
    expect(apps.ofQueue().map((line) => line.replace(/fails: .*/, 'fails'))).toEqual([
      'The queue bullmq-redis fails',
      'The queue bullmq-redis answers again.',
    ]);
  });

  it('asks a Redis that refuses calmly, and works when it does so no more', async () => {
    await redis.start();
    const tried = async (): Promise<number> => {
      let refused = 0;
      await redis.use(async (client) => {
        refused = Number(/errorstat_NOREPLICAS:count=(\d+)/.exec(await client.info('errorstats'))?.[1] ?? 0);
      });
      return refused;
    };
    // As after a failover: it answers, and takes no writes.
    await redis.use(async (client) => void (await client.config('SET', 'min-replicas-to-write', '1')));
    const memory = await apps.boot();
    expect(await say(memory, 'a')).toMatchObject({ status: 'pending' });
    await until(async () => (await tried()) > 0);
    await sleep(3_000);
    // The sweeper asks ten times a second; a loop would ask thousands of times.
    expect(await tried()).toBeLessThan(300);
    expect(apps.ofQueue()).toEqual([expect.stringContaining('fails: NOREPLICAS')]);
    await redis.use(async (client) => void (await client.config('SET', 'min-replicas-to-write', '0')));
    await apps.learned(memory, 'a');
  });

  it('closes soon when Redis has never been there', async () => {
    const memory = await apps.boot();
    await say(memory, 'a');
    await within(SOON_MS, apps.closeLast());
  });

  it('closes soon when Redis went away, with wake-ups on their way', async () => {
    await redis.start();
    const memory = await apps.boot();
    await say(memory, 'a');
    await apps.learned(memory, 'a');
    await redis.kill();
    await say(memory, 'b');
    await within(SOON_MS, apps.closeLast());
  });

  it('erases without Redis', async () => {
    await redis.start();
    const memory = await apps.boot({ worker: false });
    await redis.kill();
    await say(memory, 'a');
    expect(await within(SOON_MS, memory.forgetAll())).toMatchObject({ turns: 1 });
  });

  it('finds again by the sweeper what a flush of Redis has lost', async () => {
    await redis.start();
    const handsIn = await apps.boot({ worker: false });
    await say(handsIn, 'a');
    await redis.use(async (client) => {
      while (!(await client.exists('bull:engram-observations:wait'))) await sleep(5);
      await client.flushall();
    });
    const works = await apps.boot();
    await apps.learned(works, 'a');
  });

  it('is woken at once where Redis is there, without a sweeper', async () => {
    await redis.start();
    const works = await apps.boot({ observation: { sweepIntervalMs: 0 } });
    const handsIn = await apps.boot({ worker: false });
    await say(handsIn, 'a');
    await apps.learned(works, 'a');
  });
});
