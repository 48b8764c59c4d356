import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { BullModule } from '@nestjs/bullmq';
import { Test } from '@nestjs/testing';
import type { ObservationQueue, QueueDefinition } from 'nestjs-engram';
import { bullMqPostgres, bullMqRedis } from 'nestjs-engram/bullmq';
import { observationQueueContract } from 'nestjs-engram/testing';
import { InProcessQueue } from '../../src/queue/in-process/in-process-queue.js';
import { openTestDatabase } from '../support/test-database.js';

const redis = process.env['ENGRAM_TEST_REDIS_URL'];
const postgres = process.env['ENGRAM_TEST_DATABASE_URL'];

/** As MemoryModule makes it. */
async function open(
  definition: QueueDefinition,
  { imports = [] }: { imports?: Parameters<typeof Test.createTestingModule>[0]['imports'] } = {},
): Promise<{ queue: ObservationQueue; close: () => Promise<void> }> {
  const module = await Test.createTestingModule({
    imports: [...(imports ?? []), ...(definition.imports ?? [])],
    providers: [
      ...(definition.workerProviders ?? []),
      { provide: 'queue', inject: [...(definition.inject ?? [])], useFactory: definition.create },
    ],
  }).compile();
  await module.init();
  return { queue: module.get('queue'), close: () => module.close() };
}

observationQueueContract('InProcessQueue', () =>
  Promise.resolve({ queue: new InProcessQueue({ concurrency: 2 }), close: () => Promise.resolve() }),
);

if (redis) {
  const onRedis = (prefix: string): ReturnType<typeof open> =>
    open(bullMqRedis({ concurrency: 2 }), { imports: [BullModule.forRoot({ connection: { url: redis }, prefix })] });
  const own = (): string => `engram-test-${randomUUID()}`;

  observationQueueContract('BullMQ on Redis', () => onRedis(own()));

  describe('BullMQ on Redis', () => {
    it('gives a wake-up that it took and could not work on to another process', async () => {
      const prefix = own();
      const key = { tenantId: 'acme', scope: 'user:1', turnId: 'a' };
      // Nest's worker takes jobs before the app is up, which this one never is.
      const first = await onRedis(prefix);
      await first.queue.enqueue(key);
      await sleep(500);
      const second = await onRedis(prefix);
      const woken = new Promise((resolve) => void second.queue.start(async (woke) => resolve(woke)));
      await first.queue.stop();
      // Not by the time-out of a lock, as after a crash.
      expect(await Promise.race([woken, sleep(5_000, undefined, { ref: false })])).toEqual(key);
      await second.queue.stop();
      await Promise.all([first.close(), second.close()]);
    });
  });
}
if (postgres) {
  observationQueueContract('BullMQ on Postgres', async () => {
    const { connection } = await openTestDatabase();
    return open(bullMqPostgres({ connection: connection as string, concurrency: 2 }));
  });
}
if (!redis || !postgres) {
  describe('BullMQ', () => {
    it.skip('is held to the contract where Redis and a native Postgres are given', () => undefined);
  });
}
