import { createHash } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import type { TurnKey } from '../../storage/memory-store.js';

/** The queue's name in BullMQ: what a host registers a dashboard for, or injects with `@InjectQueue(ENGRAM_QUEUE_NAME)`. */
export const ENGRAM_QUEUE_NAME = 'engram-observations';

/** The name of its jobs. */
export const WAKE_UP = 'wake-up';

/** All that a job holds: where to look, never what was said. */
export type WakeUp = TurnKey;

/**
 * For how long a wake-up that waits stands for those that follow, in milliseconds. Then another one is let in beside it:
 * a broker that evicts keys can lose a job from its list and keep the rest of it, and nobody would be woken again.
 */
const STANDS_FOR_MS = 30_000;

/**
 * At most one wake-up of a scope waits, and one more follows a wake-up that is being worked, which may have looked for
 * turns already. BullMQ does not try again: the turn's row says whether, and when.
 */
export function wakeUpOptions({ tenantId, scope }: WakeUp, now: number): JobsOptions {
  const name = JSON.stringify([tenantId, scope, Math.floor(now / STANDS_FOR_MS)]);
  return {
    // A custom job id would not do: BullMQ drops a job whose id is being worked.
    deduplication: { id: `e${createHash('sha256').update(name).digest('hex')}`, keepLastIfActive: true },
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
  };
}

/** Null for what somebody else put into the queue. */
export function wakeUpOf(data: unknown): WakeUp | null {
  if (typeof data !== 'object' || data === null) return null;
  const { tenantId, scope, turnId } = data as Partial<Record<keyof WakeUp, unknown>>;
  return typeof tenantId === 'string' && typeof scope === 'string' && typeof turnId === 'string'
    ? { tenantId, scope, turnId }
    : null;
}
