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
} from '../memory-store.js';
import { saidAt } from '../said-at.js';
import type { Sessions } from './sessions.js';
import { claimTurns } from './statements/claim-turns.js';
import { clearDeadTurns, dropEndedTurns } from './statements/drop-old-turns.js';
import { failTurn } from './statements/fail-turn.js';
import { findPause } from './statements/find-pause.js';
import { findTurn } from './statements/find-turn.js';
import { holdTurnsBack } from './statements/hold-turns-back.js';
import { insertTurn } from './statements/insert-turn.js';
import { makeScope } from './statements/make-scope.js';
import { releaseTurn } from './statements/release-turn.js';
import { retryTurn } from './statements/retry-turn.js';
import { renewLease } from './statements/renew-lease.js';
import { shareScope } from './statements/share-scope.js';
import { sweepTurns } from './statements/sweep-turns.js';
import { tryLockScope } from './statements/try-lock-scope.js';
import { toTurnRecord } from './turn-row.js';

/** The scope's earliest turn went to another worker while this claim was made: what it took of the others is rolled back. */
class HeadTakenError extends Error {}

export class PostgresTurnLog implements TurnLog {
  /** @param sessions throws while the store is not started */
  constructor(private readonly sessions: () => Sessions) {}

  async insert(
    scope: Scope,
    turn: NewTurn,
    holdBack?: HoldBack,
    onLocked?: () => void,
  ): Promise<{ outcome: 'inserted' | 'duplicate' | 'disabled' | 'erased'; turn: TurnRecord | null }> {
    return this.sessions().transaction(scope, async (session) => {
      let shared = await shareScope(session, scope);
      if (!shared) {
        await makeScope(session, scope);
        shared = await shareScope(session, scope);
      }
      onLocked?.();
      if (shared?.state.enabled === false) return { outcome: 'disabled', turn: null };
      if (shared?.state.generation !== turn.generation) {
        throw new ConflictError(
          'The scope was erased while this turn was handed in. Nothing was stored; hand it in again if it shall count.',
        );
      }
      const said = saidAt(turn, shared.now);
      const { erasedAt } = shared.state;
      if (erasedAt && said < erasedAt) return { outcome: 'erased', turn: null };
      const inserted = await insertTurn(session, scope, turn, { saidAt: said, held: holdBack !== undefined });
      if (inserted) {
        if (holdBack) await holdTurnsBack(session, scope, holdBack);
        return { outcome: 'inserted', turn: toTurnRecord(inserted) };
      }

      const present = await findTurn(session, scope, turn.turnId);
      if (!present?.messages_hash.equals(turn.messagesHash)) {
        throw new ConflictError(
          'This turnId was used for other messages. Nothing was changed; give each turn an id of its own.',
        );
      }
      return { outcome: 'duplicate', turn: toTurnRecord(present) };
    });
  }

  async find(scope: Scope, turnId: string): Promise<TurnRecord | null> {
    const row = await this.sessions().use(scope, (session) => findTurn(session, scope, turnId));
    return row && toTurnRecord(row);
  }

  async claim(scope: Scope, options: ClaimOptions): Promise<ClaimedTurn | null> {
    const claim = randomUUID();
    try {
      const rows = await this.sessions().transaction(scope, async (session) => {
        const claimed = await claimTurns(session, scope, claim, options);
        if (claimed.length > 0 && claimed[0]?.batch_no !== 0) throw new HeadTakenError();
        return claimed;
      });
      const [turn, ...following] = rows.map((row) => ({ ...toTurnRecord(row), messages: row.messages ?? [], claim }));
      return turn ? { ...turn, following } : null;
    } catch (error) {
      // Another worker took another turn of the scope in the same moment: the index on runners let one of the two pass.
      if (error instanceof ConflictError || error instanceof HeadTakenError) return null;
      throw error;
    }
  }

  async pausedUntil(scope: Scope): Promise<Date | null> {
    return this.sessions().use(scope, (session) => findPause(session, scope));
  }

  async retry(scope: Scope, turnId: string): Promise<RetryOutcome> {
    return this.sessions().transaction(scope, async (session): Promise<RetryOutcome> => {
      // As an insert does: a switch-off or an erasure that is under way comes first.
      const shared = await shareScope(session, scope);
      if (shared?.state.enabled === false) return { outcome: 'disabled' };
      const retried = await retryTurn(session, scope, turnId);
      if (retried) return { outcome: 'retried', turn: toTurnRecord(retried) };
      const present = await findTurn(session, scope, turnId);
      if (!present) return { outcome: 'unknown' };
      return { outcome: present.status === 'dead' ? 'cleared' : 'not-failed', turn: toTurnRecord(present) };
    });
  }

  async dropOld(scope: Scope, what: OldTurns & { readonly limit: number }): Promise<number> {
    // Each locks its turns in the order of their ids; in one transaction the second would go back in it.
    const cleared = await this.sessions().transaction(scope, (session) => clearDeadTurns(session, scope, what));
    const dropped = await this.sessions().transaction(scope, (session) => dropEndedTurns(session, scope, what));
    return cleared + dropped;
  }

  async renew(scope: Scope, claim: string, leaseMs: number): Promise<boolean> {
    return this.sessions().transaction(scope, (session) => renewLease(session, scope, claim, leaseMs));
  }

  async fail(scope: Scope, claim: string, failure: TurnFailure, onHeld?: (isAlone: boolean) => void): Promise<boolean> {
    return this.sessions().transaction(scope, async (session) => {
      // Before the turns, as an apply and an erasure do it.
      const isAlone = await tryLockScope(session, scope);
      const held = await failTurn(session, scope, claim, failure);
      if (held) onHeld?.(isAlone);
      return held;
    });
  }

  async release(scope: Scope, claim: string): Promise<boolean> {
    return this.sessions().transaction(scope, (session) => releaseTurn(session, scope, claim));
  }

  async sweep({ limit, holdMs }: { limit: number; holdMs: number }): Promise<TurnKey[]> {
    return this.sessions().acrossScopes((session) => sweepTurns(session, limit, holdMs));
  }
}
