import type { CompletionTask } from '../completion/completion.js';
import type { ProviderFault } from '../errors/provider-error.js';
import type { DecisionAction } from '../model/decision.js';
import type { MemoryKind } from '../model/kind.js';
import type { MemorySource, RecallMode } from '../model/memory.js';
import type { ObservationStatus } from '../model/observation.js';
import type { RejectionReason } from '../model/rejection.js';
import type { Scope } from '../model/scope.js';

/** Plain data, ids and counts only; dates are ISO strings, so that a payload survives JSON. */
interface ScopedEvent extends Scope {
  /** ISO 8601. */
  readonly at: string;
}

export interface MemoryChangedEvent extends ScopedEvent {
  readonly memoryId: string;
  readonly kind: MemoryKind;
  readonly version: number;
  readonly source: MemorySource;
  /** The turn that caused it, null for a call. */
  readonly turnId: string | null;
}

/** Durations in milliseconds. The scope appears only through the host's `scopeIdentifier` option. */
interface TelemetryEvent {
  readonly durationMs: number;
  readonly store: string;
  readonly scopeId?: string;
  /** Error code where the call failed. */
  readonly error?: string;
}

/** Every event by name. Domain events are published after commit; a crash between commit and publish can lose one. */
export interface MemoryEventMap {
  'memory.added': MemoryChangedEvent;
  'memory.updated': MemoryChangedEvent;
  'memory.forgotten': MemoryChangedEvent;
  'memory.restored': MemoryChangedEvent;
  'memory.expired': MemoryChangedEvent;
  'memory.rejected': ScopedEvent & {
    readonly reason: RejectionReason;
    readonly kind: MemoryKind;
    readonly source: MemorySource;
  };
  /** Everything of the scope is gone. Counts only; `receiptId` is the receipt's `id`. */
  'memory.erased': ScopedEvent & {
    readonly receiptId: string;
    readonly memories: number;
    readonly revisions: number;
    readonly turns: number;
    readonly accesses: number;
  };
  'memory.settings-changed': ScopedEvent & {
    readonly enabled: boolean;
    /** Turns that waited to be learned when memory was switched off, and were dropped. */
    readonly droppedTurns: number;
  };
  'observation.queued': ScopedEvent & { readonly turnId: string };
  'observation.applied': ScopedEvent & {
    readonly turnId: string;
    readonly status: ObservationStatus;
    readonly counts: Readonly<Record<DecisionAction, number>>;
    readonly rejected: number;
  };
  'observation.failed': ScopedEvent & { readonly turnId: string; readonly error: string; readonly willRetry: boolean };
  /**
   * One call to the embedder, by whatever use case: it belongs to no scope. `query` is of a recall. `inputTokens` is 0
   * where the provider does not count them.
   */
  'engram.embed': Omit<TelemetryEvent, 'store' | 'scopeId'> & {
    /** The embedder's space. */
    readonly provider: string;
    readonly calls: 'documents' | 'query';
    readonly texts: number;
    readonly inputTokens: number;
  };
  /** One call to the model, by whatever use case, its probes included. */
  'engram.complete': Omit<TelemetryEvent, 'store' | 'scopeId'> & {
    /** The completion's name. */
    readonly provider: string;
    readonly task: CompletionTask;
    /** 0 where the provider does not count them. */
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  /**
   * A provider failed several times in a row and is not asked for a while (`open`), is being probed (`half-open`), is asked
   * again (`closed`). For the whole process, so it names no scope.
   */
  'engram.circuit': {
    /** The embedder's space, or the completion's name. */
    readonly provider: string;
    /** `queries`: only recalls are affected, which gave up an embedder that is too slow for them. */
    readonly calls: 'all' | 'queries';
    readonly state: 'open' | 'half-open' | 'closed';
    /** The fault that opened it. */
    readonly fault?: ProviderFault;
    /** ISO 8601. */
    readonly at: string;
  };
  'engram.add': TelemetryEvent & {
    readonly count: number;
    readonly rejected: number;
    /** Of those that were kept, each once. */
    readonly kinds: readonly MemoryKind[];
  };
  'engram.recall': TelemetryEvent & {
    readonly mode: RecallMode;
    readonly limit: number;
    /** That were asked for; empty is all. */
    readonly kinds: readonly MemoryKind[];
    readonly count: number;
    /**
     * Words alone answered for all memories (the embedder did not answer in time) or for some: a state of the past that
     * was asked for has no vector of the present space.
     */
    readonly degraded: boolean;
  };
  'engram.inject': TelemetryEvent & { readonly count: number; readonly characters: number };
  'engram.observe': TelemetryEvent & { readonly status: ObservationStatus; readonly duplicate: boolean };
  'engram.observe-later': TelemetryEvent & { readonly status: ObservationStatus; readonly duplicate: boolean };
  /** The turns of one claim, from the claim to the commit: as a rule one, several where `observation.mergeTurns` allows. */
  'engram.turn': TelemetryEvent & {
    readonly turns: number;
    /** Statements that extraction found. */
    readonly candidates: number;
    /** Those that may not be kept. */
    readonly rejected: number;
    /** The gate saw nothing worth asking a model about. */
    readonly gated: boolean;
    /** Claims of the first of them so far, this one included. */
    readonly attempt: number;
    /** What became of the candidates; all 0 where the turns failed. */
    readonly counts: Readonly<Record<DecisionAction, number>>;
    /** Of extraction and consolidation together; those of the embedder stand in `engram.embed`. */
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  'engram.extract': TelemetryEvent & {
    readonly candidates: number;
    /** Of the candidates, each once. */
    readonly kinds: readonly MemoryKind[];
    /** Items of the answer that could not be used. */
    readonly dropped: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  'engram.consolidate': TelemetryEvent & {
    readonly counts: Readonly<Record<DecisionAction, number>>;
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** Decisions that named an alias that was not offered. */
    readonly skipped: number;
  };
  /** Counts of texts, as in `RebuildSummary`; `failed` of memories. */
  'engram.rebuild': TelemetryEvent & {
    readonly dryRun: boolean;
    readonly processed: number;
    readonly updated: number;
    readonly skipped: number;
    readonly failed: number;
  };
}

export type MemoryEventName = keyof MemoryEventMap;

/** Events of work that takes time. */
export type TelemetryEventName = Exclude<Extract<MemoryEventName, `engram.${string}`>, 'engram.circuit'>;

/** One event with its name, so that a `switch` over the name knows the payload. */
export type MemoryEvent = {
  [N in MemoryEventName]: { readonly name: N; readonly payload: MemoryEventMap[N] };
}[MemoryEventName];
