import { randomUUID } from 'node:crypto';
import { ConflictError } from '../../errors/conflict-error.js';
import type { Scope } from '../../model/scope.js';
import type {
  ClaimedTurn,
  ClaimOptions,
  HoldBack,
  NewTurn,
  OldTurns,
  RetryOutcome,
  TurnFailure,
  TurnKey,
  TurnLog,
  TurnRecord,
} from '../../storage/memory-store.js';
import { saidAt } from '../../storage/said-at.js';
import type { ScopeData } from './rows.js';
import { diedBefore, endedBefore, headOf, isOpen, toRecord } from './turns.js';
import type { Turn } from './turns.js';

export class InMemoryTurnLog implements TurnLog {
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
  ): Promise<{ outcome: 'inserted' | 'duplicate' | 'disabled' | 'erased'; turn: TurnRecord | null }> {
    onLocked?.();
    const { state, rows, clock } = this.data(scope);
    if (!state.enabled) return { outcome: 'disabled', turn: null };
    if (state.generation !== turn.generation)
      throw new ConflictError('The scope was erased meanwhile. Hand the turn in again.');
    const said = saidAt(turn, new Date(Math.max(Date.now(), clock)));
    if (state.erasedAt && said < state.erasedAt) return { outcome: 'erased', turn: null };
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
      saidAt: said,
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

  async fail(
    scope: Scope,
    claim: string,
    { errorCode, delayMs, dead, failures }: TurnFailure,
    onHeld?: (isAlone: boolean) => void,
  ): Promise<boolean> {
    const held = this.change(scope, claim, (turn) => ({
      status: dead ? 'dead' : 'failed',
      claim: null,
      givenBack: turn.givenBack + 1,
      failures,
      errorCode,
      runAfter: Date.now() + delayMs,
      finishedAt: dead ? Date.now() : null,
    }));
    if (held) onHeld?.(false);
    return held;
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
