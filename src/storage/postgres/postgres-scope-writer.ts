import { ConflictError } from '../../errors/conflict-error.js';
import type { AppliedDecision } from '../../model/decision.js';
import type { Memory } from '../../model/memory.js';
import type { Scope } from '../../model/scope.js';
import type {
  MemoryChange,
  NewMemory,
  RecallHit,
  RecallQuery,
  RevisionCause,
  ScopeState,
  ScopeWriter,
  StoredMemory,
  StoredRevision,
  TurnRecord,
} from '../memory-store.js';
import { isUuid, toMemory, toStoredMemory } from './memory-row.js';
import { toRecallHit } from './recall-row.js';
import { recallUnderLock } from './recall-scope.js';
import { toStoredRevision } from './revision-row.js';
import type { ScopeIndexes } from './scope-indexes.js';
import type { Session } from './session.js';
import { advanceScope } from './statements/advance-scope.js';
import { barFromTurns } from './statements/bar-from-turns.js';
import { deleteMemory } from './statements/delete-memory.js';
import { dropRevisionsBefore, dropRevisionsOf } from './statements/drop-revisions.js';
import { findByHashes } from './statements/find-by-hashes.js';
import { findExpired } from './statements/find-expired.js';
import { findMemory } from './statements/find-memory.js';
import { findRevisions } from './statements/find-revisions.js';
import { findStale } from './statements/find-stale.js';
import { findTextsEndedByHand } from './statements/find-texts-ended-by-hand.js';
import { finishTurn } from './statements/finish-turn.js';
import { insertMemories } from './statements/insert-memories.js';
import { keepRevision } from './statements/keep-revision.js';
import { lockClaimedTurns } from './statements/lock-claimed-turns.js';
import { lockForChange } from './statements/lock-for-change.js';
import type { LockedScope } from './statements/lock-scope.js';
import { updateMemory } from './statements/update-memory.js';
import { toTurnRecord } from './turn-row.js';

/** Rows of one INSERT: enough to make the round trip cheap, few enough to keep a message with vectors at some megabytes. */
const INSERT_BATCH = 500;

/** Counts what it changes, and writes stamp, revision and counters once, at the end. */
export class PostgresScopeWriter implements ScopeWriter {
  readonly state: ScopeState;
  readonly stamp: Date;
  private stamped = false;
  private changed = false;
  private docs = 0;
  private terms = 0;
  private lostFence: ConflictError | null = null;

  constructor(
    private readonly session: Session,
    private readonly scope: Scope,
    locked: LockedScope,
    /** Latest revisions of each memory to keep; null keeps all. */
    private readonly keepVersions: number | null,
    /** As `recallUnderLock`. */
    private readonly largeScopes: { readonly indexes: ScopeIndexes | null; readonly from: number },
  ) {
    this.state = locked.state;
    this.stamp = locked.stamp;
  }

  async find(id: string): Promise<StoredMemory | null> {
    if (!isUuid(id)) return null;
    const row = await findMemory(this.session, this.scope, id, this.stamp);
    return row && toStoredMemory(row);
  }

  async findByHashes(hashes: readonly string[]): Promise<StoredMemory[]> {
    const rows = await findByHashes(this.session, this.scope, hashes.filter(isUuid));
    return rows.map(toStoredMemory);
  }

  async textsEndedByHand(after: Date): Promise<string[]> {
    const rows = await findTextsEndedByHand(this.session, this.scope, after);
    return rows.map(({ content }) => content);
  }

  async findExpired(which: { ids?: readonly string[]; limit: number }): Promise<StoredMemory[]> {
    const known = which.ids && { ids: which.ids.filter(isUuid) };
    const rows = await findExpired(this.session, this.scope, this.stamp, { ...which, ...known });
    return rows.map(toStoredMemory);
  }

  async findStale(which: { idleSince: Date; importanceBelow: number | null; limit: number }): Promise<StoredMemory[]> {
    for (;;) {
      const locked = await findStale(this.session, this.scope, this.stamp, which);
      if (locked.length === 0) return [];
      // An access may have been counted while the locks were waited for, in a row that they do not cover: look again.
      const ids = locked.map(({ id }) => id);
      const stale = await findStale(this.session, this.scope, this.stamp, { ...which, ids });
      if (stale.length > 0) return stale.map(toStoredMemory);
    }
  }

