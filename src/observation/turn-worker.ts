import type { MemoryContext } from '../memory/memory-context.js';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import type { TurnKey } from '../storage/memory-store.js';
import { claimOptions } from './claim-options.js';

/** How many turns one sweep hands over. */
const SWEEP_LIMIT = 100;

/** Turns of one scope after which the others get their chance. */
const TURNS_IN_A_ROW = 5;

/** What handing turns over to the queue may take, in milliseconds. */
const HAND_OVER_WITHIN_MS = 30_000;

/** What giving claims back and closing connections may take once the grace is over, in milliseconds. */
const RELEASE_WITHIN_MS = 2_000;

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

  /**
   * Takes nothing new. What runs, for the worker or for an `observe()`, may end within the grace; what does not gives its
   * claim back, so that another process goes on with it at once.
   */
  async stop(): Promise<void> {
    const { running, queue, settings } = this.context;
    this.stopped = true;
    running.close();
    if (this.timer) clearTimeout(this.timer);
    const cutOff = setTimeout(() => running.abort(), settings.observation.shutdownGraceMs);
    try {
      await withDeadline(settings.observation.shutdownGraceMs + RELEASE_WITHIN_MS, async () => {
        await Promise.all([this.sweeping, queue.stop(), running.idle()]);
      });
    } catch (error) {
      // The lease of what still hangs runs out by itself.
      if (!(error instanceof DeadlineError)) throw error;
      this.onError(error);
    } finally {
      clearTimeout(cutOff);
    }
  }

  /** Due turns of the key's scope, in order: the key only says where to look. */
  private async apply(key: TurnKey): Promise<void> {
    const { tenantId, scope } = key;
    const { running, store, queue } = this.context;
    // Told of it too late: handed back, a queue that delivers at once would bring it here again, and again. A sweep of
    // another process finds the turn.
    if (this.stopped) return;
    try {
      for (let applied = 0; applied < TURNS_IN_A_ROW && !this.stopped; applied += 1) {
        const turn = await store.turns.claim({ tenantId, scope }, claimOptions(this.context));
        if (!turn) return;
        await running.run(this.context, { tenantId, scope }, turn);
      }
      // There may be more: behind the scopes that wait meanwhile, or with another process where this one stops.
      await queue.enqueue(key);
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
    const { store, queue } = this.context;
    // What the queue cannot take stays due: handed over, it would be held back from those who can.
    const limit = Math.min(SWEEP_LIMIT, queue.room?.() ?? SWEEP_LIMIT);
    if (limit < 1) return;
    try {
      // Held for a few intervals: a turn that waits in a queue is not handed over again each time.
      const due = await store.turns.sweep({ limit, holdMs: intervalMs * 3 });
      // A queue that does not answer is asked again by the next sweep; without an end to it there would be none.
      await withDeadline(HAND_OVER_WITHIN_MS, () => Promise.all(due.map((key) => queue.enqueue(key))));
    } catch (error) {
      this.onError(error);
    }
  }
}
