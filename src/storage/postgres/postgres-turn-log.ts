import { randomUUID } from 'node:crypto';
import { ConflictError } from '../../errors/conflict-error.js';
import type { Scope } from '../../model/scope.js';
import type { ClaimedTurn, NewTurn, TurnFailure, TurnKey, TurnLog, TurnRecord } from '../memory-store.js';
import type { Sessions } from './sessions.js';
import { claimTurn } from './statements/claim-turn.js';
import { failTurn } from './statements/fail-turn.js';
import { findTurn } from './statements/find-turn.js';
import { insertTurn } from './statements/insert-turn.js';
import { makeScope } from './statements/make-scope.js';
import { releaseTurn } from './statements/release-turn.js';
import { renewLease } from './statements/renew-lease.js';
import { shareScope } from './statements/share-scope.js';
import { sweepTurns } from './statements/sweep-turns.js';
import { toTurnRecord } from './turn-row.js';

export class PostgresTurnLog implements TurnLog {
  /** @param sessions throws while the store is not started */
  constructor(private readonly sessions: () => Sessions) {}

  async insert(
    scope: Scope,
    turn: NewTurn,
  ): Promise<{ outcome: 'inserted' | 'duplicate' | 'disabled'; turn: TurnRecord | null }> {
    return this.sessions().transaction(scope, async (session) => {
      let state = await shareScope(session, scope);
      if (!state) {
        await makeScope(session, scope);
        state = await shareScope(session, scope);
      }
      if (state?.enabled === false) return { outcome: 'disabled', turn: null };
      if (state?.generation !== turn.generation) {
        throw new ConflictError(
          'The scope was erased while this turn was handed in. Nothing was stored; hand it in again if it shall count.',
        );
      }
      const inserted = await insertTurn(session, scope, turn);
      if (inserted) return { outcome: 'inserted', turn: toTurnRecord(inserted) };

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

  async claim(scope: Scope, { leaseMs }: { leaseMs: number }): Promise<ClaimedTurn | null> {
    const claim = randomUUID();
    try {
      const row = await this.sessions().transaction(scope, (session) => claimTurn(session, scope, claim, leaseMs));
      if (!row?.messages) return null;
      return { ...toTurnRecord(row), messages: row.messages, claim };
    } catch (error) {
      // Another worker took another turn of the scope in the same moment: the index on runners let one of the two pass.
      if (error instanceof ConflictError) return null;
      throw error;
    }
  }

  async renew(scope: Scope, claim: string, leaseMs: number): Promise<boolean> {
    return this.sessions().transaction(scope, (session) => renewLease(session, scope, claim, leaseMs));
  }

  async fail(scope: Scope, claim: string, failure: TurnFailure): Promise<boolean> {
    return this.sessions().transaction(scope, (session) => failTurn(session, scope, claim, failure));
  }

  async release(scope: Scope, claim: string): Promise<boolean> {
    return this.sessions().transaction(scope, (session) => releaseTurn(session, scope, claim));
  }

  async sweep({ limit, holdMs }: { limit: number; holdMs: number }): Promise<TurnKey[]> {
    return this.sessions().acrossScopes((session) => sweepTurns(session, limit, holdMs));
  }
}
