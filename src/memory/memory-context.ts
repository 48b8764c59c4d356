import type { Completion } from '../completion/completion.js';
import type { Embedder } from '../embedding/embedder.js';
import type { EventPublisher } from '../events/event-publisher.js';
import type { Tracing } from '../events/tracing.js';
import type { RecallMode } from '../model/memory.js';
import type { Message } from '../model/message.js';
import type { Scope } from '../model/scope.js';
import type { PersistencePolicy } from '../policy/persistence-policy.js';
import type { Redactor } from '../policy/redactor.js';
import type { RunningTurns } from '../observation/running-turns.js';
import type { ObservationQueue } from '../queue/observation-queue.js';
import type { CircuitLimits, ProviderCircuit } from '../provider/circuit.js';
import type { HoldBack, MemoryStore, RecallPrior } from '../storage/memory-store.js';
import type { AccessRecorder } from './access-recorder.js';
import type { Clock } from './clock.js';
import type { CommitOrder } from './commit-order.js';
import type { HandIns } from './hand-ins.js';
import type { ScopeSwitches } from './scope-switches.js';
import type { TokenCounter } from './token-counter.js';

/** Every option resolved to its value; see `memory.options.ts` for what each means. */
export interface MemorySettings {
  readonly recall: {
    readonly limit: number;
    readonly mode: RecallMode;
    readonly maxDistance: number;
    readonly minCoverage: number;
    readonly minScore: number | null;
    readonly denseWeight: number;
    readonly embedTimeoutMs: number;
    /** Null: relevance alone orders. */
    readonly prior: RecallPrior | null;
    readonly touch: boolean;
  };
  readonly limits: {
    readonly contentLength: number;
    readonly queryLength: number;
    readonly metadataBytes: number;
    readonly batchSize: number;
    readonly turnMessages: number;
    readonly contextMessages: number;
    readonly messageLength: number;
    readonly candidates: number;
  };
  readonly observation: {
    readonly consolidation: 'llm' | 'heuristic';
    readonly neighbours: number;
    readonly mergeTurns: number;
    /** Null: every turn is due at once. */
    readonly debounce: HoldBack | null;
    readonly gate: (messages: readonly Message[]) => boolean;
    readonly keepFailedTurns: number | null;
    readonly keepTurns: number | null;
    readonly leaseMs: number;
    readonly modelTimeoutMs: number;
    readonly maxFailures: number;
    readonly maxAttempts: number;
    readonly retryDelayMs: number;
    readonly sweepIntervalMs: number;
    readonly shutdownGraceMs: number;
  };
  readonly circuit: CircuitLimits;
  readonly retention: {
    readonly versions: number | null;
    readonly days: number | null;
    readonly upkeepIntervalMs: number;
  };
}

/** The ports and settings that every use case works with. */
export interface MemoryContext {
  readonly store: MemoryStore;
  /** Guarded: see `guardProviders`. */
  readonly embedder: Embedder;
  /** Guarded as well. */
  readonly completion: Completion;
  readonly circuits: readonly ProviderCircuit[];
  readonly policy: PersistencePolicy;
  readonly redactor: Redactor | null;
  readonly events: EventPublisher;
  readonly commits: Pick<CommitOrder, 'enter'>;
  readonly tracing: Tracing;
  readonly queue: ObservationQueue;
  readonly running: RunningTurns;
  readonly handIns: HandIns;
  readonly clock: Clock;
  readonly tokenCounter: TokenCounter;
  readonly access: Pick<AccessRecorder, 'record' | 'discard' | 'flush'>;
  readonly switches: ScopeSwitches;
  readonly settings: MemorySettings;
  readonly scopeIdentifier: ((scope: Scope) => string) | null;
  /** Inside a transaction of the host: the context outside of it. Absent: outside. */
  readonly outside?: MemoryContext;
}
