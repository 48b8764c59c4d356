import { NestFactory } from '@nestjs/core';
import { MemoryService } from '../memory/memory.service.js';
import type { Adapters } from './adapters.js';
import type { AdapterConfig } from './config.js';
import { openEventBus } from './event-bus.js';
import { StderrLogger } from './stderr-logger.js';
import { WorkerModule } from './worker.module.js';

export interface RunningWorker {
  readonly adapters: ReturnType<MemoryService['adapters']>;
  /** Finishes turns under way or gives their claims back, then closes the database. */
  close(): Promise<void>;
}

/** Starts a process that works turns. @throws EngramError naming what is wrong with the configuration, the database or the queue */
export async function startWorker({ queue }: AdapterConfig, adapters: Adapters): Promise<RunningWorker> {
  const events = await openEventBus(queue);
  // Told once it is built: of a fault until then Nest would log the stack, and whoever called reports it.
  const app = await NestFactory.createApplicationContext(WorkerModule.with(adapters, events?.pubSub), {
    bufferLogs: true,
    autoFlushLogs: false,
    abortOnError: false,
  });
  app.useLogger(new StderrLogger());
  app.flushLogs();
  return {
    adapters: app.get(MemoryService).adapters(),
    close: async () => {
      await app.close();
      await events?.close();
    },
  };
}
