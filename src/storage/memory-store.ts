import type { EntityManager } from 'typeorm';
import type { AppliedDecision } from '../model/decision.js';
import type { ErasureReceipt } from '../model/erasure-receipt.js';
import type { MemoryKind } from '../model/kind.js';
import type { Memory, MemoryMetadata, MemorySource, RecallMode, RevisionEnd } from '../model/memory.js';
import type { Message } from '../model/message.js';
import type { ObservationStatus } from '../model/observation.js';
import type { MemoryRevision } from '../model/revision.js';
import type { ScopeSettings } from '../model/scope-settings.js';
import type { ScopeStats } from '../model/scope-stats.js';
import type { Scope } from '../model/scope.js';

/** What the scope's own row says. */
export interface ScopeState {
  readonly enabled: boolean;
  /** Random uuid, new at each erasure: a write that began under another one must stop. */
  readonly generation: string;
  /** One more at each change of what recall can see. */
  readonly revision: number;
  readonly erasedAt: Date | null;
}

/** A vector with the space that made it (`provider:model:dimensions`). Two spaces are never compared. */
export interface SpaceVector {
  readonly space: string;
  readonly values: readonly number[];
}

/** A row to be stored. Everything is validated, redacted and embedded before it comes here. */
export interface NewMemory {
  readonly id: string;
  readonly content: string;
  /** From `contentHash(content)`: a 128-bit hash in uuid form. */
  readonly contentHash: string;
  readonly kind: MemoryKind;
  readonly importance: number;
  readonly metadata: MemoryMetadata;
  /** From `searchText(content)`: words apart by blanks, ready for a text index. */
  readonly searchText: string;
  readonly vector: SpaceVector | null;
  readonly source: MemorySource;
  readonly turnId: string | null;
  readonly messageNo: number | null;
  /** When it was said; null is the stamp of the transaction. */
  readonly evidenceAt: Date | null;
  readonly expiresAt: Date | null;
  /** Of a forgotten memory that comes back under its id: when it was first remembered. @default the stamp */
  readonly createdAt?: Date;
  /** Of a forgotten memory that comes back: one more than its last. @default 1 */
  readonly version?: number;
}

/** Fields to change; an absent field stays. Text, hash, search text and vector change together or not at all. */
export interface MemoryChange {
  readonly text?: {
    readonly content: string;
    readonly contentHash: string;
    readonly searchText: string;
    readonly vector: SpaceVector | null;
  };
  readonly kind?: MemoryKind;
  readonly importance?: number;
  readonly metadata?: MemoryMetadata;
  readonly expiresAt?: Date | null;
  readonly evidenceAt?: Date;
  readonly turnId?: string | null;
  readonly messageNo?: number | null;
}

/** A memory with what only writers need. */
export interface StoredMemory extends Memory {
  readonly contentHash: string;
  readonly space: string | null;
  readonly evidenceAt: Date;
}

/** What ended a state, and by whom. */
export interface RevisionCause {
  readonly endedBy: RevisionEnd;
  readonly turnId?: string | null;
  readonly mergedInto?: string | null;
}

/** A revision with what brings it back. */
export interface StoredRevision extends MemoryRevision {
  readonly source: MemorySource;
  /** When the memory was first remembered. */
  readonly createdAt: Date;
}

export interface IndexedScopes {
  /** Scopes that got an index now. */
  readonly indexed: number;
  /** Scopes for which it could not be made now. */
  readonly failed: number;
}

/** How much of the past is kept. */
export interface Retention {
  /** Latest revisions of each memory; null keeps all, 0 none. @default 20 */
  readonly versions: number | null;
}

export interface RecallQuery {
  /** From `searchText(query)`; empty means no keyword leg. */
  readonly searchText: string;
  /** Null means no vector leg. Rows of another space are not reached by it. */
  readonly vector: SpaceVector | null;
  readonly mode: RecallMode;
  /** Absent or empty: all kinds. */
  readonly kinds?: readonly MemoryKind[];
  /** JSON containment: every given key has the given value. */
  readonly metadata?: MemoryMetadata;
  readonly limit: number;
  /** Weight 0-1 of the vector leg in the fused score; the keyword leg has the rest. With one leg only, that leg counts whole. */
  readonly denseWeight: number;
  /**
   * A row enters when any of the three holds; `minScore` counts for a row that both legs speak of. Null switches that one
   * off; all null lets every row in.
   */
  readonly maxDistance: number | null;
  readonly minCoverage: number | null;
  readonly minScore: number | null;
  /** Recalls the states that held at that moment, by their words and vectors of then. Absent: the present. */
  readonly asOf?: Date;
  /** What counts in the order beside relevance. Absent: nothing. */
  readonly prior?: RecallPrior;
  /**
   * For what is weighed and not shown: the nearest may come from an index that misses one now and then, in a scope of any
   * size, and words may count for what is near only. Absent: as exact as the store's own rules have it.
   */
  readonly approximate?: boolean;
}

