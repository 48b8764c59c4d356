import type { MemoryContext } from './memory-context.js';
import { upkeep } from './upkeep.js';

/** How often large scopes are looked for, at most: it reads the row of every scope. */
const INDEXES_EVERY_MS = 10 * 60 * 1_000;

/** Does the upkeep every `retention.upkeepIntervalMs`, one run after the other. */
export class UpkeepTimer {
  private indexedAt = -Infinity;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly context: MemoryContext,
    private readonly onError: (error: unknown) => void,
    private readonly onScopesLeft: (count: number) => void,
  ) {}

  start(): void {
    const { upkeepIntervalMs } = this.context.settings.retention;
    if (upkeepIntervalMs > 0) this.schedule(upkeepIntervalMs);
  }

  /** Finishes the transaction that runs; an index that is being built is given up. */
  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  private schedule(intervalMs: number): void {
    this.timer = setTimeout(() => {
      const indexes = performance.now() - this.indexedAt >= INDEXES_EVERY_MS;
      if (indexes) this.indexedAt = performance.now();
      this.running = upkeep(this.context, { signal: this.stopping.signal, indexes })
        .then(({ failed }) => {
          if (failed > 0) this.onScopesLeft(failed);
        }, this.onError)
        .finally(() => {
          if (!this.stopping.signal.aborted) this.schedule(intervalMs);
        });
    }, intervalMs).unref();
  }
}
