import { NestFactory } from '@nestjs/core';
import { MemoryService } from '../memory/memory.service.js';
import type { Adapters } from './adapters.js';
import { StderrLogger } from './stderr-logger.js';
import { WorkerModule } from './worker.module.js';

export interface RunningWorker {
  readonly adapters: ReturnType<MemoryService['adapters']>;
  /** Finishes turns under way or gives their claims back, then closes the database. */
  close(): Promise<void>;
}

/** Starts a process that works turns. @throws EngramError naming what is wrong with the configuration, the database or the queue */
export async function startWorker(adapters: Adapters): Promise<RunningWorker> {
  // Silent while it is built: Nest would log a fault with its stack, and whoever called reports it.
  const app = await NestFactory.createApplicationContext(WorkerModule.with(adapters), {
    logger: false,
    abortOnError: false,
  });
  app.useLogger(new StderrLogger());
  return { adapters: app.get(MemoryService).adapters(), close: () => app.close() };
}
