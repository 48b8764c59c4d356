import { randomUUID } from 'node:crypto';
import { ConflictError } from '../errors/conflict-error.js';
import type { AppliedDecision } from '../model/decision.js';
import type { ErasureReceipt } from '../model/erasure-receipt.js';
import { MEMORY_KINDS } from '../model/kind.js';
import type { MemoryKind } from '../model/kind.js';
import type { Memory, MemoryMetadata } from '../model/memory.js';
import type { Message } from '../model/message.js';
import type { ObservationStatus } from '../model/observation.js';
import type { ScopeSettings } from '../model/scope-settings.js';
import type { ScopeStats } from '../model/scope-stats.js';
import { scopeKey } from '../model/scope.js';
import type { Scope } from '../model/scope.js';
import type {
  ClaimedTurn,
  ClaimOptions,
  HoldBack,
  OldTurns,
  RetryOutcome,
  ExportPage,
  MemoryChange,
  MemoryPage,
  MemoryPageQuery,
  MemoryStore,
  NewMemory,
  NewTurn,
  RecallHit,
  RecallQuery,
  Retention,
  RevisionCause,
  ScopeState,
  ScopeWriter,
  SpaceVector,
  StoredMemory,
  StoredRevision,
  StoredText,
  SwitchedScope,
  TextPosition,
  TurnFailure,
  TurnKey,
  TurnLog,
  TurnRecord,
} from '../storage/memory-store.js';
import { checkSpaceVector } from '../storage/space-vector.js';

interface Row extends StoredMemory {
  readonly vector: SpaceVector | null;
  readonly words: ReadonlySet<string>;
}

/** A state that ended, whole. */
interface EndedRow {
  readonly row: Row;
  readonly validTo: Date;
  readonly cause: RevisionCause;
}

interface Turn {
  readonly turnId: string;
  readonly seq: number;
  readonly messages: readonly Message[] | null;
  readonly context: readonly Message[];
  readonly barred: readonly string[];
  readonly messagesHash: Buffer;
  readonly occurredAt: Date;
  readonly timeZone: string | null;
  readonly generation: string;
  readonly status: ObservationStatus;
  readonly attempt: number;
  readonly givenBack: number;
  readonly failures: number;
  readonly decisions: readonly AppliedDecision[];
  readonly errorCode: string | null;
  readonly claim: string | null;
  /** Place among the turns of the latest claim. */
  readonly batchNo: number;
  readonly leaseUntil: number;
  readonly runAfter: number;
  /** Null: not held back. */
  readonly notBefore: number | null;
  readonly finishedAt: number | null;
}

interface Rows {
  readonly memories: Map<string, Row>;
  /** Oldest first; replaced as a whole, so that a rollback can put the list of before back. */
  revisions: readonly EndedRow[];
  readonly turns: Map<string, Turn>;
}

interface ScopeData {
  readonly scope: Scope;
  state: ScopeState;
  clock: number;
  rows: Rows;
  /** Ends with the last writer in line. */
  writers: Promise<unknown>;
}

/**
 * A `MemoryStore` without a database, for tests of an application: the contract of the real one, gone with the process.
 * Words are matched in lower case as they stand: no stemming, no stop words.
 */
export class InMemoryMemoryStore implements MemoryStore {
  readonly adapter = 'in-memory';
  readonly turns: TurnLog = new InMemoryTurnLog(
    (scope) => this.data(scope),
    () => this.scopes.values(),
  );
  private readonly scopes = new Map<string, ScopeData>();
  private retention: Retention = { versions: 20 };

  async start({ retention }: { retention?: Retention } = {}): Promise<void> {
    if (retention) this.retention = retention;
  }

  async stop(): Promise<void> {
    this.scopes.clear();
  }

  async check(): Promise<void> {
    // Always there.
  }

  async scopeState(scope: Scope): Promise<ScopeState> {
    return this.data(scope).state;
  }

  async get(scope: Scope, id: string, asOf?: Date): Promise<Memory | null> {
    const row = liveRows(this.data(scope).rows, asOf).find((one) => one.id === id);
    return row ? toMemory(row) : null;
  }

  async getMany(scope: Scope, ids: readonly string[]): Promise<Memory[]> {
    return liveRows(this.data(scope).rows, undefined)
      .filter((row) => ids.includes(row.id))
      .map(toMemory);
  }

