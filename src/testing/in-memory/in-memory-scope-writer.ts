import { ConflictError } from '../../errors/conflict-error.js';
import type { AppliedDecision } from '../../model/decision.js';
import type { Memory } from '../../model/memory.js';
import type {
  MemoryChange,
  NewMemory,
  RecallHit,
  RecallQuery,
  Retention,
  RevisionCause,
  ScopeState,
  ScopeWriter,
  StoredMemory,
  StoredRevision,
  TurnRecord,
} from '../../storage/memory-store.js';
import { checkSpaceVector } from '../../storage/space-vector.js';
import { recallFrom } from './recall-from.js';
import { compareIds, copyJson, isLive, liveRows, revisionsOf, toMemory, toStored, wordsOf } from './rows.js';
import type { Row, ScopeData } from './rows.js';
import { toRecord } from './turns.js';
import type { Turn } from './turns.js';

export class InMemoryScopeWriter implements ScopeWriter {
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
    return revisionsOf(this.data.rows, id);
  }

  async recall(query: RecallQuery): Promise<RecallHit[]> {
    return this.state.enabled ? recallFrom(liveRows(this.data.rows, query.asOf, this.stamp), query) : [];
  }

  /** Nobody else is at work. */
  lockForChange(): Promise<void> {
    return Promise.resolve();
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
