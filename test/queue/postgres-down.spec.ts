import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoggerService } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import type { MemoryModuleOptions, ScopedMemory } from 'nestjs-engram';
import { bullMqPostgres } from 'nestjs-engram/bullmq';
import { DeterministicEmbedder, InMemoryMemoryStore, inMemoryStorage, ScriptedCompletion } from 'nestjs-engram/testing';
import { extracted } from '../memory/memory-app.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { openTestDatabase } from '../support/test-database.js';

/** Well below the ten seconds after which supervisors kill. */
const SOON_MS = 6_000;

const native = process.env['ENGRAM_TEST_DATABASE_URL'] !== undefined;

// The memories are elsewhere: it is the queue's server that goes away.
(native ? describe : describe.skip)('an app whose queue on Postgres is down', () => {
  let server: TcpProxy;
  let store: InMemoryMemoryStore;
  let logged: string[];
  let apps: TestingModule[];

  beforeEach(async () => {
    server = await TcpProxy.prepare((await openTestDatabase()).connection as string);
    store = new InMemoryMemoryStore();
    logged = [];
    apps = [];
  });
  afterEach(async () => {
    for (const app of apps) await app.close();
    await server.cut();
    expect(logged.join('\n')).not.toMatch(/vegetarian|user:42|127\.0\.0\.1/);
  });

  async function boot(options: Partial<MemoryModuleOptions> = {}): Promise<ScopedMemory> {
    const keep = (message: unknown): void => void logged.push(String(message));
    const logger: LoggerService = { log: keep, warn: keep, error: keep };
    const app = await Test.createTestingModule({
      imports: [
        MemoryModule.forRoot({
          storage: inMemoryStorage(store),
          queue: bullMqPostgres({ connection: server.url }),
          embedder: new DeterministicEmbedder(),
          completion: new ScriptedCompletion(Array<string>(100).fill(extracted('Is vegetarian')), {
            tasks: ['extract'],
          }),
          observation: { sweepIntervalMs: 100 },
          ...options,
        }),
      ],
    })
      .setLogger(logger)
      .compile();
    apps.push(app);
    await app.init();
    return app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:42' });
  }

  const say = (memory: ScopedMemory, turnId: string): ReturnType<ScopedMemory['observeLater']> =>
    memory.observeLater([{ role: 'user', content: `I am vegetarian, ${turnId}` }], { turnId });

  async function learned(memory: ScopedMemory, turnId: string): Promise<void> {
    for (let waited = 0; ; waited += 20) {
      const found = await memory.observation(turnId);
      if (found?.status === 'applied' || found?.status === 'nothing') return;
      if (waited > 25_000) throw new Error(`${turnId} is ${found?.status}\n${logged.join('\n')}`);
      await sleep(20);
    }
  }

  const ofQueue = (): string[] => logged.filter((line) => line.includes('The queue bullmq-postgres'));

  it('boots, takes turns, and learns them when the server comes', async () => {
    const memory = await boot();
    for (const turnId of ['a', 'b']) expect(await say(memory, turnId)).toMatchObject({ status: 'pending' });
    await sleep(2_500);
    expect(ofQueue()).toEqual([expect.stringMatching(/^The queue bullmq-postgres fails: ECONNREFUSED\./)]);
    await server.open();
    for (const turnId of ['a', 'b']) await learned(memory, turnId);
    // Not the sweeper alone: jobs go through the queue again.
    expect(ofQueue().at(-1)).toBe('The queue bullmq-postgres answers again.');
    expect(ofQueue()).toHaveLength(2);
  }, 60_000);

  it.each(['cut', 'turnAway'] as const)(
    'takes turns when connections are lost (%s), tries again calmly, and learns them when it is back, each time',
    async (how) => {
      await server.open();
      const memory = await boot();
      await say(memory, 'before');
      await learned(memory, 'before');
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
        for (let turn = 0; turn < 5; turn += 1) await learned(memory, `${round} ${turn}`);
        await say(memory, `${round} after`);
        await learned(memory, `${round} after`);
      }
      expect(ofQueue().map((line) => line.replace(/fails: .*/, 'fails'))).toEqual([
        'The queue bullmq-postgres fails',
        'The queue bullmq-postgres answers again.',
        'The queue bullmq-postgres fails',
        'The queue bullmq-postgres answers again.',
      ]);
    },
    90_000,
  );

  it('is woken at once after an outage, without a sweeper', async () => {
    await server.open();
    const works = await boot({ observation: { sweepIntervalMs: 0 } });
    const handsIn = await boot({ worker: false });
    await server.cut();
    await sleep(1_500);
    await server.open();
    // Time for the worker to come back and to wait for a notification; that the server answers it finds out by the next turn.
    await sleep(3_000);
    await say(handsIn, 'a');
    await learned(works, 'a');
    expect(ofQueue().filter((line) => line.endsWith('answers again.')).length).toBeGreaterThan(0);
  }, 60_000);

  it('closes soon when the server has never been there', async () => {
    const memory = await boot();
    await say(memory, 'a');
    const began = performance.now();
    await apps.pop()?.close();
    expect(performance.now() - began).toBeLessThan(SOON_MS);
  }, 30_000);
});