  async list(scope: Scope, query: MemoryPageQuery): Promise<MemoryPage> {
    const wanted = wordsOf(query.searchText ?? '');
    const matching = liveRows(this.data(scope).rows, query.asOf)
      .filter((row) => isOfKind(row, query.kinds))
      .filter((row) => [...wanted].every((word) => row.words.has(word)))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareIds(b.id, a.id));
    const { after } = query;
    const rest = after
      ? matching.filter((row) => {
          const newer = row.createdAt.getTime() - after.createdAt.getTime() || compareIds(row.id, after.id);
          return newer < 0;
        })
      : matching;
    return {
      memories: rest.slice(0, query.limit).map(toMemory),
      hasNextPage: rest.length > query.limit,
      totalCount: matching.length,
    };
  }

  async recall(scope: Scope, query: RecallQuery): Promise<RecallHit[]> {
    const { state, rows } = this.data(scope);
    return state.enabled ? recallFrom(liveRows(rows, query.asOf), query) : [];
  }

  async withoutVector(scope: Scope, { space, asOf }: { space: string; asOf: Date }): Promise<number> {
    return liveRows(this.data(scope).rows, asOf).filter((row) => row.space !== space).length;
  }

  async history(scope: Scope, id: string): Promise<StoredRevision[]> {
    return historyOf(this.data(scope).rows, id);
  }

  async histories(scope: Scope, ids: readonly string[]): Promise<StoredRevision[]> {
    const { rows } = this.data(scope);
    return [...new Set(ids)].flatMap((id) => historyOf(rows, id));
  }

  async revisionVector(scope: Scope, id: string, version: number): Promise<SpaceVector | null> {
    const ended = this.data(scope).rows.revisions.find(({ row }) => row.id === id && row.version === version);
    return ended?.row.vector ?? null;
  }

  async dueForUpkeep(what: Parameters<MemoryStore['dueForUpkeep']>[0]): Promise<Scope[]> {
    const due: Scope[] = [];
    for (const { scope, rows } of this.scopes.values()) {
      const { revisionsEndedBefore: end } = what;
      const expired = [...rows.memories.values()].some((row) => !isLive(row, Date.now()));
      const revised = end && rows.revisions.some(({ validTo }) => validTo < end);
      const { deadBefore = null, endedBefore: turnsBefore = null } = what.turns ?? {};
      const old = [...rows.turns.values()].some(
        (turn) => diedBefore(turn, deadBefore) || endedBefore(turn, turnsBefore),
      );
      if (expired || revised || old) due.push(scope);
    }
    return due.slice(0, what.limit);
  }

  async write<T>(scope: Scope, work: (writer: ScopeWriter) => Promise<T>): Promise<T> {
    const data = this.data(scope);
    const turn = data.writers.then(async () => {
      const { state, clock } = data;
      const memories = new Map(data.rows.memories);
      const { revisions } = data.rows;
      const stamp = Math.max(Date.now(), data.clock + 1);
      const writer = new InMemoryScopeWriter(data, new Date(stamp), this.retention);
      try {
        const result = await work(writer);
        writer.complete();
        return result;
      } catch (error) {
        data.state = state;
        data.clock = clock;
        data.rows = { memories, revisions, turns: data.rows.turns };
        writer.reopenTurns();
        throw error;
      }
    });
    data.writers = turn.catch(() => undefined);
    return turn;
  }

  async touch(scope: Scope, ids: readonly string[]): Promise<void> {
    const { memories } = this.data(scope).rows;
    for (const id of ids) {
      const row = memories.get(id);
      if (row) memories.set(id, { ...row, lastAccessedAt: new Date(), accessCount: row.accessCount + 1 });
    }
  }

  async stats(scope: Scope, space: string | null): Promise<ScopeStats> {
    const { memories, turns } = this.data(scope).rows;
    const live = [...memories.values()].filter((row) => isLive(row, Date.now()));
    const count = (kind: MemoryKind): number => live.filter((row) => row.kind === kind).length;
    return {
      total: live.length,
      byKind: Object.fromEntries(MEMORY_KINDS.map((kind) => [kind, count(kind)])) as Record<MemoryKind, number>,
      staleEmbeddings: space === null ? 0 : live.filter((row) => row.space !== space).length,
      pendingTurns: [...turns.values()].filter(isOpen).length,
      deadTurns: [...turns.values()].filter((turn) => turn.status === 'dead').length,
    };
  }

  async textsToEmbed(
    scope: Scope,
    page: { space: string; staleOnly: boolean; after: TextPosition | null; limit: number },
  ): Promise<StoredText[]> {
    const { memories, revisions } = this.data(scope).rows;
    const { after } = page;
    const text = (row: Row, ended: boolean): StoredText => ({
      memoryId: row.id,
      version: row.version,
      ended,
      content: row.content,
      space: row.space,
    });
    return [...[...memories.values()].map((row) => text(row, false)), ...revisions.map(({ row }) => text(row, true))]
      .filter((one) => !page.staleOnly || one.space !== page.space)
      .filter((one) => !after || (compareIds(one.memoryId, after.memoryId) || after.version - one.version) > 0)
      .sort((a, b) => compareIds(a.memoryId, b.memoryId) || b.version - a.version)
      .slice(0, page.limit);
  }

  async replaceVector(scope: Scope, text: StoredText, vector: SpaceVector): Promise<boolean> {
    checkSpaceVector(vector);
    const { rows } = this.data(scope);
    const isMeant = (row: Row): boolean => row.content === text.content && row.space === text.space;
    const { space } = vector;
    if (!text.ended) {
      const row = rows.memories.get(text.memoryId);
      if (!row || !isMeant(row)) return false;
      rows.memories.set(row.id, { ...row, vector, space });
      return true;
    }
    const meant = rows.revisions.find(
      ({ row }) => row.id === text.memoryId && row.version === text.version && isMeant(row),
    );
    rows.revisions = rows.revisions.map((ended) =>
      ended === meant ? { ...ended, row: { ...ended.row, vector, space } } : ended,
    );
    return meant !== undefined;
  }

  async exportPage(
    scope: Scope,
    page: { after: string | null; limit: number; withVectors: boolean },
  ): Promise<ExportPage> {
    const { state, rows } = this.data(scope);
    const { after } = page;
    return {
      generation: state.generation,
      memories: liveRows(rows, undefined)
        .filter((row) => after === null || compareIds(row.id, after) > 0)
        .sort((a, b) => compareIds(a.id, b.id))
        .slice(0, page.limit)
        .map((row) => ({ memory: toMemory(row), vector: page.withVectors ? row.vector : null })),
    };
  }

  async settings(scope: Scope): Promise<ScopeSettings> {
    return { enabled: this.data(scope).state.enabled };
  }

  async setEnabled(scope: Scope, enabled: boolean, onLocked?: () => void): Promise<SwitchedScope | null> {
    return this.alone(scope, (data, at) => {
      onLocked?.();
      if (data.state.enabled === enabled) return null;
      let droppedTurns = 0;
      for (const turn of enabled ? [] : data.rows.turns.values()) {
        if (turn.messages === null) continue;
        const status = turn.status === 'dead' ? turn.status : 'disabled';
        const finishedAt = turn.finishedAt ?? Date.now();
        data.rows.turns.set(turn.turnId, {
          ...turn,
          status,
          messages: null,
          context: [],
          barred: [],
          claim: null,
          finishedAt,
        });
        droppedTurns += 1;
      }
      data.state = { ...data.state, enabled, revision: data.state.revision + 1 };
      return { at, droppedTurns };
    });
  }

  async erase(scope: Scope, onLocked?: () => void): Promise<ErasureReceipt> {
    return this.alone(scope, (data, erasedAt) => {
      onLocked?.();
      const { memories, revisions, turns } = data.rows;
      const generation = randomUUID();
      data.rows = { memories: new Map(), revisions: [], turns: new Map() };
      data.state = { ...data.state, generation, erasedAt, revision: data.state.revision + 1 };
      return {
        id: generation,
        erasedAt,
        memories: memories.size,
        revisions: revisions.length,
        turns: turns.size,
        accesses: [...memories.values()].filter((row) => row.accessCount > 0).length,
      };
    });
  }

  /** Behind every writer in line, under a stamp of its own. */
  private async alone<T>(scope: Scope, change: (data: ScopeData, stamp: Date) => T): Promise<T> {
    const data = this.data(scope);
    const result = data.writers.then(() => {
      data.clock = Math.max(Date.now(), data.clock + 1);
      return change(data, new Date(data.clock));
    });
    data.writers = result.catch(() => undefined);
    return result;
  }

  private data(scope: Scope): ScopeData {
    const key = scopeKey(scope);
    let data = this.scopes.get(key);
    if (!data) {
      data = {
        scope: { tenantId: scope.tenantId, scope: scope.scope },
        state: { enabled: true, generation: randomUUID(), revision: 0, erasedAt: null },
        clock: 0,
        rows: { memories: new Map(), revisions: [], turns: new Map() },
        writers: Promise.resolve(),
      };
      this.scopes.set(key, data);
    }
    return data;
  }
}

