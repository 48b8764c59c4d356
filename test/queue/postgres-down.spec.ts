import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { bullMqPostgres } from 'nestjs-engram/bullmq';
import { describeOnServer } from '../faults/native.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { openTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { QueuedApps, say } from './queued-apps.js';

/** Less than the grace of what hangs, in milliseconds. Nothing here needs a tenth of it, except on a busy machine. */
const SOON_MS = 30_000;

// The memories are elsewhere: it is the queue's server that goes away.
describeOnServer('an app whose queue on Postgres is down', () => {
  let server: TcpProxy;
  let apps: QueuedApps;

  beforeEach(async () => {
    server = await TcpProxy.prepare((await openTestDatabase()).connection as string);
    apps = new QueuedApps(() => bullMqPostgres({ connection: server.url }));
  });
  afterEach(async () => {
    await apps.close();
    await server.cut();
    expect(apps.logged.join('\n')).not.toMatch(/vegetarian|user:42|127\.0\.0\.1/);
  });

  it('boots, takes turns, and learns them when the server comes', async () => {
    const memory = await apps.boot();
    for (const turnId of ['a', 'b']) expect(await say(memory, turnId)).toMatchObject({ status: 'pending' });
    await until(() => apps.ofQueue().length > 0);
    await sleep(2_500);
    expect(apps.ofQueue()).toEqual([expect.stringMatching(/^The queue bullmq-postgres fails: ECONNREFUSED\./)]);
    await server.open();
    for (const turnId of ['a', 'b']) await apps.learned(memory, turnId);
    // Not the sweeper alone: jobs go through the queue again.
    await until(() => apps.ofQueue().length > 1);
    expect(apps.ofQueue().slice(1)).toEqual(['The queue bullmq-postgres answers again.']);
  });

  it.each(['cut', 'turnAway'] as const)(
    'takes turns when connections are lost (%s), tries again calmly, and learns them when it is back, each time',
    async (how) => {
      await server.open();
      const memory = await apps.boot();
      await say(memory, 'before');
      await apps.learned(memory, 'before');
      for (const round of ['first', 'second']) {
        await server[how]();
        const before = server.tried;
        for (let turn = 0; turn < 5; turn += 1) {
          expect(await say(memory, `${round} ${turn}`)).toMatchObject({ status: 'pending' });
        }
        await sleep(3_000);
        // The sweeper asks ten times a second, by one wake-up at a time; a loop would ask hundreds of times.
        expect(server.tried - before).toBeLessThan(60);
        await server.open();
        for (let turn = 0; turn < 5; turn += 1) await apps.learned(memory, `${round} ${turn}`);
        await say(memory, `${round} after`);
        await apps.learned(memory, `${round} after`);
      }
      const outage = [
        expect.stringMatching(/^The queue bullmq-postgres fails: /),
        'The queue bullmq-postgres answers again.',
      ];
      expect(apps.ofQueue()).toEqual([...outage, ...outage]);
    },
    300_000,
  );

  it('is woken at once after an outage, without a sweeper', async () => {
    await server.open();
    const works = await apps.boot({ observation: { sweepIntervalMs: 0 } });
    const handsIn = await apps.boot({ worker: false });
    await server.cut();
    await sleep(1_500);
    await server.open();
    // Time for the worker to come back and to wait for a notification; that the server answers it finds out by the next turn.
    await sleep(3_000);
    await say(handsIn, 'a');
    await apps.learned(works, 'a');
    expect(apps.ofQueue().filter((line) => line.endsWith('answers again.')).length).toBeGreaterThan(0);
  });

  it('closes soon when the server has never been there', async () => {
    const memory = await apps.boot();
    await say(memory, 'a');
    const began = performance.now();
    await apps.closeLast();
    expect(performance.now() - began).toBeLessThan(SOON_MS);
  });
});