/**
 * score = (1 - importanceWeight - recencyWeight) * relevance + importanceWeight * importance + recencyWeight * recency,
 * with recency = 0.5 ^ (days since `updatedAt`, at `asOf` or now / `halfLifeDays`). It orders, before the limit; what
 * enters is decided by relevance alone.
 */
export interface RecallPrior {
  /** 0-1; the two weights together at most 1. */
  readonly importanceWeight: number;
  readonly recencyWeight: number;
  /** More than 0. */
  readonly halfLifeDays: number;
}

export interface RecallHit {
  readonly memory: Memory;
  /** 0-1: relevance, or with a `prior` what it makes of it. */
  readonly score: number;
  readonly distance: number | null;
  readonly coverage: number | null;
  readonly vectorRank: number | null;
  readonly keywordRank: number | null;
}

export interface MemoryPageQuery {
  readonly kinds?: readonly MemoryKind[];
  /** From `searchText`: rows that have all of these words. */
  readonly searchText?: string;
  readonly limit: number;
  /** Exclusive start, newest first. */
  readonly after?: MemoryPosition;
  /** Lists the states that held at that moment. Absent: the present. */
  readonly asOf?: Date;
}

/** Place of a row in the order of pages: newest first by `(created_at, id)`. */
export interface MemoryPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export interface MemoryPage {
  readonly memories: readonly Memory[];
  readonly hasNextPage: boolean;
  /** Rows that match, on all pages. */
  readonly totalCount: number;
}

/** A text that has, or lacks, a vector: a memory's present one, or that of a retained revision. */
export interface StoredText {
  readonly memoryId: string;
  readonly version: number;
  /** A revision's, not the present one. */
  readonly ended: boolean;
  readonly content: string;
  /** Of the vector that is there; null where there is none. */
  readonly space: string | null;
}

/** Place of a text in the order in which they are embedded anew: by id, the latest version first. */
export interface TextPosition {
  readonly memoryId: string;
  readonly version: number;
}

export interface ExportPage {
  /** Of the scope, in the same snapshot as the memories. */
  readonly generation: string;
  /** In the order of their ids. */
  readonly memories: readonly { readonly memory: Memory; readonly vector: SpaceVector | null }[];
}

/** A turn as handed in. Secrets in `messages` and `context` are masked already. */
export interface NewTurn {
  readonly turnId: string;
  readonly messages: readonly Message[];
  /** What was said before, kept as long as `messages`. @default none */
  readonly context?: readonly Message[];
  readonly messagesHash: Buffer;
  readonly occurredAt: Date | null;
  /** Milliseconds since it was said; known better than by `occurredAt`, which is of another clock. @default from `occurredAt` */
  readonly ageMs?: number;
  readonly timeZone: string | null;
  /** Generation that the caller read at its start; another one now is a CONFLICT. */
  readonly generation: string;
}

export interface TurnRecord {
  readonly turnId: string;
  readonly seq: number;
  readonly status: ObservationStatus;
  readonly messages: readonly Message[] | null;
  /** Empty once the messages are gone. */
  readonly context: readonly Message[];
  /** Content hashes from `barFromTurns`; empty once the messages are gone. */
  readonly barred: readonly string[];
  readonly messagesHash: Buffer;
  readonly occurredAt: Date;
  /** The same by the store's clock, as `saidAt()` has it: what it is compared with changes, forgettings and erasures by. */
  readonly saidAt: Date;
  readonly timeZone: string | null;
  readonly generation: string;
  /** Claims so far. Only counts, never resets. */
  readonly attempt: number;
  /** Claims that ended by `fail` or `release`; the others but the present one crashed their worker. */
  readonly givenBack: number;
  readonly failures: number;
  readonly decisions: readonly AppliedDecision[];
  readonly errorCode: string | null;
}

export interface ClaimedTurn extends TurnRecord {
  /** The fence: random, new at each claim. Every later write of this turn repeats it. */
  readonly claim: string;
  readonly messages: readonly Message[];
  /** Turns right behind it that were taken along under the same claim, in order. */
  readonly following: readonly Omit<ClaimedTurn, 'following'>[];
}

