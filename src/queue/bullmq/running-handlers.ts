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

  /** Jobs that wait for a handler end without one. */
  close(): void {
    this.closed = true;
    this.settle(null);
  }

  async run(data: unknown): Promise<void> {
    const handler = await this.opened;
    const key = wakeUpOf(data);
    if (!handler || !key || this.closed) return;
    const run = handler(key);
    this.running.add(run);
    try {
      await run;
    } finally {
      this.running.delete(run);
    }
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
