import { Inject, Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { MEMORY_CONTEXT, MEMORY_WORKER } from './memory.tokens.js';
import type { MemoryContext } from './memory/memory-context.js';
import { errorClass } from './memory/telemetry.js';
import { UpkeepTimer } from './memory/upkeep-timer.js';
import { TurnWorker } from './observation/turn-worker.js';

/** Starts the worker and the upkeep with the app; at shutdown first finishes what runs, then, when no request can come any more, closes the store. */
@Injectable()
export class MemoryLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly worker: TurnWorker;
  private readonly upkeep: UpkeepTimer;

  constructor(
    @Inject(MEMORY_CONTEXT) private readonly context: MemoryContext,
    @Inject(MEMORY_WORKER) private readonly worksTurns: boolean,
  ) {
    const logger = new Logger('MemoryWorker');
    this.worker = new TurnWorker(context, (error) =>
      logger.warn(`Turns could not be looked for: ${errorClass(error)}. The next sweep tries again.`),
    );
    this.upkeep = new UpkeepTimer(
      context,
      (error) => logger.warn(`The upkeep could not be done: ${errorClass(error)}. The next one tries again.`),
      (count) => logger.warn(`The upkeep left ${count} scopes that were busy. The next one tries again.`),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.worksTurns) await this.worker.start();
    this.upkeep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.upkeep.stop();
    await this.worker.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.context.access.flush();
    await this.context.embedder.stop?.();
    await this.context.store.stop();
  }
}
