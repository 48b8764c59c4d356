import type { Worker } from 'bullmq';

/** How long a worker rests, in milliseconds. */
const REST_MS = 1_000;

/** Lets a worker rest after a fault: BullMQ's own asks a server that refuses it again at once, thousands of times a second. */
export class WorkerRest {
  private timer: NodeJS.Timeout | null = null;
  private isOver = false;

  /** Jobs that run go on. */
  begin(worker: Pick<Worker, 'pause' | 'resume'>): void {
    if (this.isOver || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void worker.resume();
    }, REST_MS);
    void worker.pause(true);
  }

  /** For good: a worker that rests does not begin again. */
  end(): void {
    this.isOver = true;
    if (this.timer) clearTimeout(this.timer);
  }
}
