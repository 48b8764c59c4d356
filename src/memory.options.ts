import type { Completion } from './completion/completion.js';
import type { Embedder } from './embedding/embedder.js';
import type { EventPublisher } from './events/event-publisher.js';
import type { Clock } from './memory/clock.js';
import type { TokenCounter } from './memory/token-counter.js';
import type { RecallMode } from './model/memory.js';
import type { Message } from './model/message.js';
import type { Scope } from './model/scope.js';
import type { PersistencePolicy } from './policy/persistence-policy.js';
import type { Redactor } from './policy/redactor.js';
import type { QueueDefinition } from './queue/queue-definition.js';
import type { PortDefinition } from './port-definition.js';
import type { MemoryStore } from './storage/memory-store.js';

export type StorageDefinition = PortDefinition<MemoryStore>;

/** What shapes the provider graph: given synchronously, beside `useFactory` in `forRootAsync`. */
export interface MemoryStructure {
  /** Where memories live. @default hostDataSource(): the app's default TypeORM DataSource */
  readonly storage?: StorageDefinition;
  /** What carries turns to the worker. @default inProcessQueue() */
  readonly queue?: QueueDefinition;
  /**
   * Work turns in this process: those of the queue, and those whose wake-up got lost. False: it only hands them in (and
   * works those of its own `observe`), and there must be another process that works. @default true
   */
  readonly worker?: boolean;
  /** Export `MemoryService` to every module. @default true */
  readonly isGlobal?: boolean;
}

export interface RecallOptions {
  /** Most memories a recall returns unless it says otherwise, 1-100. @default 5 */
  readonly limit?: number;
  /** Which legs answer. @default 'hybrid' */
  readonly mode?: RecallMode;
  /** Cosine distance 0-2 up to which a memory is relevant. @default the embedder's calibration */
  readonly maxDistance?: number;
  /** Share 0-1 of the query's words by weight from which words alone let a memory in. @default the embedder's calibration */
  readonly minCoverage?: number;
  /** Weight 0-1 of meaning against words. @default the embedder's calibration */
  readonly denseWeight?: number;
  /** Milliseconds that the embedder may take before words alone answer. @default 800 */
  readonly embedTimeoutMs?: number;
  /**
   * Share 0-1 of a score that importance makes up; with `recencyWeight` at most 1, relevance has the rest. Orders what is
   * relevant, lets nothing in. Above 0, equal text scores less than 1. @default 0
   */
  readonly importanceWeight?: number;
  /** Share 0-1 of a score that recency makes up: 1 for a memory that changed now, halved every half-life. @default 0 */
  readonly recencyWeight?: number;
  /** Days after its last change in which a memory loses half of its recency, 0.01-36,500. @default 30 */
  readonly recencyHalfLifeDays?: number;
  /** Count what recall returns (`lastAccessedAt`, `accessCount`), off the hot path. `forgetStale` reads it. @default true */
  readonly touch?: boolean;
}

export interface MemoryLimits {
  /** Longest memory in code points, 1-10,000. @default 500 */
  readonly contentLength?: number;
  /** Code points of a query that are read; what is longer is cut. @default 2000 */
  readonly queryLength?: number;
  /** Largest metadata as JSON, in bytes. @default 16384 */
  readonly metadataBytes?: number;
  /** Most inputs of one `addMany`. @default 10000 */
  readonly batchSize?: number;
  /** Most messages of one turn. @default 100 */
  readonly turnMessages?: number;
  /** Most earlier messages that a turn brings along as its context; 0 takes none. @default 20 */
  readonly contextMessages?: number;
  /** Longest message of a turn, or of its context, in code points. @default 32000 */
  readonly messageLength?: number;
  /** Most candidates taken from one turn; what a model returns beyond is dropped and counted. @default 50 */
  readonly candidates?: number;
}

export interface DebounceOptions {
  /** Turns of a scope are due when none was handed in for so many milliseconds. Found by the sweeper. @default 60000 */
  readonly idleMs?: number;
  /** And at once when so many of them wait, 1-1,000. @default no number */
  readonly everyTurns?: number;
}