class InMemoryScopeWriter implements ScopeWriter {
  readonly state: ScopeState;
  private changed = false;
  private stamped = false;
  private lostFence: ConflictError | null = null;
  /** Turns as they were before this writer changed them, latest change last. */
  private readonly changedTurns: Turn[] = [];

  constructor(
    private readonly data: ScopeData,
    readonly stamp: Date,
    private readonly retention: Retention,
  ) {
    this.state = data.state;
  }

  async find(id: string): Promise<StoredMemory | null> {
    const row = this.data.rows.memories.get(id);
    return row && isLive(row, this.stamp.getTime()) ? toStored(row) : null;
  }

  async findByHashes(hashes: readonly string[]): Promise<StoredMemory[]> {
    return [...this.data.rows.memories.values()]
      .filter((row) => hashes.includes(row.contentHash))
      .sort((a, b) => compareIds(a.id, b.id))
      .map(toStored);
  }

  async textsEndedByHand(after: Date): Promise<string[]> {
    const ended = this.data.rows.revisions.filter(
      ({ validTo, cause: { endedBy, turnId } }) =>
        validTo > after && (endedBy === 'update' || endedBy === 'forget') && (turnId ?? null) === null,
    );
    return [...new Set(ended.map(({ row }) => row.content))];
  }

