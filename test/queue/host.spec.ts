import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BullModule, InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import type { Job, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import type { MemoryModuleOptions, ScopedMemory } from 'nestjs-engram';
import { bullMqPostgres, bullMqRedis, ENGRAM_QUEUE_NAME } from 'nestjs-engram/bullmq';
import { DeterministicEmbedder, inMemoryStorage, ScriptedCompletion } from 'nestjs-engram/testing';
import { extracted } from '../memory/memory-app.js';
import { temporaryFolder } from '../server/app-process.js';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { openTestDatabase } from '../support/test-database.js';

const handled: unknown[] = [];

@Processor('mails')
class MailProcessor extends WorkerHost {
  process({ data }: Job): Promise<void> {
    handled.push(data);
    return Promise.resolve();
  }
}

/** A dashboard, say. */
@Injectable()
class Dashboard {
  constructor(@InjectQueue(ENGRAM_QUEUE_NAME) readonly queue: Queue) {}
}

const base = (): MemoryModuleOptions => ({
  storage: inMemoryStorage(),
  embedder: new DeterministicEmbedder(),
  completion: new ScriptedCompletion([extracted('Is vegetarian')]),
  observation: { sweepIntervalMs: 0 },
});

async function boot(
  options: Partial<MemoryModuleOptions>,
  imports: readonly DynamicModule[] = [],
  providers: readonly Provider[] = [],
): Promise<TestingModule> {
  const app = await Test.createTestingModule({
    imports: [...imports, MemoryModule.forRoot({ ...base(), ...options })],
    providers: [...providers],
  }).compile();
  await app.init();
  return app;
}

async function learnOne(app: TestingModule): Promise<ScopedMemory> {
  const memory = app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:42' });
  await memory.observeLater([{ role: 'user', content: 'I am vegetarian' }], { turnId: 'a' });
  while ((await memory.observation('a'))?.status !== 'applied') await new Promise(setImmediate);
  return memory;
}

// A Redis of their own, installed or in the folder that services:up built.
const onRedis = hasRedisServer ? describe : describe.skip;

onRedis('a host with BullMQ queues of its own', () => {
  let redis: RedisServer;
  let app: TestingModule | null = null;

  beforeEach(async () => {
    redis = await RedisServer.prepare();
    await redis.start();
    handled.length = 0;
  });
  afterEach(async () => {
    await app?.close();
    app = null;
    await redis.kill();
  });

  const prefixes = async (): Promise<string[]> => {
    let keys: string[] = [];
    await redis.use(async (client) => void (keys = await client.keys('*')));
    return [...new Set(keys.map((key) => key.split(':').slice(0, 2).join(':')))].sort();
  };

  it('shares its connection and prefix with the memories, and neither takes the jobs of the other', async () => {
    app = await boot(
      { queue: bullMqRedis() },
      [
        BullModule.forRoot({ connection: { url: redis.url }, prefix: 'shop' }),
        BullModule.registerQueue({ name: 'mails' }),
      ],
      [MailProcessor],
    );
    await app.get<Queue>('BullQueue_mails').add('welcome', { to: 'ada' });
    await learnOne(app);
    while (handled.length === 0) await new Promise(setImmediate);
    expect(handled).toEqual([{ to: 'ada' }]);
    expect(await prefixes()).toEqual(['shop:engram-observations', 'shop:mails']);
  });

  it('can give the memories a configuration by name, and leave its job options to its own jobs', async () => {
    app = await boot({ queue: bullMqRedis({ configKey: 'memories' }) }, [
      BullModule.forRoot({ connection: { host: '127.0.0.1', port: 1, retryStrategy: () => null }, prefix: 'wrong' }),
      BullModule.forRoot('memories', {
        connection: { url: redis.url },
        prefix: 'right',
        // A day later, and kept for ever: right for its own jobs, perhaps.
        defaultJobOptions: { delay: 86_400_000, attempts: 5, removeOnComplete: false },
      }),
    ]);
    await learnOne(app);
    expect(await prefixes()).toEqual(['right:engram-observations']);
  });

  it('keeps a client of its own open, which it gave as the connection', async () => {
    const client = new Redis(redis.url, { maxRetriesPerRequest: null });
    app = await boot({ queue: bullMqRedis() }, [BullModule.forRoot({ connection: client })]);
    await learnOne(app);
    await app.close();
    app = null;
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
  });

  it('can inject the queue, sees ids in it and never a word, and finds no job that is done', async () => {
    app = await boot(
      { queue: bullMqRedis(), worker: false },
      [BullModule.forRoot({ connection: { url: redis.url } })],
      [Dashboard],
    );
    const { queue } = app.get(Dashboard);
    const memory = app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:42' });
    await memory.observeLater([{ role: 'user', content: 'I am vegetarian' }], { turnId: 'a' });
    while ((await queue.getJobCounts('waiting'))['waiting'] === 0) await new Promise(setImmediate);
    const [job] = await queue.getJobs(['waiting']);
    expect(job?.data).toEqual({ tenantId: 'acme', scope: 'user:42', turnId: 'a' });
    await redis.use(async (client) => {
      const keys = await client.keys('*');
      const hashes = await Promise.all(
        keys.map(async (key) => ((await client.type(key)) === 'hash' ? client.hgetall(key) : {})),
      );
      expect(JSON.stringify([keys, hashes])).not.toContain('vegetarian');
    });

    await memory.forgetAll();
    expect(await queue.getJobCounts('waiting', 'active', 'completed', 'failed')).toEqual({
      waiting: 0,
      active: 0,
      completed: 0,
      failed: 0,
    });
  });

  it('leaves nothing of a wake-up that was worked', async () => {
    app = await boot({ queue: bullMqRedis() }, [BullModule.forRoot({ connection: { url: redis.url } })], [Dashboard]);
    await learnOne(app);
    const { queue } = app.get(Dashboard);
    const open = async (): Promise<number> => (await queue.getJobs()).length;
    while ((await open()) > 0) await new Promise(setImmediate);
    await redis.use(async (client) => {
      expect((await client.keys('*')).filter((key) => /:(de|dn|e[0-9a-f]{64}|\d+)(:|$)/.test(key))).toEqual([]);
    });
  });

  it('runs the example, which ends by itself', async () => {
    const folder = temporaryFolder();
    try {
      const { PATH = '', HOME = '' } = process.env;
      const run = (): Promise<{ stdout: string; stderr: string }> =>
        promisify(execFile)(
          process.execPath,
          [
            '--import',
            pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
            fileURLToPath(new URL('../../examples/queues.ts', import.meta.url)),
          ],
          {
            cwd: folder.path,
            env: {
              PATH,
              HOME,
              REDIS_URL: redis.url,
              TSX_TSCONFIG_PATH: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)),
            },
          },
        );
      let { stdout, stderr } = await run();
      // On a busy machine the model may take longer than a recall waits.
      for (let tries = 1; tries < 5 && !stdout.includes('</engram-memory>'); tries += 1)
        ({ stdout, stderr } = await run());
      expect(stdout).toContain('mail to ada@example.org');
      expect(stdout).toContain('Is vegetarian</engram-memory>');
      expect(stderr).toBe('');
    } finally {
      folder.remove();
    }
  });
});