export interface ClaimOptions {
  readonly leaseMs: number;
  /** Most turns that one claim takes. Only turns that nobody has tried before come along with another. @default 1 */
  readonly maxTurns?: number;
  /** Most bytes of messages and context, as JSON, that one claim takes; the first turn comes whatever its size. @default no bound */
  readonly maxBytes?: number;
}

/** What became of a wish to try a turn again. */
export type RetryOutcome =
  | { readonly outcome: 'retried'; readonly turn: TurnRecord }
  /** The scope has no such turn. */
  | { readonly outcome: 'unknown' }
  /** The scope is off: nothing is learned. */
  | { readonly outcome: 'disabled' }
  /** It is not dead and has not failed. */
  | { readonly outcome: 'not-failed'; readonly turn: TurnRecord }
  /** Its messages are gone. */
  | { readonly outcome: 'cleared'; readonly turn: TurnRecord };

/** How long a turn that was handed in waits for others of its conversation. */
export interface HoldBack {
  /** Milliseconds without a further turn after which they are due. */
  readonly idleMs: number;
  /** Turns that wait, with which they are due at once. */
  readonly everyTurns: number;
}

/** Names a turn in any scope; what a queue carries. Holds no text. */
export interface TurnKey extends Scope {
  readonly turnId: string;
}

export interface TurnFailure {
  /** A class, never a message. */
  readonly errorCode: string;
  readonly delayMs: number;
  readonly dead: boolean;
  /** Of the turn from now on, this one included where it counts. */
  readonly failures: number;
}

export interface OldTurns {
  /** Messages of turns that died before go. */
  readonly deadBefore: Date | null;
  /** Rows of turns that ended before go. */
  readonly endedBefore: Date | null;
}

/** The turn log and outbox. */
export interface TurnLog {
  /**
   * Stores a pending turn, or finds the one of the same key. With the scope off, nothing is stored and `disabled` returns;
   * neither is what was said before the last erasure, which is `erased`.
   * Held back, it waits with those that are held back already, whose moment moves with its own.
   * @param onLocked called once an erasure of the scope has to wait for this call
   * @throws ConflictError when the generation moved, or when the same turnId holds other messages
   */
  insert(
    scope: Scope,
    turn: NewTurn,
    holdBack?: HoldBack,
    onLocked?: () => void,
  ): Promise<{ outcome: 'inserted' | 'duplicate' | 'disabled' | 'erased'; turn: TurnRecord | null }>;
  find(scope: Scope, turnId: string): Promise<TurnRecord | null>;
  /**
   * Takes the scope's earliest due turn, or nothing where another worker holds the scope or nothing is due; with it, where
   * asked for, the turns behind it. One UPDATE: status, claim, lease. Does not lock the scope.
   */
  claim(scope: Scope, options: ClaimOptions): Promise<ClaimedTurn | null>;
  /** Until when the scope's earliest open turn is not tried again, because it failed or waits for others. Null: it is due. */
  pausedUntil(scope: Scope): Promise<Date | null>;
  /** Makes a dead or failed turn due at once, as if it had never failed. */
  retry(scope: Scope, turnId: string): Promise<RetryOutcome>;
  /**
   * Clears the messages of turns that died, and drops turns that ended, before the moments (null: none), at most so many of
   * each. A turn that is dropped is no longer known: handed in again, it is learned again.
   */
  dropOld(scope: Scope, what: OldTurns & { readonly limit: number }): Promise<number>;
  /** Renews the lease by the database's clock; false when the claim was lost. */
  renew(scope: Scope, claim: string, leaseMs: number): Promise<boolean>;
  /**
   * Gives a claim back: due again after `delayMs`, or dead. A lost claim changes nothing. Waits for no writer of memories.
   * @param onHeld called once the turns are written and before that is committed: whether no writer of memories is at work
   */
  fail(scope: Scope, claim: string, failure: TurnFailure, onHeld?: (isAlone: boolean) => void): Promise<boolean>;
  /** Gives a claim back untouched, due at once (shutdown). */
  release(scope: Scope, claim: string): Promise<boolean>;
  /** Due turns of any scope, handed to one caller only for `holdMs`. Has no scope, as `dueForUpkeep` and `indexLargeScopes`. */
  sweep(options: { limit: number; holdMs: number }): Promise<TurnKey[]>;
}

