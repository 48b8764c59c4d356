import { AsyncResource } from 'node:async_hooks';
import PQueue from 'p-queue';
import { scopeKey } from '../../model/scope.js';
import type { Scope } from '../../model/scope.js';
import type { TurnKey } from '../../storage/memory-store.js';
import type { QueueDefinition } from '../queue-definition.js';
import type { ObservationQueue, TurnHandler } from '../observation-queue.js';
import { wholeOption } from '../whole-option.js';

export interface InProcessQueueOptions {
  /** Scopes worked on at once, 1-1000. @default 4 */
  readonly concurrency?: number;
  /** Scopes that wait in memory, 1-1000000; more are left to the sweeper, their turns stand in the table. @default 1000 */
  readonly maxWaiting?: number;
}

const QUEUE = 'queue in the process';

/** Carries wake-ups inside this process, at most one waiting for each scope. What it loses at a crash, the sweeper finds. */
export class InProcessQueue implements ObservationQueue {
  readonly adapter = 'in-process';
  private readonly queue: PQueue;
  private readonly maxWaiting: number;
  private readonly waiting = new Map<string, TurnKey>();
  /** Without it a turn would run in the async context of whichever request woke the queue. */
  private readonly ownContext = new AsyncResource('InProcessQueue');
  private handler: TurnHandler | null = null;

  /** @throws InvalidOptionsError */
  constructor({ concurrency, maxWaiting }: InProcessQueueOptions = {}) {
    this.queue = new PQueue({
      concurrency: wholeOption(QUEUE, 'concurrency', concurrency, { fallback: 4, min: 1, max: 1_000 }),
    });
    this.maxWaiting = wholeOption(QUEUE, 'maxWaiting', maxWaiting, { fallback: 1_000, min: 1, max: 1_000_000 });
  }

  start(handler: TurnHandler): Promise<void> {
    this.handler = handler;
    return Promise.resolve();
  }

  enqueue({ tenantId, scope: name, turnId }: TurnKey): Promise<void> {
    const { handler } = this;
    const key = { tenantId, scope: name, turnId };
    const scope = scopeKey(key);
    if (handler && !this.waiting.has(scope) && this.waiting.size < this.maxWaiting) {
      this.waiting.set(scope, key);
      void this.queue.add(async () => {
        const next = this.waiting.get(scope);
        // From here on a new wake-up must be heard: the handler may have looked for turns already.
        this.waiting.delete(scope);
        if (next) await this.ownContext.runInAsyncScope(handler, undefined, next);
      });
    }
    return Promise.resolve();
  }

  room(): number {
    return this.handler ? this.maxWaiting - this.waiting.size : 0;
  }

  depth(): Promise<number> {
    return Promise.resolve(this.waiting.size);
  }

  discard(scope: Scope): Promise<void> {
    this.waiting.delete(scopeKey(scope));
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.handler = null;
    this.queue.clear();
    this.waiting.clear();
    await this.queue.onIdle();
  }
}

/** The default queue: turns are applied in this process. */
export function inProcessQueue(options: InProcessQueueOptions = {}): QueueDefinition {
  return { adapter: 'in-process', create: () => new InProcessQueue(options) };
}
