import { assertSchemaCompatibility, PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import type { BackendFactory, PostgresPoolConfig } from 'bullmq';
import type { FaultLog } from './fault-log.js';

/** As BullMQ's own, which keeps a first failure for good: this one tries again when it is asked again. */
export class LastingConnection extends PostgresConnection {
  private prepared: Promise<void> | null = null;

  constructor(private readonly config: PostgresPoolConfig) {
    super(config);
  }

  override waitUntilReady(): Promise<void> {
    this.prepared ??= this.prepare().catch((error: unknown) => {
      this.prepared = null;
      throw error;
    });
    return this.prepared;
  }

  private async prepare(): Promise<void> {
    const client = await this.pool.connect();
    // The statements fail by themselves; without a listener the client's own report would end the process.
    client.on('error', () => undefined);
    let isBroken = true;
    try {
      await (this.config.migrate ? runMigrations : assertSchemaCompatibility)(client, this.schema, {
        skipVersionCheck: this.config.skipVersionCheck ?? false,
      });
      isBroken = false;
    } finally {
      client.release(isBroken);
    }
  }
}

/** As BullMQ's own, and tells of what its worker meets: BullMQ keeps a refused connection to itself. */
class TellingBackend extends PostgresQueueBackend {
  constructor(
    private readonly faults: FaultLog,
    ...backend: ConstructorParameters<typeof PostgresQueueBackend>
  ) {
    super(...backend);
  }

  override async moveToActive(...job: Parameters<PostgresQueueBackend['moveToActive']>): Promise<unknown[]> {
    const taken = await this.telling(() => super.moveToActive(...job));
    this.faults.answered();
    return taken;
  }

  override waitForJob(seconds: number): ReturnType<PostgresQueueBackend['waitForJob']> {
    return this.telling(() => super.waitForJob(seconds));
  }

  private async telling<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.emit('error', error);
      throw error;
    }
  }
}

/** What `withBackend` of bullmq makes queues and workers of, whose server may be down at first or for a while. */
export function postgresBackend(faults: FaultLog): BackendFactory<PostgresQueueBackend, PostgresPoolConfig> {
  return (name, options, { withBlockingConnection } = {}) =>
    new TellingBackend(
      faults,
      new LastingConnection(options.connection as PostgresPoolConfig),
      name,
      options,
      true,
      // By that name a dashboard counts the workers.
      withBlockingConnection ? name : undefined,
    );
}
