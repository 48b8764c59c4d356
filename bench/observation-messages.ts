export const QUEUES = ['in-process', 'bullmq-redis', 'bullmq-postgres'] as const;
export type BenchQueue = (typeof QUEUES)[number];

/** What a worker of the bench is started with, as JSON. */
export interface BenchWorkerSetting {
  readonly url: string;
  readonly queue: BenchQueue;
  readonly redisUrl: string;
}

/** What it is asked to do; one thing at a time. */
export type Task =
  /** Hand in turns, several at once, and work on whatever comes. */
  | { readonly what: 'hand-in'; readonly tenantId: string; readonly scopes: readonly string[]; readonly turns: number }
  /** Hand in one turn after the other, each when the one before is applied. */
  | { readonly what: 'one-by-one'; readonly tenantId: string; readonly turns: number }
  /** Turns in scopes that are nearly empty and in one of so many memories, by turns. */
  | { readonly what: 'growth'; readonly tenantId: string; readonly memories: number; readonly turns: number };

/** Milliseconds of one turn, from being handed in to being applied. */
export interface TurnTimes {
  readonly whole: number;
  /** In the queue: from the wake-up to the worker that takes it. */
  readonly queued: number;
  /** Waiting for answers of Postgres, of the connections that memories go through. */
  readonly inPostgres: number;
  readonly statements: number;
}

export type FromBenchWorker =
  | { readonly what: 'ready' }
  | { readonly what: 'applied' }
  /** Processor time of this process, by all its threads, since it was asked. */
  | { readonly what: 'handed-in' }
  | { readonly what: 'usage'; readonly cpuMs: number; readonly inPostgresMs: number; readonly statements: number }
  | { readonly what: 'times'; readonly times: readonly TurnTimes[] }
  | {
      readonly what: 'grown';
      readonly small: readonly number[];
      readonly large: readonly number[];
      readonly indexed: readonly number[];
    };