  async findExpired(which: { ids?: readonly string[]; limit: number }): Promise<StoredMemory[]> {
    return [...this.data.rows.memories.values()]
      .filter((row) => !isLive(row, this.stamp.getTime()) && (!which.ids || which.ids.includes(row.id)))
      .sort((a, b) => compareIds(a.id, b.id))
      .slice(0, which.limit)
      .map(toStored);
  }

  async findStale(which: { idleSince: Date; importanceBelow: number | null; limit: number }): Promise<StoredMemory[]> {
    const { idleSince, importanceBelow, limit } = which;
    const threshold = importanceBelow === null ? Infinity : Math.fround(importanceBelow);
    return [...this.data.rows.memories.values()]
      .filter((row) => isLive(row, this.stamp.getTime()) && Math.fround(row.importance) < threshold)
      .filter((row) => Math.max(row.updatedAt.getTime(), row.lastAccessedAt?.getTime() ?? 0) < idleSince.getTime())
      .sort((a, b) => compareIds(a.id, b.id))
      .slice(0, limit)
      .map(toStored);
  }

  async history(id: string): Promise<StoredRevision[]> {
    return historyOf(this.data.rows, id);
  }

  async recall(query: RecallQuery): Promise<RecallHit[]> {
    return this.state.enabled ? recallFrom(liveRows(this.data.rows, query.asOf, this.stamp), query) : [];
  }

  async insert(memories: readonly NewMemory[]): Promise<Memory[]> {
    return memories.map((memory) => {
      this.requireFreeHash(memory.contentHash);
      if (memory.vector) checkSpaceVector(memory.vector);
      const row: Row = {
        id: memory.id,
        content: memory.content,
        contentHash: memory.contentHash,
        kind: memory.kind,
        importance: memory.importance,
        metadata: copyJson(memory.metadata),
        source: memory.source,
        version: memory.version ?? 1,
        createdAt: memory.createdAt ?? this.stamp,
        updatedAt: this.stamp,
        expiresAt: memory.expiresAt,
        lastAccessedAt: null,
        accessCount: 0,
        space: memory.vector?.space ?? null,
        evidenceAt: memory.evidenceAt ?? this.stamp,
        vector: memory.vector,
        words: wordsOf(memory.searchText),
      };
      this.data.rows.memories.set(row.id, row);
      this.changed = true;
      return toMemory(row);
    });
  }

  async update(target: { id: string; version: number }, change: MemoryChange, cause: RevisionCause): Promise<Memory> {
    const row = this.present(target);
    const { text } = change;
    if (text && text.contentHash !== row.contentHash) this.requireFreeHash(text.contentHash);
    if (text?.vector) checkSpaceVector(text.vector);
    const next: Row = {
      ...row,
      ...(text && {
        content: text.content,
        contentHash: text.contentHash,
        vector: text.vector,
        space: text.vector?.space ?? null,
        words: wordsOf(text.searchText),
      }),
      kind: change.kind ?? row.kind,
      importance: change.importance ?? row.importance,
      metadata: change.metadata ? copyJson(change.metadata) : row.metadata,
      expiresAt: change.expiresAt === undefined ? row.expiresAt : change.expiresAt,
      evidenceAt: change.evidenceAt ?? row.evidenceAt,
      version: row.version + 1,
      updatedAt: this.stamp,
    };
    this.keepRevision(row, cause);
    this.data.rows.memories.set(row.id, next);
    this.changed = true;
    return toMemory(next);
  }

  async remove(target: { id: string; version: number }, cause: RevisionCause): Promise<void> {
    const row = this.present(target);
    this.keepRevision(row, cause);
    this.data.rows.memories.delete(row.id);
    this.changed = true;
  }

  async dropRevisions(which: { memoryId: string } | { endedBefore: Date; limit: number }): Promise<number> {
    const { revisions } = this.data.rows;
    const dropped = new Set(
      'memoryId' in which
        ? revisions.filter(({ row }) => row.id === which.memoryId)
        : revisions
            .filter(({ validTo }) => validTo < which.endedBefore)
            .sort((a, b) => a.validTo.getTime() - b.validTo.getTime())
            .slice(0, which.limit),
    );
    this.data.rows.revisions = revisions.filter((ended) => !dropped.has(ended));
    return dropped.size;
  }

