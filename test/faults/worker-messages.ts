import type { Message } from '../../src/model/message.js';
import type { Observation } from '../../src/model/observation.js';
import type { Scope } from '../../src/model/scope.js';
import type { TurnKey } from '../../src/storage/memory-store.js';
import type { Moment } from './watched-statements.js';

/** Where a job can be made to wait. `commit`: the models have answered, the scope is not locked yet. */
export const PLACES = ['extract', 'embed', 'consolidate', 'commit'] as const;
export type Place = (typeof PLACES)[number];

export type WorkerQueue = 'in-process' | 'bullmq-redis' | 'bullmq-postgres';

/** What a worker process is started with, as JSON. */
export interface WorkerSetting {
  readonly url: string;
  /** @default 'in-process' */
  readonly queue?: WorkerQueue;
  /** Of BullMQ on Redis. */
  readonly redis?: { readonly url: string; readonly prefix: string };
  /** Every wake-up goes to two handlers at once, and by the parent to the other processes too. @default false */
  readonly twice?: boolean;
  /** Share 0-1 of model calls that fail. @default 0 */
  readonly failing?: number;
  /** Longest random wait of a model call in milliseconds. @default 0 */
  readonly upToMs?: number;
  /** Share 0-1 of statements at which the process stands still for longer than a claim holds, as one that is starved of its processor. @default 0 */
  readonly standingStill?: number;
  /** The first job that comes there waits, tells, and goes on when it is let. */
  readonly holdAt?: Place;
  /** 0: only what is called here is worked on here. @default 100 */
  readonly sweepIntervalMs?: number;
}

export interface WorkerTurn {
  readonly scope: Scope;
  readonly turnId: string;
  readonly messages: readonly Message[];
  readonly occurredAt?: Date;
}

/** Die at the nth statement of that name; at the nth of any name where none is given. */
export interface KillOrder {
  readonly statement: string | null;
  readonly moment: Moment;
  readonly nth: number;
}

/** How often each statement was sent. */
export type StatementCounts = Readonly<Record<string, number>>;

export type ToWorker =
  | { readonly what: 'call'; readonly id: number; readonly call: 'observe' | 'observeLater'; readonly turn: WorkerTurn }
  | { readonly what: 'kill'; readonly order: KillOrder }
  | { readonly what: 'deliver'; readonly key: TurnKey }
  | { readonly what: 'let-go' }
  | { readonly what: 'statements'; readonly id: number };

export type FromWorker =
  | { readonly what: 'ready' }
  /** It sends statements of turns; not told of each. */
  | { readonly what: 'works' }
  | { readonly what: 'result'; readonly id: number; readonly value: Observation | StatementCounts }
  | { readonly what: 'error'; readonly id: number; readonly code: string; readonly message: string }
  | { readonly what: 'enqueued'; readonly key: TurnKey }
  | { readonly what: 'held' };
