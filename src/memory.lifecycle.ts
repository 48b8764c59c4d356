import { Inject, Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Telemetry } from './events/telemetry/telemetry.js';
import { MEMORY_CONTEXT, MEMORY_TELEMETRY, MEMORY_WORKER } from './memory.tokens.js';
import type { MemoryContext } from './memory/memory-context.js';
import { errorClass } from './memory/telemetry.js';
import { UpkeepTimer } from './memory/upkeep-timer.js';
import { withDeadline } from './memory/with-deadline.js';
import { TurnWorker } from './observation/turn-worker.js';

/** Longest wait at shutdown for turns that are being handed in, in milliseconds: twice the time that a statement waits for a lock. */
const HAND_IN_WAIT_MS = 10_000;

/** Starts the worker and the upkeep with the app; at shutdown first finishes what runs, then, when no request can come any more, closes the store. */
@Injectable()
export class MemoryLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly worker: TurnWorker;
  private readonly upkeep: UpkeepTimer;
  private readonly logger = new Logger('MemoryWorker');

  constructor(
    @Inject(MEMORY_CONTEXT) private readonly context: MemoryContext,
    @Inject(MEMORY_WORKER) private readonly worksTurns: boolean,
    @Inject(MEMORY_TELEMETRY) private readonly telemetry: Telemetry,
  ) {
    this.worker = new TurnWorker(context, (error) =>
      this.logger.warn(`Turns could not be looked for: ${errorClass(error)}. The next sweep tries again.`),
    );
    this.upkeep = new UpkeepTimer(
      context,
      (error) => this.logger.warn(`The upkeep could not be done: ${errorClass(error)}. The next one tries again.`),
      (count) =>
        this.logger.warn(
          `The upkeep left ${count} scopes that were busy, or whose index could not be made (createScopeIndex says why). A later one tries again.`,
        ),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.worksTurns) await this.worker.start();
    this.upkeep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.upkeep.stop();
    await this.worker.stop();
    // Here too: the host's own DataSource may be closed before our next hook is called.
    await this.settleHandIns();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.settleHandIns();
    await this.context.access.flush();
    await this.context.embedder.stop?.();
    await this.context.store.stop();
    this.telemetry.stop();
  }

  /** A turn that was handed in without waiting is not lost because its request was the last one. */
  private async settleHandIns(): Promise<void> {
    const { handIns } = this.context;
    try {
      await withDeadline(HAND_IN_WAIT_MS, () => handIns.settled());
    } catch {
      this.logger.warn(`${handIns.size} turns were still being handed in after ${HAND_IN_WAIT_MS} ms and may be lost.`);
    }
  }
}