  async barFromTurns(contentHashes: readonly string[]): Promise<void> {
    const { turns } = this.data.rows;
    for (const turn of [...turns.values()].filter(({ messages }) => messages !== null)) {
      this.changedTurns.push(turn);
      turns.set(turn.turnId, { ...turn, barred: [...turn.barred, ...contentHashes] });
    }
  }

  async lockClaimedTurns(claim: string): Promise<TurnRecord[]> {
    return [...this.data.rows.turns.values()].filter((turn) => turn.claim === claim).map(toRecord);
  }

  async finishTurn(
    claim: string,
    turnId: string,
    result: { status: 'applied' | 'nothing' | 'rejected' | 'disabled'; decisions: readonly AppliedDecision[] },
  ): Promise<void> {
    const turn = this.data.rows.turns.get(turnId);
    if (!turn || turn.claim !== claim) {
      this.lostFence = new ConflictError(
        'The claim on this turn was lost to another worker. Nothing of it was stored here.',
      );
      throw this.lostFence;
    }
    this.changedTurns.push(turn);
    this.data.rows.turns.set(turnId, {
      ...turn,
      status: result.status,
      decisions: result.decisions,
      messages: null,
      context: [],
      barred: [],
      errorCode: null,
      claim: null,
      finishedAt: Date.now(),
    });
    this.stamped = true;
  }

  /** @throws ConflictError when a fence was lost on the way, even if the caller caught that */
  complete(): void {
    if (this.lostFence) throw this.lostFence;
    if (this.changed || this.stamped) this.data.clock = this.stamp.getTime();
    if (this.changed) this.data.state = { ...this.data.state, revision: this.data.state.revision + 1 };
  }

  /** Rolls back what was finished or barred; turns that came in meanwhile stay. */
  reopenTurns(): void {
    for (const turn of this.changedTurns.reverse()) this.data.rows.turns.set(turn.turnId, turn);
  }

  private keepRevision(row: Row, cause: RevisionCause): void {
    const { versions } = this.retention;
    if (row.updatedAt.getTime() === this.stamp.getTime() || versions === 0) return;
    const expiry = cause.endedBy === 'expire' ? (row.expiresAt?.getTime() ?? Infinity) : Infinity;
    const validTo = new Date(Math.min(this.stamp.getTime(), Math.max(expiry, row.updatedAt.getTime() + 1)));
    const kept = [...this.data.rows.revisions, { row, validTo, cause }];
    const ofThis = kept.filter((ended) => ended.row.id === row.id);
    const excess = new Set(versions === null ? [] : ofThis.slice(0, Math.max(0, ofThis.length - versions)));
    this.data.rows.revisions = kept.filter((ended) => !excess.has(ended));
  }

  private present({ id, version }: { id: string; version: number }): Row {
    const row = this.data.rows.memories.get(id);
    if (row?.version !== version) {
      throw new ConflictError('The memory is no longer in the version that was read. Read it again, then retry.');
    }
    return row;
  }

  private requireFreeHash(hash: string): void {
    for (const row of this.data.rows.memories.values()) {
      if (row.contentHash === hash) throw new ConflictError('Another memory of the scope has the same text.');
    }
  }
}

class InMemoryTurnLog implements TurnLog {
  private lastSeq = 0;

  constructor(
    private readonly data: (scope: Scope) => ScopeData,
    private readonly scopes: () => Iterable<ScopeData>,
  ) {}

  async insert(
    scope: Scope,
    turn: NewTurn,
    holdBack?: HoldBack,
    onLocked?: () => void,
  ): Promise<{ outcome: 'inserted' | 'duplicate' | 'disabled'; turn: TurnRecord | null }> {
    onLocked?.();
    const { state, rows } = this.data(scope);
    if (!state.enabled) return { outcome: 'disabled', turn: null };
    if (state.generation !== turn.generation)
      throw new ConflictError('The scope was erased meanwhile. Hand the turn in again.');
    const present = rows.turns.get(turn.turnId);
    if (present) {
      if (!present.messagesHash.equals(turn.messagesHash)) {
        throw new ConflictError('This turnId was used for other messages. Give each turn an id of its own.');
      }
      return { outcome: 'duplicate', turn: toRecord(present) };
    }
    const inserted: Turn = {
      turnId: turn.turnId,
      seq: ++this.lastSeq,
      messages: turn.messages,
      context: turn.context ?? [],
      barred: [],
      messagesHash: turn.messagesHash,
      occurredAt: turn.occurredAt ?? new Date(),
      timeZone: turn.timeZone,
      generation: turn.generation,
      status: 'pending',
      attempt: 0,
      givenBack: 0,
      failures: 0,
      decisions: [],
      errorCode: null,
      claim: null,
      batchNo: 0,
      leaseUntil: 0,
      runAfter: Date.now(),
      notBefore: holdBack ? Date.now() : null,
      finishedAt: null,
    };
    rows.turns.set(turn.turnId, inserted);
    if (holdBack) {
      const held = [...rows.turns.values()].filter((one) => one.status === 'pending' && one.notBefore !== null);
      const due = Date.now() + (held.length >= holdBack.everyTurns ? 0 : holdBack.idleMs);
      for (const one of held) rows.turns.set(one.turnId, { ...one, notBefore: due, runAfter: due });
    }
    return { outcome: 'inserted', turn: toRecord(inserted) };
  }

