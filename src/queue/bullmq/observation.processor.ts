import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { TurnHandler } from '../observation-queue.js';
import type { WakeUpConsumer } from './bull-mq-queue.js';
import { isOfOneJob, isOutage } from './fault-log.js';
import type { FaultLog } from './fault-log.js';
import { RunningHandlers } from './running-handlers.js';
import { ENGRAM_QUEUE_NAME } from './wake-up.js';
import { WorkerRest } from './worker-rest.js';
import { workerOptions } from './worker-options.js';
import type { BullMqWorkerOptions } from './worker-options.js';

/** The `@Processor` that Nest makes a worker for. Jobs that come before the app is up wait for it. */
export abstract class ObservationProcessor extends WorkerHost implements WakeUpConsumer {
  private readonly handlers = new RunningHandlers();
  private readonly rest = new WorkerRest();
  private faults: FaultLog | null = null;

  reportTo(faults: FaultLog): this {
    this.faults = faults;
    return this;
  }

  async process(job: Job, token?: string): Promise<void> {
    await this.handlers.run(job, token);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    if (isOfOneJob(error)) return;
    this.faults?.failed(error);
    // Where Redis is away, its client waits between its attempts.
    const worker = this.workerIfAny();
    if (worker && !isOutage(error)) this.rest.begin(worker);
  }

  start(handler: TurnHandler): Promise<void> {
    this.handlers.open(handler);
    return Promise.resolve();
  }

  async finish(): Promise<void> {
    this.rest.end();
    await this.workerIfAny()?.pause(true);
    await this.handlers.finish();
  }

  async close(force: boolean): Promise<void> {
    await this.workerIfAny()?.close(force);
  }

  /** There is none where the boot failed before Nest made it, or where the host registers workers by hand. */
  private workerIfAny(): WorkerHost['worker'] | null {
    try {
      return this.worker;
    } catch {
      return null;
    }
  }
}

/** A class for the options of one module: Nest reads them from the decorator. */
export function observationProcessor(
  configKey: string | undefined,
  options: BullMqWorkerOptions,
): Type<ObservationProcessor> {
  class EngramObservationProcessor extends ObservationProcessor {}
  Processor(
    { name: ENGRAM_QUEUE_NAME, ...(configKey !== undefined && { configKey }) },
    workerOptions(options),
  )(EngramObservationProcessor);
  return EngramObservationProcessor;
}
