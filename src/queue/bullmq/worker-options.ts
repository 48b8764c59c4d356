import type { WorkerOptions } from 'bullmq';
import { wholeOption } from '../whole-option.js';

export interface BullMqWorkerOptions {
  /** Scopes that this process works on at once, 1-1000. @default 4 */
  readonly concurrency?: number;
  /** Milliseconds after which the wake-up of a process that died goes to another one, 1000-3600000. @default 10000 */
  readonly lockMs?: number;
}

const QUEUE = 'BullMQ queue';

/** @throws InvalidOptionsError */
export function workerOptions({ concurrency, lockMs }: BullMqWorkerOptions): Omit<WorkerOptions, 'connection'> {
  const lockDuration = wholeOption(QUEUE, 'lockMs', lockMs, { fallback: 10_000, min: 1_000, max: 3_600_000 });
  return {
    concurrency: wholeOption(QUEUE, 'concurrency', concurrency, { fallback: 4, min: 1, max: 1_000 }),
    lockDuration,
    stalledInterval: Math.ceil(lockDuration / 2),
    // A job that comes again finds the turn in whatever state it is; there is no such thing as once too often.
    maxStalledCount: 1_000_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
}