  async find(scope: Scope, turnId: string): Promise<TurnRecord | null> {
    const turn = this.data(scope).rows.turns.get(turnId);
    return turn ? toRecord(turn) : null;
  }

  async claim(scope: Scope, { leaseMs, maxTurns = 1, maxBytes = Infinity }: ClaimOptions): Promise<ClaimedTurn | null> {
    const { turns } = this.data(scope).rows;
    const head = headOf(turns);
    if (!head?.messages) return null;
    const due =
      (head.status === 'pending' && (head.notBefore ?? 0) <= Date.now()) ||
      (head.status === 'failed' && head.runAfter <= Date.now()) ||
      (head.status === 'running' && head.leaseUntil <= Date.now());
    if (!due) return null;
    const claim = randomUUID();
    const open = [...turns.values()].filter((turn) => isOpen(turn) && turn.seq >= head.seq);
    const batch = open.sort((a, b) => a.seq - b.seq).slice(0, maxTurns);
    let bytes = 0;
    const end = batch.findIndex((turn, place) => {
      bytes += Buffer.byteLength(JSON.stringify([turn.messages, turn.context]));
      return place > 0 && (turn.attempt > 0 || head.attempt > 0 || bytes > maxBytes);
    });
    const claimed = batch.slice(0, end === -1 ? batch.length : end).map((turn, batchNo) => {
      const taken: Turn = {
        ...turn,
        status: 'running',
        claim,
        batchNo,
        attempt: turn.attempt + 1,
        leaseUntil: Date.now() + leaseMs,
        notBefore: null,
      };
      turns.set(turn.turnId, taken);
      return { ...toRecord(taken), messages: taken.messages ?? [], claim };
    });
    const [first, ...following] = claimed;
    return first ? { ...first, following } : null;
  }

  async pausedUntil(scope: Scope): Promise<Date | null> {
    const head = headOf(this.data(scope).rows.turns);
    const until = head?.status === 'failed' ? head.runAfter : head?.status === 'pending' ? head.notBefore : null;
    return until === null || until === undefined ? null : new Date(until);
  }

  async retry(scope: Scope, turnId: string): Promise<RetryOutcome> {
    const { state, rows } = this.data(scope);
    if (!state.enabled) return { outcome: 'disabled' };
    const turn = rows.turns.get(turnId);
    if (!turn) return { outcome: 'unknown' };
    if (turn.status !== 'dead' && turn.status !== 'failed') return { outcome: 'not-failed', turn: toRecord(turn) };
    if (!turn.messages) return { outcome: 'cleared', turn: toRecord(turn) };
    const retried: Turn = {
      ...turn,
      status: 'pending',
      failures: 0,
      givenBack: turn.attempt,
      errorCode: null,
      finishedAt: null,
      notBefore: null,
      runAfter: Date.now(),
    };
    rows.turns.set(turnId, retried);
    return { outcome: 'retried', turn: toRecord(retried) };
  }

  async dropOld(scope: Scope, what: OldTurns & { readonly limit: number }): Promise<number> {
    const { turns } = this.data(scope).rows;
    const dead = [...turns.values()].filter((turn) => diedBefore(turn, what.deadBefore)).slice(0, what.limit);
    for (const turn of dead) turns.set(turn.turnId, { ...turn, messages: null, context: [], barred: [] });
    const ended = [...turns.values()].filter((turn) => endedBefore(turn, what.endedBefore)).slice(0, what.limit);
    for (const turn of ended) turns.delete(turn.turnId);
    return dead.length + ended.length;
  }

  async renew(scope: Scope, claim: string, leaseMs: number): Promise<boolean> {
    return this.change(scope, claim, () => ({ leaseUntil: Date.now() + leaseMs }));
  }

