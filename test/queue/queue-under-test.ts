import { randomUUID } from 'node:crypto';
import { BullModule } from '@nestjs/bullmq';
import type { DynamicModule } from '@nestjs/common';
import type { QueueDefinition } from 'nestjs-engram';
import { inProcessQueue } from 'nestjs-engram';
import { bullMqPostgres, bullMqRedis } from 'nestjs-engram/bullmq';
import { onServer } from '../faults/native.js';
import { openTestDatabase } from '../support/test-database.js';

/** One broker of a test's own. */
export interface Broker {
  /** What the host imports beside MemoryModule. */
  readonly imports: readonly DynamicModule[];
  /** The queue of one process on this broker. */
  queue(options: { concurrency: number }): QueueDefinition;
}

const redis = process.env['ENGRAM_TEST_REDIS_URL'];

function onRedis(url: string): Promise<Broker> {
  return Promise.resolve({
    imports: [BullModule.forRoot({ connection: { url }, prefix: `engram-test-${randomUUID()}` })],
    queue: (options) => bullMqRedis(options),
  });
}

async function onPostgres(): Promise<Broker> {
  const { connection } = await openTestDatabase();
  return { imports: [], queue: (options) => bullMqPostgres({ connection: connection as string, ...options }) };
}

/** The three queues; those that need a server only where it is given (test:services). */
export const brokers: readonly (readonly [string, () => Promise<Broker>])[] = [
  ['in-process', () => Promise.resolve({ imports: [], queue: (options) => inProcessQueue(options) })],
  ...(redis === undefined ? [] : [['BullMQ on Redis', () => onRedis(redis)] as const]),
  ...(onServer ? [['BullMQ on Postgres', onPostgres] as const] : []),
];