/** One transaction in one scope, under the scope's lock. Changes bump the scope's revision once. */
export interface ScopeWriter {
  /** The locked row as it was when the lock was taken. */
  readonly state: ScopeState;
  /** The one time of this transaction: later than every earlier stamp of the scope, whole milliseconds. */
  readonly stamp: Date;
  find(id: string): Promise<StoredMemory | null>;
  /** Rows by content hash, expired ones too. */
  findByHashes(hashes: readonly string[]): Promise<StoredMemory[]>;
  /**
   * Texts of states that a call and no turn has ended, by an update or a forget, after the moment; those of retained
   * revisions, each once.
   */
  textsEndedByHand(after: Date): Promise<string[]>;
  /** Rows whose expiry has passed at the stamp and that are not closed yet, in the order of their ids. */
  findExpired(which: { ids?: readonly string[]; limit: number }): Promise<StoredMemory[]>;
  /**
   * Rows that are live at the stamp, of less importance (null: of any), and neither changed nor accessed since the moment;
   * in the order of their ids, locked, and as they are once the locks are held.
   */
  findStale(which: { idleSince: Date; importanceBelow: number | null; limit: number }): Promise<StoredMemory[]>;
  /** The revisions of one memory, oldest first. Unlike in `MemoryStore.history`, what has expired is none before it is removed. */
  history(id: string): Promise<StoredRevision[]>;
  /** Same as `MemoryStore.recall`, seen from inside the transaction. */
  recall(query: RecallQuery): Promise<RecallHit[]>;
  /**
   * Locks memories, those of the ids and those that have one of the texts, in the order of their ids: before several of
   * them are changed in another order. Accesses are counted without the scope's lock, and lock theirs in that order too.
   */
  lockForChange(ids: readonly string[], contentHashes: readonly string[]): Promise<void>;
  /** Hashes must be free: collisions are found by `findByHashes`, never by catching a unique violation. */
  insert(memories: readonly NewMemory[]): Promise<Memory[]>;
  /** Keeps the old state as a revision, ended at the stamp. @throws ConflictError when `version` is no longer the current one */
  update(target: { id: string; version: number }, change: MemoryChange, cause: RevisionCause): Promise<Memory>;
  /** Ends the memory: a revision, then the row goes. @throws ConflictError as `update` */
  remove(target: { id: string; version: number }, cause: RevisionCause): Promise<void>;
  /** Drops all revisions of one memory, or the scope's oldest that ended before the moment. @returns how many */
  dropRevisions(which: { memoryId: string } | { endedBefore: Date; limit: number }): Promise<number>;
  /**
   * Notes content hashes with every turn that still has its messages: what is forgotten for good must not be learned from
   * it again. Before any memory is changed, since it locks those turns.
   */
  barFromTurns(contentHashes: readonly string[]): Promise<void>;
  /** Locks the turns of a claim, `FOR UPDATE`. Must be the first statement of an apply. Empty when the fence was lost. */
  lockClaimedTurns(claim: string): Promise<TurnRecord[]>;
  /** Ends a claimed turn and clears its messages. @throws ConflictError when the fence was lost; the transaction must roll back */
  finishTurn(
    claim: string,
    turnId: string,
    result: { status: 'applied' | 'nothing' | 'rejected' | 'disabled'; decisions: readonly AppliedDecision[] },
  ): Promise<void>;
}

/** A switch that was turned. */
export interface SwitchedScope {
  readonly at: Date;
  /** Turns that waited to be learned and were dropped. */
  readonly droppedTurns: number;
}

/** TypeORM's manager of a transaction that is under way: what `dataSource.transaction(async (manager) => ...)` hands out. */
export type TransactionManager = EntityManager;

/** The store as seen from inside a transaction of the host. */
export interface JoinedStore {
  /** Runs every call on the transaction's own connection. Has no turn to claim, no start and no stop. */
  readonly store: MemoryStore;
  /**
   * Runs `effect` once the outermost transaction is committed, in the order given. Never, where that is rolled back, or
   * the savepoint inside which it was given; then `undone` is called.
   */
  afterCommit(effect: () => void, undone?: () => void): void;
}

/**
 * Where memories live. Scope first in every call; no read returns a deleted or expired row.
 * The contract tests in `nestjs-engram/testing` say what an own adapter must do.
 */