  async fail(scope: Scope, claim: string, { errorCode, delayMs, dead, failures }: TurnFailure): Promise<boolean> {
    return this.change(scope, claim, (turn) => ({
      status: dead ? 'dead' : 'failed',
      claim: null,
      givenBack: turn.givenBack + 1,
      failures,
      errorCode,
      runAfter: Date.now() + delayMs,
      finishedAt: dead ? Date.now() : null,
    }));
  }

  async release(scope: Scope, claim: string): Promise<boolean> {
    return this.change(scope, claim, (turn) => ({
      status: turn.failures > 0 ? 'failed' : 'pending',
      claim: null,
      givenBack: turn.givenBack + 1,
      runAfter: Date.now(),
    }));
  }

  async sweep({ limit, holdMs }: { limit: number; holdMs: number }): Promise<TurnKey[]> {
    const keys: TurnKey[] = [];
    for (const { scope, rows } of this.scopes()) {
      const head = headOf(rows.turns, 'by seq');
      if (!head || keys.length >= limit) continue;
      if ((head.status === 'running' ? head.leaseUntil : head.runAfter) > Date.now()) continue;
      rows.turns.set(head.turnId, { ...head, status: 'pending', claim: null, runAfter: Date.now() + holdMs });
      keys.push({ ...scope, turnId: head.turnId });
    }
    return keys;
  }

  private change(scope: Scope, claim: string, change: (turn: Turn) => Partial<Turn>): boolean {
    const { turns } = this.data(scope).rows;
    const held = [...turns.values()].filter((one) => one.claim === claim);
    for (const turn of held) turns.set(turn.turnId, { ...turn, ...change(turn) });
    return held.length > 0;
  }
}

/** The scope's runner, because there can be no second one; else its earliest open turn. The rest of a batch stands in line. */
function headOf(turns: ReadonlyMap<string, Turn>, order?: 'by seq'): Turn | undefined {
  const open = [...turns.values()].filter(isOpen).sort((a, b) => a.seq - b.seq);
  return (order ? undefined : open.find((turn) => turn.status === 'running' && turn.batchNo === 0)) ?? open[0];
}

function isOpen(turn: Turn): boolean {
  return turn.status === 'pending' || turn.status === 'running' || turn.status === 'failed';
}

function diedBefore(turn: Turn, moment: Date | null): boolean {
  return turn.status === 'dead' && turn.messages !== null && endedBefore(turn, moment);
}

function endedBefore(turn: Turn, moment: Date | null): boolean {
  return !isOpen(turn) && moment !== null && turn.finishedAt !== null && turn.finishedAt < moment.getTime();
}

function toRecord(turn: Turn): TurnRecord {
  const {
    claim: _claim,
    batchNo: _batchNo,
    leaseUntil: _leaseUntil,
    runAfter: _runAfter,
    notBefore: _notBefore,
    finishedAt: _finishedAt,
    ...record
  } = turn;
  return record;
}

/** Rows that hold now, or held at `asOf`. */
function liveRows(rows: Rows, asOf: Date | undefined, now = new Date()): Row[] {
  const at = (asOf ?? now).getTime();
  const present = [...rows.memories.values()];
  const states = asOf
    ? [
        ...present.filter((row) => row.updatedAt.getTime() <= at),
        ...rows.revisions
          .filter(({ row, validTo }) => row.updatedAt.getTime() <= at && validTo.getTime() > at)
          // Accesses are no part of a state: they are those of the memory that is there now.
          .map(({ row }) => {
            const { lastAccessedAt = null, accessCount = 0 } = rows.memories.get(row.id) ?? {};
            return { ...row, lastAccessedAt, accessCount };
          }),
      ]
    : present;
  return states.filter((row) => isLive(row, at));
}

function historyOf(rows: Rows, id: string): StoredRevision[] {
  return rows.revisions
    .filter(({ row }) => row.id === id)
    .map(({ row, validTo, cause }) => ({
      memoryId: row.id,
      version: row.version,
      content: row.content,
      kind: row.kind,
      importance: row.importance,
      metadata: copyJson(row.metadata),
      expiresAt: row.expiresAt,
      validFrom: row.updatedAt,
      validTo,
      endedBy: cause.endedBy,
      turnId: cause.turnId ?? null,
      mergedInto: cause.mergedInto ?? null,
      source: row.source,
      createdAt: row.createdAt,
    }));
}

