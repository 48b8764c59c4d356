import { WaitingError } from 'bullmq';
import type { Job } from 'bullmq';
import type { TurnHandler } from '../observation-queue.js';
import { wakeUpOf } from './wake-up.js';

/** Between a worker, which takes jobs from the moment it is made, and the app, which is up later and down earlier. */
export class RunningHandlers {
  private readonly running = new Set<Promise<void>>();
  private readonly opened: Promise<TurnHandler | null>;
  private settle: (handler: TurnHandler | null) => void = () => undefined;
  private closed = false;

  constructor() {
    this.opened = new Promise((resolve) => (this.settle = resolve));
  }

  open(handler: TurnHandler): void {
    this.settle(handler);
  }

  /** @throws WaitingError, which BullMQ knows, for a job that came too late and was put back for another process */
  async run(job: Pick<Job, 'data' | 'moveToWait'>, token?: string): Promise<void> {
    const handler = await this.opened;
    if (!handler || this.closed) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const key = wakeUpOf(job.data);
    if (!key) return;
    const run = handler(key);
    this.running.add(run);
    try {
      await run;
    } finally {
      this.running.delete(run);
    }
  }

  /** Starts none any more, and waits for those that run. */
  async finish(): Promise<void> {
    this.closed = true;
    this.settle(null);
    await Promise.allSettled(this.running);
  }
}
