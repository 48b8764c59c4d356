import PQueue from 'p-queue';
import type { PortDefinition } from '../../port-definition.js';
import type { TurnKey } from '../../storage/memory-store.js';
import type { ObservationQueue, TurnHandler } from '../observation-queue.js';

export interface InProcessQueueOptions {
  /** Scopes worked on at once. @default 4 */
  readonly concurrency?: number;
  /** Scopes that wait in memory; more are left to the sweeper, their turns stand in the table. @default 1000 */
  readonly maxWaiting?: number;
}

/** Carries wake-ups inside this process, at most one waiting for each scope. What it loses at a crash, the sweeper finds. */
export class InProcessQueue implements ObservationQueue {
  readonly adapter = 'in-process';
  private readonly queue: PQueue;
  private readonly maxWaiting: number;
  private readonly waiting = new Set<string>();
  private handler: TurnHandler | null = null;

  constructor({ concurrency = 4, maxWaiting = 1_000 }: InProcessQueueOptions = {}) {
    this.queue = new PQueue({ concurrency });
    this.maxWaiting = maxWaiting;
  }

  start(handler: TurnHandler): Promise<void> {
    this.handler = handler;
    return Promise.resolve();
  }

  enqueue(key: TurnKey): Promise<void> {
    const { handler } = this;
    const scope = JSON.stringify([key.tenantId, key.scope]);
    if (handler && !this.waiting.has(scope) && this.waiting.size < this.maxWaiting) {
      this.waiting.add(scope);
      void this.queue.add(async () => {
        // From here on a new wake-up must be heard: the handler may have looked for turns already.
        this.waiting.delete(scope);
        await handler(key);
      });
    }
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
export function inProcessQueue(options: InProcessQueueOptions = {}): PortDefinition<ObservationQueue> {
  return { adapter: 'in-process', create: () => new InProcessQueue(options) };
}
