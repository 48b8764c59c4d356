import type { WorkerOptions } from 'bullmq';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';

export interface BullMqWorkerOptions {
  /** Scopes that this process works on at once, 1-1000. @default 4 */
  readonly concurrency?: number;
  /** Milliseconds after which the wake-up of a process that died goes to another one, 1000-3600000. @default 10000 */
  readonly lockMs?: number;
}

function whole(option: string, value: number | undefined, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InvalidOptionsError(
      `queue.${option}`,
      `Option ${option} of the BullMQ queue must be a whole number from ${min} to ${max}. Leave it out for ${fallback}.`,
    );
  }
  return value;
}

/** @throws InvalidOptionsError */
export function workerOptions({ concurrency, lockMs }: BullMqWorkerOptions): Omit<WorkerOptions, 'connection'> {
  const lockDuration = whole('lockMs', lockMs, 10_000, 1_000, 3_600_000);
  return {
    concurrency: whole('concurrency', concurrency, 4, 1, 1_000),
    lockDuration,
    stalledInterval: Math.ceil(lockDuration / 2),
    // A job that comes again finds the turn in whatever state it is; there is no such thing as once too often.
    maxStalledCount: 1_000_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
}