function recallFrom(live: readonly Row[], query: RecallQuery): RecallHit[] {
  const vector = query.mode === 'keyword' ? null : query.vector;
  if (vector) checkSpaceVector(vector);
  const terms = query.mode === 'vector' ? new Set<string>() : wordsOf(query.searchText);
  if (!vector && terms.size === 0) return [];

  const idf = new Map<string, number>();
  for (const term of terms) {
    const df = live.filter((row) => row.words.has(term)).length;
    idf.set(term, Math.log(1 + (live.length - df + 0.5) / (df + 0.5)));
  }
  const sum = (words: Iterable<string>): number => [...words].reduce((total, word) => total + (idf.get(word) ?? 0), 0);

  const entered = live
    .filter((row) => isOfKind(row, query.kinds) && contains(row.metadata, query.metadata ?? {}))
    .map((row) => {
      const distance = vector && row.vector?.space === vector.space ? cosineDistance(row.vector, vector) : null;
      const coverage =
        terms.size > 0 ? round(sum([...terms].filter((term) => row.words.has(term))) / sum(terms)) : null;
      const closeness = distance === null ? 0 : Math.max(0, 1 - distance);
      const relevance =
        vector && coverage !== null
          ? query.denseWeight * closeness + (1 - query.denseWeight) * coverage
          : vector
            ? closeness
            : (coverage ?? 0);
      return { row, distance, coverage, relevance, score: withPrior(row, relevance, query) };
    })
    .filter(({ distance, coverage, relevance }) => {
      const { maxDistance, minCoverage, minScore } = query;
      if (maxDistance === null && minCoverage === null && minScore === null) return true;
      return (
        (maxDistance !== null && distance !== null && distance <= maxDistance) ||
        (minCoverage !== null && coverage !== null && coverage >= minCoverage) ||
        (minScore !== null && distance !== null && coverage !== null && relevance >= minScore)
      );
    });

  const newerFirst = (a: { row: Row }, b: { row: Row }): number =>
    b.row.createdAt.getTime() - a.row.createdAt.getTime() || compareIds(a.row.id, b.row.id);
  const byDistance = entered
    .filter((hit) => hit.distance !== null)
    .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || newerFirst(a, b));
  const byCoverage = entered
    .filter((hit) => hit.coverage !== null && hit.coverage > 0)
    .sort((a, b) => (b.coverage ?? 0) - (a.coverage ?? 0) || newerFirst(a, b));
  return entered
    .sort((a, b) => b.score - a.score || newerFirst(a, b))
    .slice(0, query.limit)
    .map((hit) => ({
      memory: toMemory(hit.row),
      score: hit.score,
      distance: hit.distance,
      coverage: hit.coverage,
      vectorRank: byDistance.indexOf(hit) + 1 || null,
      keywordRank: byCoverage.indexOf(hit) + 1 || null,
    }));
}

function withPrior(row: Row, relevance: number, { prior, asOf = new Date() }: RecallQuery): number {
  if (!prior) return relevance;
  const { importanceWeight, recencyWeight, halfLifeDays } = prior;
  const days = Math.max(0, asOf.getTime() - row.updatedAt.getTime()) / 86_400_000;
  const recency = 0.5 ** (days / halfLifeDays);
  const score =
    (1 - importanceWeight - recencyWeight) * relevance + importanceWeight * row.importance + recencyWeight * recency;
  return Math.max(0, Math.min(1, score));
}

function cosineDistance(a: SpaceVector, b: SpaceVector): number {
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  a.values.forEach((value, index) => {
    const other = b.values[index] ?? 0;
    dot += value * other;
    squareA += value * value;
    squareB += other * other;
  });
  return round(1 - dot / Math.sqrt(squareA * squareB));
}

/** Six places, as the store in Postgres has them. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** JSON containment as Postgres' `@>` has it: objects by key, arrays as sets. */
function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item) => whole.some((one) => contains(one, item)));
  }
  if (typeof part === 'object' && part !== null) {
    if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false;
    return Object.entries(part).every(
      ([key, value]) => Object.hasOwn(whole, key) && contains((whole as MemoryMetadata)[key], value),
    );
  }
  return whole === part;
}

function wordsOf(searchText: string): Set<string> {
  return new Set(searchText.toLowerCase().split(' ').filter(Boolean));
}

function isLive(row: Row, now: number): boolean {
  return row.expiresAt === null || row.expiresAt.getTime() > now;
}

function isOfKind(row: Row, kinds: readonly MemoryKind[] | undefined): boolean {
  return !kinds || kinds.length === 0 || kinds.includes(row.kind);
}

function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function toMemory(row: Row): Memory {
  return {
    id: row.id,
    content: row.content,
    kind: row.kind,
    importance: row.importance,
    metadata: copyJson(row.metadata),
    source: row.source,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
    lastAccessedAt: row.lastAccessedAt,
    accessCount: row.accessCount,
  };
}

function toStored(row: Row): StoredMemory {
  return { ...toMemory(row), contentHash: row.contentHash, space: row.space, evidenceAt: row.evidenceAt };
}

/** As a trip through a database would: no reference is shared, only JSON survives. */
function copyJson(metadata: MemoryMetadata): MemoryMetadata {
  return JSON.parse(JSON.stringify(metadata)) as MemoryMetadata;
}