export interface MemoryStore {
  /** Name for logs and telemetry: `postgres`, `embedded`, `in-memory`. */
  readonly adapter: string;
  /** OpenTelemetry's `db.system.name` of the database behind it. Left out where there is none. */
  readonly databaseSystem?: string;
  readonly turns: TurnLog;
  /** Connects, migrates. Called once, before anything else. */
  start(options?: { readonly retention?: Retention }): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when the store can serve. @throws UnavailableError */
  check(): Promise<void>;
  /** Makes the scope's row where there is none. */
  scopeState(scope: Scope): Promise<ScopeState>;
  /** @param asOf reads the state that held at that moment; absent: the present */
  get(scope: Scope, id: string, asOf?: Date): Promise<Memory | null>;
  /** Those of the ids that are live in this scope, in any order: one statement, however many. */
  getMany(scope: Scope, ids: readonly string[]): Promise<Memory[]>;
  list(scope: Scope, query: MemoryPageQuery): Promise<MemoryPage>;
  /** Nothing while the scope is off. */
  recall(scope: Scope, query: RecallQuery): Promise<RecallHit[]>;
  /** States of that moment that `recall` can reach by words only: there is no vector of `space` for them. */
  withoutVector(scope: Scope, at: { space: string; asOf: Date }): Promise<number>;
  /**
   * Ended states of one memory, oldest first; of a forgotten one too. One that has expired is among them from its expiry on,
   * as removing it will keep it. Empty for an id that is not in this scope.
   */
  history(scope: Scope, id: string): Promise<StoredRevision[]>;
  /** Same as `history` for each of the ids: one statement, however many. Oldest first within a memory, else in any order. */
  histories(scope: Scope, ids: readonly string[]): Promise<StoredRevision[]>;
  /** The vector of an ended state's text: its own, or that of the next state that has the same text. Null where none is kept. */
  revisionVector(scope: Scope, id: string, version: number): Promise<SpaceVector | null>;
  /** Runs `work` in one READ COMMITTED transaction that holds the scope's row lock. A throw rolls everything back. @throws UnavailableError past the lock time-out */
  write<T>(scope: Scope, work: (writer: ScopeWriter) => Promise<T>): Promise<T>;
  /** Counts an access of each, off the hot path. Ids that are gone are passed over. */
  touch(scope: Scope, ids: readonly string[]): Promise<void>;
  /** @param space memories without a vector in it count as stale; null: none does */
  stats(scope: Scope, space: string | null): Promise<ScopeStats>;
  /** Scopes with memories that have expired, or revisions or turns that ended before the moments. */
  dueForUpkeep(what: { revisionsEndedBefore: Date | null; turns?: OldTurns; limit: number }): Promise<Scope[]>;
  /**
   * Gives scopes that have grown large what makes recall in them fast, where the store has such a thing and was told to.
   * Every call looks anew. Absent: the store has none.
   */
  indexLargeScopes?(signal?: AbortSignal): Promise<IndexedScopes>;
  /** Texts whose vector is not of `space`, or all; those of revisions too, unless a later state of the memory has the same text. */
  textsToEmbed(
    scope: Scope,
    page: { space: string; staleOnly: boolean; after: TextPosition | null; limit: number },
  ): Promise<StoredText[]>;
  /**
   * Gives a text another vector, and changes nothing else: no version, no revision, no stamp.
   * @returns false where the text or its space is no longer the one given
   */
  replaceVector(scope: Scope, text: StoredText, vector: SpaceVector): Promise<boolean>;
  /** Live memories, whether the scope is on or off. `after` is the last id of the page before; null begins. */
  exportPage(scope: Scope, page: { after: string | null; limit: number; withVectors: boolean }): Promise<ExportPage>;
  /** Reads only: a scope that has no row yet is enabled. */
  settings(scope: Scope): Promise<ScopeSettings>;
  /**
   * Switches memory on or off, alone in the scope: turns that are being handed in are waited for. Off drops the text of
   * every turn that is not applied (open ones become `disabled`); from then on `recall` gives nothing.
   * @param onLocked called once it is alone in the scope
   * @returns null where it was so already
   */
  setEnabled(scope: Scope, enabled: boolean, onLocked?: () => void): Promise<SwitchedScope | null>;
  /**
   * Removes every row of the scope but the scope's own, alone in the scope, in one transaction that ends only if nothing
   * is left. The scope goes on under a new generation, enabled or not as it was.
   * @param onLocked called once it is alone in the scope
   * @throws StorageError when something is left, or cannot be seen to be gone; nothing is erased then
   */
  erase(scope: Scope, onLocked?: () => void): Promise<ErasureReceipt>;
  /**
   * Joins a transaction that the host began. A call that fails takes back only itself. Left out where the store is not
   * in a database that the host can have a transaction in.
   * @throws InvalidInputError where none is under way, or it is of another kind of database
   */
  within?(manager: TransactionManager): JoinedStore;
}
