import { Logger } from '@nestjs/common';
import { withBackend } from 'bullmq';
import type { PostgresPoolConfig, Worker } from 'bullmq';
import { EngramError } from '../../errors/engram-error.js';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { UnavailableError } from '../../errors/unavailable-error.js';
import type { TurnHandler } from '../observation-queue.js';
import type { QueueDefinition } from '../queue-definition.js';
import { BullMqQueue } from './bull-mq-queue.js';
import type { WakeUpConsumer } from './bull-mq-queue.js';
import { FaultLog, isOfOneJob, isOutage, kindOfFault } from './fault-log.js';
import { LastingConnection, postgresBackend } from './postgres-backend.js';
import { requireNotifications } from './require-notifications.js';
import { RunningHandlers } from './running-handlers.js';
import { ENGRAM_QUEUE_NAME } from './wake-up.js';
import type { WakeUp } from './wake-up.js';
import { WorkerRest } from './worker-rest.js';
import { workerOptions } from './worker-options.js';
import type { BullMqWorkerOptions } from './worker-options.js';

export interface BullMqPostgresOptions extends BullMqWorkerOptions {
  /** URL or pool options of `pg`, of the server itself: BullMQ listens for notifications, which no pooler in transaction mode delivers. */
  readonly connection: string | PostgresPoolConfig;
  /** The schema of BullMQ's tables. @default 'engram_queue' */
  readonly schema?: string;
  /** Create and migrate that schema at start. False: `runMigrations` of bullmq has been called. @default true */
  readonly migrate?: boolean;
}

const ADAPTER = 'bullmq-postgres';

/** Connections of the pool that puts jobs in, and of the one that takes them out; each has one more that listens. */
const POOL_SIZE = 2;

/** How soon the worker tries again when the server went away, in milliseconds. BullMQ's own 15 s are for Redis, whose client reconnects by itself. */
const RETRY_MS = 1_000;

/** A server that does not answer a new connection counts as down, in milliseconds; pg's own patience has no end. */
const CONNECTS_WITHIN_MS = 10_000;

/** BullMQ's classes on this backend alone: the process-wide switch would turn the host's queues over too. */
type Classes = ReturnType<typeof classesOn>;

function classesOn(faults: FaultLog) {
  return withBackend(postgresBackend(faults));
}

class PostgresConsumer implements WakeUpConsumer {
  private readonly handlers = new RunningHandlers();
  private readonly rest = new WorkerRest();
  private worker: Pick<Worker, 'pause' | 'close'> | null = null;

  constructor(
    private readonly classes: Classes,
    private readonly connection: PostgresPoolConfig,
    private readonly options: ReturnType<typeof workerOptions>,
    private readonly faults: FaultLog,
  ) {}

  start(handler: TurnHandler): Promise<void> {
    this.handlers.open(handler);
    const { Worker: PostgresWorker } = this.classes;
    const worker = new PostgresWorker<WakeUp, void>(ENGRAM_QUEUE_NAME, (job, token) => this.handlers.run(job, token), {
      ...this.options,
      connection: this.connection,
      runRetryDelay: RETRY_MS,
    });
    worker.on('error', (error) => {
      if (isOfOneJob(error)) return;
      this.faults.failed(error);
      this.rest.begin(worker);
    });
    this.worker = worker;
    return Promise.resolve();
  }

  async finish(): Promise<void> {
    this.rest.end();
    await this.worker?.pause(true);
    await this.handlers.finish();
  }

  async close(force: boolean): Promise<void> {
    await this.worker?.close(force);
  }
}

/**
 * Finds out what a host must mend. A server that is not there is none of it: it is tried again as long as the app runs.
 * @throws UnavailableError, InvalidOptionsError saying what is wrong with the server, without its address
 */
async function examine(connection: PostgresPoolConfig, faults: FaultLog): Promise<void> {
  const trial = new LastingConnection(connection);
  trial.on('error', () => undefined);
  try {
    await requireNotifications(trial);
    await trial.waitUntilReady();
  } catch (error) {
    if (error instanceof EngramError) throw error;
    if (isOutage(error)) return faults.failed(error);
    throw new UnavailableError(
      `The queue ${ADAPTER} could not be opened (${kindOfFault(error)}). It needs a Postgres of its own address, not through a pooler in transaction mode, and a role that may create the schema ${connection.schema}, or migrate: false.`,
      { cause: error },
    );
  } finally {
    await trial.close().catch(() => undefined);
  }
}

/**
 * BullMQ on Postgres, beside the memories or in another database. Tables of BullMQ's own, in a schema of their own.
 * @throws InvalidOptionsError for options out of range; at boot, on a server that delivers no notifications (the embedded
 * database, a pooler in transaction mode)
 * @throws UnavailableError at boot, when the server refuses the connection or the schema. One that cannot be reached is
 * tried again, as long as the app runs; turns wait in the table until then.
 */
export function bullMqPostgres({
  connection,
  schema = 'engram_queue',
  migrate = true,
  ...worker
}: BullMqPostgresOptions): QueueDefinition {
  if (!connection) {
    throw new InvalidOptionsError(
      'queue.connection',
      'bullMqPostgres() has no connection. Give the URL of a Postgres, or pool options of pg.',
    );
  }
  const options = workerOptions(worker);
  const target: PostgresPoolConfig = {
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    schema,
    migrate,
  };
  return {
    adapter: ADAPTER,
    create: async (): Promise<BullMqQueue> => {
      const faults = new FaultLog(ADAPTER, new Logger('MemoryQueue'));
      await examine(target, faults);
      const classes = classesOn(faults);
      const queue = new classes.Queue<WakeUp>(ENGRAM_QUEUE_NAME, { connection: target });
      queue.on('error', (error) => faults.failed(error));
      return new BullMqQueue(ADAPTER, queue, new PostgresConsumer(classes, target, options, faults), faults);
    },
  };
}
