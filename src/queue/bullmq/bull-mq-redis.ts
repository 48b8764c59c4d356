import { BullModule, getQueueToken } from '@nestjs/bullmq';
import type { RegisterQueueOptions } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import type { QueueDefinition } from '../queue-definition.js';
import { BullMqQueue } from './bull-mq-queue.js';
import { FaultLog } from './fault-log.js';
import { observationProcessor } from './observation.processor.js';
import type { ObservationProcessor } from './observation.processor.js';
import { ENGRAM_QUEUE_NAME } from './wake-up.js';
import type { BullMqWorkerOptions } from './worker-options.js';

export interface BullMqRedisOptions extends BullMqWorkerOptions {
  /** The named configuration of `BullModule.forRoot(configKey, ...)`. @default the one without a name */
  readonly configKey?: string;
  /** Where Redis is, as in `BullModule.registerQueue`. @default the connection of `BullModule.forRoot` */
  readonly connection?: RegisterQueueOptions['connection'];
  /** What its keys begin with. @default the prefix of `BullModule.forRoot`, else `bull` */
  readonly prefix?: string;
}

const ADAPTER = 'bullmq-redis';

/**
 * BullMQ on Redis, on the connection of the host's `BullModule.forRoot` and beside its own queues. Wake-ups that Redis
 * loses, or cannot take because it is down, come from the table later.
 * @throws InvalidOptionsError for a concurrency or a lock time out of range; at boot, without a connection
 */
export function bullMqRedis({ configKey, connection, prefix, ...worker }: BullMqRedisOptions = {}): QueueDefinition {
  const processor = observationProcessor(configKey, worker);
  return {
    adapter: ADAPTER,
    imports: [
      BullModule.registerQueue({
        name: ENGRAM_QUEUE_NAME,
        // The host's are for its own jobs: what they say of attempts, delays or priorities would hold for ours.
        defaultJobOptions: {},
        ...(configKey !== undefined && { configKey }),
        ...(connection !== undefined && { connection }),
        ...(prefix !== undefined && { prefix }),
      }),
    ],
    workerProviders: [processor],
    inject: [getQueueToken(ENGRAM_QUEUE_NAME), { token: processor, optional: true }],
    create: (queue: Queue, consumer?: ObservationProcessor): BullMqQueue => {
      const faults = new FaultLog(ADAPTER, new Logger('MemoryQueue'));
      queue.on('error', (error) => faults.failed(error));
      queue.getBackend().on('ready', () => faults.answered());
      if (!(queue.opts as Partial<Queue['opts']>).connection) {
        // It looks for a Redis on this machine, and would keep the process that failed to boot.
        void queue.getBackend().close(true);
        throw new InvalidOptionsError(
          'queue',
          'bullMqRedis() found no connection. Import BullModule.forRoot({ connection }) in the app, or give bullMqRedis({ connection }).',
        );
      }
      return new BullMqQueue(ADAPTER, queue, consumer?.reportTo(faults) ?? null, faults);
    },
  };
}
