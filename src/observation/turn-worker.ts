import type { MemoryContext } from '../memory/memory-context.js';
import type { TurnKey } from '../storage/memory-store.js';
import { runTurn } from './run-turn.js';

/** How many turns one sweep hands over. */
const SWEEP_LIMIT = 100;

/** Applies turns that the queue names, and finds those whose wake-up got lost. */
export class TurnWorker {
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly context: MemoryContext,
    private readonly onError: (error: unknown) => void,
  ) {}

  async start(): Promise<void> {
    await this.context.queue.start((key) => this.apply(key));
    const { sweepIntervalMs } = this.context.settings.observation;
    if (sweepIntervalMs > 0) this.scheduleSweep(0, sweepIntervalMs);
  }

  /** Finishes what runs, takes nothing new. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.sweeping;
    await this.context.queue.stop();
  }

  /** Every due turn of the key's scope, in order: the key only says where to look. */
  private async apply({ tenantId, scope }: TurnKey): Promise<void> {
    const { leaseMs } = this.context.settings.observation;
    try {
      while (!this.stopped) {
        const turn = await this.context.store.turns.claim({ tenantId, scope }, { leaseMs });
        if (!turn) return;
        await runTurn(this.context, { tenantId, scope }, turn);
      }
    } catch (error) {
      // The store is out of reach; the turn's row says where it stands, and the sweeper comes back to it.
      this.onError(error);
    }
  }

  private scheduleSweep(delayMs: number, intervalMs: number): void {
    this.timer = setTimeout(() => {
      this.sweeping = this.sweep(intervalMs).finally(() => {
        if (!this.stopped) this.scheduleSweep(intervalMs, intervalMs);
      });
    }, delayMs).unref();
  }

  private async sweep(intervalMs: number): Promise<void> {
    try {
      // Held for a few intervals: a turn that waits in this process's queue is not handed over again each time.
      const due = await this.context.store.turns.sweep({ limit: SWEEP_LIMIT, holdMs: intervalMs * 3 });
      for (const key of due) await this.context.queue.enqueue(key);
    } catch (error) {
      this.onError(error);
    }
  }
}