describe('bullMqRedis', () => {
  it('says at boot that the app has no connection for it, and how to give one', async () => {
    await expect(boot({ queue: bullMqRedis() })).rejects.toThrow(/Import BullModule\.forRoot\(\{ connection \}\)/);
    await expect(boot({ queue: bullMqRedis({ configKey: 'memories' }) })).rejects.toThrow(/memories/);
  });

  it.each([{ concurrency: 0 }, { concurrency: 1.5 }, { lockMs: 10 }])('refuses %j', (options) => {
    expect(() => bullMqRedis(options)).toThrow(/must be a whole number from/);
    expect(() => bullMqPostgres({ connection: 'postgres://db/app', ...options })).toThrow(/must be a whole number/);
  });
});

describe('bullMqPostgres', () => {
  it('refuses to boot without a connection', () => {
    expect(() => bullMqPostgres({ connection: '' })).toThrow(/no connection/);
  });

  it('boots where no server is there, and keeps its address and password to itself', async () => {
    const logged: string[] = [];
    const warn = jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((message: unknown) => void logged.push(String(message)));
    const app = await boot({ queue: bullMqPostgres({ connection: 'postgres://app:hunter2@127.0.0.1:1/app' }) });
    await app.close();
    warn.mockRestore();
    expect(logged).toEqual([expect.stringMatching(/^The queue bullmq-postgres fails: ECONNREFUSED\./)]);
  });

  if (process.env['ENGRAM_TEST_DATABASE_URL']) {
    it('says that a server refuses it, without its address or password', async () => {
      const url = new URL((await openTestDatabase()).connection as string);
      url.password = 'hunter2';
      const refused = boot({ queue: bullMqPostgres({ connection: url.href }) });
      await expect(refused).rejects.toThrow(/could not be opened \(28P01\)/);
      await expect(refused).rejects.not.toThrow(/hunter2|127\.0\.0\.1/);
    });

    it('works in a schema of its own, and leaves no connection open', async () => {
      const { connection } = await openTestDatabase();
      const app = await boot({ queue: bullMqPostgres({ connection: connection as string }) });
      await learnOne(app);
      await app.close();
    });

    // Where pgbouncer is installed, as services:up does it on Debian.
    (hasPgBouncer ? it : it.skip)(
      'refuses a pooler in transaction mode',
      async () => {
        const pooler = await startPgBouncer((await openTestDatabase()).connection as string, { poolSize: 2 });
        try {
          await expect(boot({ queue: bullMqPostgres({ connection: pooler.url }) })).rejects.toThrow(
            /pooler in transaction mode/,
          );
        } finally {
          await pooler.stop();
        }
      },
      30_000,
    );
  } else {
    it('refuses the embedded database', async () => {
      const { connection, close } = await openTestDatabase();
      try {
        await expect(boot({ queue: bullMqPostgres({ connection: { ...(connection as object) } }) })).rejects.toThrow(
          /The embedded database does not.*inProcessQueue\(\)/,
        );
      } finally {
        await close();
      }
    });
  }
});