  async history(id: string): Promise<StoredRevision[]> {
    if (!isUuid(id)) return [];
    const rows = await findRevisions(this.session, this.scope, [id]);
    return rows.map(toStoredRevision);
  }

  async recall(query: RecallQuery): Promise<RecallHit[]> {
    const { indexes, from } = this.largeScopes;
    const rows = await recallUnderLock(this.session, indexes, this.scope, query, from, this.stamp);
    return rows.map(toRecallHit);
  }

  async lockForChange(ids: readonly string[], contentHashes: readonly string[]): Promise<void> {
    await lockForChange(this.session, this.scope, ids.filter(isUuid), contentHashes.filter(isUuid));
  }

  async insert(memories: readonly NewMemory[]): Promise<Memory[]> {
    const inserted = new Map<string, Memory>();
    for (let start = 0; start < memories.length; start += INSERT_BATCH) {
      const batch = memories.slice(start, start + INSERT_BATCH);
      for (const row of await insertMemories(this.session, this.scope, this.stamp, batch)) {
        this.count(1, row.terms);
        inserted.set(row.id, toMemory(row));
      }
    }
    return memories.flatMap(({ id }) => inserted.get(id.toLowerCase()) ?? []);
  }

  async update(target: { id: string; version: number }, change: MemoryChange, cause: RevisionCause): Promise<Memory> {
    if (!isUuid(target.id)) throw movedOn();
    const changesText = change.text !== undefined;
    await keepRevision(this.session, this.scope, target, this.stamp, cause, changesText, this.keepVersions);
    const row = await updateMemory(this.session, this.scope, target, change, this.stamp);
    if (!row) throw movedOn();
    this.count(0, row.added_terms);
    return toMemory(row);
  }

  async remove(target: { id: string; version: number }, cause: RevisionCause): Promise<void> {
    if (!isUuid(target.id)) throw movedOn();
    await keepRevision(this.session, this.scope, target, this.stamp, cause, true, this.keepVersions);
    const terms = await deleteMemory(this.session, this.scope, target);
    if (terms === null) throw movedOn();
    this.count(-1, -terms);
  }

  async dropRevisions(which: { memoryId: string } | { endedBefore: Date; limit: number }): Promise<number> {
    if (!('memoryId' in which)) return dropRevisionsBefore(this.session, this.scope, which);
    return isUuid(which.memoryId) ? dropRevisionsOf(this.session, this.scope, which.memoryId) : 0;
  }

  async barFromTurns(contentHashes: readonly string[]): Promise<void> {
    await barFromTurns(this.session, this.scope, contentHashes.filter(isUuid));
  }

  async lockClaimedTurns(claim: string): Promise<TurnRecord[]> {
    const rows = await lockClaimedTurns(this.session, this.scope, claim);
    return rows.map(toTurnRecord);
  }

  async finishTurn(
    claim: string,
    turnId: string,
    result: { status: 'applied' | 'nothing' | 'rejected' | 'disabled'; decisions: readonly AppliedDecision[] },
  ): Promise<void> {
    if (await finishTurn(this.session, this.scope, claim, turnId, result, this.stamp)) {
      this.stamped = true;
      return;
    }
    this.lostFence = new ConflictError(
      'The claim on this turn was lost to another worker. Nothing of it was stored here.',
    );
    throw this.lostFence;
  }

  /**
   * Last step of the transaction.
   *
   * @throws ConflictError when a fence was lost on the way, even if the caller caught that
   */
  async complete(): Promise<void> {
    if (this.lostFence) throw this.lostFence;
    if (!this.stamped) return;
    const { stamp, changed, docs, terms } = this;
    await advanceScope(this.session, this.scope, { stamp, changed, docs, terms });
  }

  private count(docs: number, terms: number): void {
    this.stamped = true;
    this.changed = true;
    this.docs += docs;
    this.terms += terms;
  }
}

function movedOn(): ConflictError {
  return new ConflictError('The memory is no longer in the version that was read. Read it again, then retry.');
}