export interface ObservationOptions {
  /** Who decides between add, update, forget and noop. @default 'llm' where the completion offers it, else 'heuristic' */
  readonly consolidation?: 'llm' | 'heuristic';
  /** Nearest memories that a candidate is weighed against, 1-20. @default 10 */
  readonly neighbours?: number;
  /** Milliseconds a claim holds without a heartbeat; provider time-outs must be shorter. @default 60000 */
  readonly leaseMs?: number;
  /** Milliseconds one model call may take, and an embedding per hundred texts; must be less than `leaseMs`. @default 30000 */
  readonly modelTimeoutMs?: number;
  /**
   * Most turns of one scope that wait together and are asked about in one call, 1-50, of 40,000 bytes of text at most; one
   * that failed is tried alone. @default 1; 10 with `debounce`, which spares nothing without it
   */
  readonly mergeTurns?: number;
  /**
   * Lets `observeLater` wait for more of the conversation. `observe` never waits, and takes along what does.
   * @default none: every turn at once
   */
  readonly debounce?: DebounceOptions;
  /**
   * Whether a turn is worth a model's call; it must answer at once. Of turns that are merged, all messages.
   * @default some user message is more than small talk
   */
  readonly gate?: (messages: readonly Message[]) => boolean;
  /**
   * Failures after which a turn is dead. An empty account, a wrong key or a model that is not there is waited for longer:
   * tried less and less often, at last once an hour, for about a day. @default 5
   */
  readonly maxFailures?: number;
  /** Claims after which a turn that keeps crashing its worker is dead. @default 10 */
  readonly maxAttempts?: number;
  /**
   * First wait after a failure in milliseconds; doubles each time, with jitter, up to ten minutes. A `Retry-After` is
   * obeyed up to a day. @default 2000
   */
  readonly retryDelayMs?: number;
  /** How often turns whose wake-up got lost are looked for, in milliseconds; 0 switches the sweeper off in this process. @default 5000 */
  readonly sweepIntervalMs?: number;
  /** Days for which the messages of a dead turn are kept, so that it can be retried, 0-36,500; null for good. @default 7 */
  readonly keepFailedTurns?: number | null;
  /** Days for which a turn that ended is known, so that handing it in again changes nothing, 1-36,500; null for good. @default 90 */
  readonly keepTurns?: number | null;
  /**
   * Milliseconds that turns under way may take when the app stops, 0-600000; then their claims are given back and another
   * process goes on with them. Container runtimes kill after 10 s. @default 5000
   */
  readonly shutdownGraceMs?: number;
}

/**
 * When a provider that fails is left alone. While it is, recall answers by words at once, other calls fail retryably, and
 * turns wait without a failure being counted against them.
 */
export interface CircuitOptions {
  /** Time-outs, rate limits and outages in a row after which the provider is not asked, 1-1,000,000. @default 3 */
  readonly failures?: number;
  /**
   * Milliseconds before it is asked again, by a harmless probe, 1-3,600,000; doubles with each probe that fails. A longer
   * `Retry-After` is obeyed, up to an hour. @default 5000
   */
  readonly openMs?: number;
  /** Longest wait between two probes in milliseconds, from `openMs` on. @default 60000 */
  readonly maxOpenMs?: number;
}

/** How much of the past is kept for `history`, `restore` and `asOf`. A moment before that shows only what is left of it. */
export interface RetentionOptions {
  /** Latest earlier states of each memory, 0-10,000; null keeps all. Older ones go when a state is added. @default 20 */
  readonly versions?: number | null;
  /** Days after its end for which a state is kept, 1-36,500; null keeps it for good. Older ones go by upkeep. @default 365 */
  readonly days?: number | null;
  /**
   * How often this process closes memories that have expired and drops states that are too old, in milliseconds; 0 leaves
   * that to calls of `MemoryService.upkeep()`. @default 60000
   */
  readonly upkeepIntervalMs?: number;
}

/** What may come from an async factory. */
export interface MemoryValues {
  /** Turns text into vectors. Required. */
  readonly embedder: Embedder;
  /** Extracts and consolidates. Required. */
  readonly completion: Completion;
  /** What may be kept. @default SecretlintPersistencePolicy: secrets and passing progress are refused */
  readonly policy?: PersistencePolicy;
  /** Changes a text before it is stored. @default none */
  readonly redactor?: Redactor;
  /** Takes events out. @default Nest's EventEmitter2 where the app imports `EventEmitterModule`, else none */
  readonly events?: EventPublisher;
  /** Recall's defaults. */
  readonly recall?: RecallOptions;
  /** Sizes. */
  readonly limits?: MemoryLimits;
  /** How turns are learned. */
  readonly observation?: ObservationOptions;
  /** When a provider that fails is left alone. */
  readonly circuit?: CircuitOptions;
  /** How much of the past is kept. */
  readonly retention?: RetentionOptions;
  /** Time, for tests. @default the system's */
  readonly clock?: Clock;
  /** Tokens, for `maxTokens`. @default four bytes a token */
  readonly tokenCounter?: TokenCounter;
  /** Puts an identifier of the scope into telemetry (a hash, say). @default none: telemetry does not name scopes */
  readonly scopeIdentifier?: (scope: Scope) => string;
}

export type MemoryModuleOptions = MemoryStructure & MemoryValues;
