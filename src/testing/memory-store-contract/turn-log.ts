import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ConflictError } from '../../errors/conflict-error.js';
import { ProviderError } from '../../errors/provider-error.js';
import { contentHash } from '../../model/content.js';
import type { Scope } from '../../model/scope.js';
import type { ClaimedTurn, NewTurn } from '../../storage/memory-store.js';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory, newTurn, hashOf } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function turnLogContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { rememberOne, handIn, claimed } = subject;

  describe('the turn log', () => {
    it('stores a turn once and tells a repetition by its messages', async () => {
      const scope = newScope();
      const first = await handIn(scope, { turnId: 'a', timeZone: 'Europe/Lisbon' });
      assert.equal(first.outcome, 'inserted');
      assert.equal(first.turn?.status, 'pending');
      assert.equal(first.turn?.timeZone, 'Europe/Lisbon');
      assert.deepEqual(first.turn?.decisions, []);
      const again = await handIn(scope, { turnId: 'a' });
      assert.equal(again.outcome, 'duplicate');
      assert.equal(again.turn?.seq, first.turn?.seq);
      await assert.rejects(
        handIn(scope, { turnId: 'a', messagesHash: hashOf('other messages') }),
        (error) => error instanceof ConflictError && !error.message.includes('bees'),
      );
      assert.deepEqual((await subject.store.turns.find(scope, 'a'))?.messages, first.turn?.messages);
      assert.equal(await subject.store.turns.find(scope, 'b'), null);
    });

    it('stores one of many equal turns handed in at once', async () => {
      const scope = newScope();
      const results = await Promise.all(Array.from({ length: 8 }, () => handIn(scope, { turnId: 'a' })));
      assert.equal(results.filter((result) => result.outcome === 'inserted').length, 1);
      assert.equal(results.filter((result) => result.outcome === 'duplicate').length, 7);
    });

    it('refuses a turn that began before an erasure', async () => {
      const scope = newScope();
      await assert.rejects(handIn(scope, { generation: randomUUID() }), ConflictError);
      assert.equal((await subject.store.stats(scope, null)).pendingTurns, 0);
    });

    it('stores nothing while the scope is off', async () => {
      const scope = newScope();
      await subject.store.scopeState(scope);
      await subject.store.setEnabled(scope, false);
      assert.deepEqual(await handIn(scope, { turnId: 'a' }), { outcome: 'disabled', turn: null });
      assert.equal((await subject.store.scopeState(scope)).enabled, false);
      assert.equal(await subject.store.turns.find(scope, 'a'), null);
      await subject.store.setEnabled(scope, true);
      assert.equal((await handIn(scope, { turnId: 'a' })).outcome, 'inserted');
    });

    it('keeps the time that the turn was said, or takes its arrival', async () => {
      const scope = newScope();
      const occurredAt = new Date('2024-03-10T02:30:00.250Z');
      assert.deepEqual((await handIn(scope, { turnId: 'a', occurredAt })).turn?.occurredAt, occurredAt);
      const arrived = (await handIn(scope, { turnId: 'b' })).turn?.occurredAt;
      assert.ok(arrived && Math.abs(arrived.getTime() - Date.now()) < 60_000);
    });

    it('dates a turn among changes by its own clock: never ahead, and by its age where that is known', async () => {
      const scope = newScope();
      const [past, future] = [new Date('2024-03-10T02:30:00.250Z'), new Date('2099-01-01T00:00:00.000Z')];
      const said = async (turn: Partial<NewTurn>): Promise<number> =>
        (await handIn(scope, { turnId: randomUUID(), ...turn })).turn?.saidAt.getTime() ?? Number.NaN;
      const { updatedAt } = await rememberOne(scope, newMemory('Keeps bees.'));
      assert.equal(await said({ occurredAt: past }), past.getTime());
      assert.ok((await said({ occurredAt: future })) >= updatedAt.getTime());
      assert.ok((await said({ occurredAt: future })) < updatedAt.getTime() + 600_000);
      assert.ok((await said({ occurredAt: past, ageMs: 0 })) >= updatedAt.getTime());
      assert.ok((await said({ occurredAt: future, ageMs: 600_000 })) < updatedAt.getTime());
      assert.deepEqual((await handIn(scope, { turnId: 'a', occurredAt: future })).turn?.occurredAt, future);
    });

    it('stores nothing of what was said before an erasure, by its time or by its age', async () => {
      const scope = newScope();
      await subject.store.erase(scope);
      const nothing = { outcome: 'erased', turn: null };
      assert.deepEqual(await handIn(scope, { turnId: 'a', occurredAt: new Date(0) }), nothing);
      assert.deepEqual(
        await handIn(scope, { turnId: 'a', occurredAt: new Date('2099-01-01'), ageMs: 3_600_000 }),
        nothing,
      );
      assert.equal(await subject.store.turns.find(scope, 'a'), null);
      assert.equal((await handIn(scope, { turnId: 'a', occurredAt: new Date(0), ageMs: 0 })).outcome, 'inserted');
    });

    it('hands turns out earliest first, one at a time in a scope', async () => {
      const scope = newScope();
      for (const turnId of ['b', 'a', 'c']) await handIn(scope, { turnId });
      const order: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const turn = await claimed(scope);
        order.push(turn.turnId);
        assert.equal(turn.status, 'running');
        assert.equal(turn.attempt, 1);
        assert.equal(turn.messages[0]?.content, 'I keep bees.');
        assert.equal(await subject.store.turns.claim(scope, { leaseMs: 60_000 }), null);
        await finish(scope, turn);
      }
      assert.deepEqual(order, ['b', 'a', 'c']);
      assert.equal(await subject.store.turns.claim(scope, { leaseMs: 60_000 }), null);
    });

    it('gives a turn to one of many who claim at once', async () => {
      const scope = newScope();
      for (const turnId of ['a', 'b', 'c']) await handIn(scope, { turnId });
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => subject.store.turns.claim(scope, { leaseMs: 60_000 })),
      );
      assert.equal(claims.filter(Boolean).length, 1);
    });

    it('takes the turns behind it along where asked to, as many and as large as allowed, under one claim', async () => {
      const scope = newScope();
      for (const turnId of ['a', 'b', 'c', 'd']) await handIn(scope, { turnId });
      const turn = await subject.store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 3 });
      assert.ok(turn);
      assert.deepEqual(
        [turn, ...turn.following].map(({ turnId, claim, attempt, status }) => [turnId, claim, attempt, status]),
        ['a', 'b', 'c'].map((turnId) => [turnId, turn.claim, 1, 'running']),
      );
      assert.equal(await subject.store.turns.claim(scope, { leaseMs: 60_000 }), null);
      assert.equal(await subject.store.turns.renew(scope, turn.claim, 60_000), true);
      await subject.store.write(scope, async (writer) => {
        const locked = (await writer.lockClaimedTurns(turn.claim)).map(({ turnId }) => turnId);
        assert.deepEqual(locked.sort(), ['a', 'b', 'c']);
        for (const turnId of locked) await writer.finishTurn(turn.claim, turnId, { status: 'nothing', decisions: [] });
      });
      await handIn(scope, { turnId: 'e' });
      const small = await subject.store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 3, maxBytes: 10 });
      assert.equal(small?.turnId, 'd');
      assert.deepEqual(small.following, []);

      const other = newScope();
      const context = [{ role: 'user' as const, content: 'x'.repeat(1_000) }];
      for (const turnId of ['a', 'b']) await handIn(other, { turnId, context });
      const long = await subject.store.turns.claim(other, { leaseMs: 60_000, maxTurns: 3, maxBytes: 1_500 });
      assert.deepEqual(long?.following, []);
    });

    it('tries turns that failed, crashed or were given back together one by one', async () => {
      for (const end of ['fail', 'crash', 'release'] as const) {
        const scope = newScope();
        for (const turnId of ['a', 'b']) await handIn(scope, { turnId });
        const both = await subject.store.turns.claim(scope, { leaseMs: end === 'crash' ? 0 : 60_000, maxTurns: 5 });
        assert.equal(both?.following.length, 1);
        const failure = { errorCode: 'X', delayMs: 0, dead: false, failures: 0 };
        if (end === 'fail') assert.equal(await subject.store.turns.fail(scope, both.claim, failure), true);
        if (end === 'release') assert.equal(await subject.store.turns.release(scope, both.claim), true);
        for (const turnId of ['a', 'b']) {
          const alone = await subject.store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 5 });
          assert.equal(alone?.turnId, turnId);
          assert.deepEqual(alone.following, []);
          await finish(scope, alone);
        }
      }
    });

    it('keeps the order of turns that crashed together, also where the first of them was swept', async () => {
      const scope = newScope();
      for (const turnId of ['a', 'b', 'c']) await handIn(scope, { turnId });
      await subject.store.turns.claim(scope, { leaseMs: 0, maxTurns: 5 });
      assert.deepEqual(
        (await sweepOf(scope)).map(({ turnId }) => turnId),
        ['a'],
      );
      for (const turnId of ['a', 'b', 'c']) {
        const alone = await claimed(scope);
        assert.equal(alone.turnId, turnId);
        await finish(scope, alone);
      }
    });

    it('goes on with a crashed turn before one of earlier that is tried again', async () => {
      const scope = newScope();
      for (const turnId of ['a', 'b']) await handIn(scope, { turnId });
      await subject.store.turns.fail(scope, (await claimed(scope)).claim, {
        errorCode: 'X',
        delayMs: 0,
        dead: true,
        failures: 1,
      });
      assert.equal((await claimed(scope, 0)).turnId, 'b');
      assert.equal((await subject.store.turns.retry(scope, 'a')).outcome, 'retried');
      for (const turnId of ['b', 'a']) {
        const turn = await claimed(scope);
        assert.equal(turn.turnId, turnId);
        await finish(scope, turn);
      }
    });

    it('gives turns that are claimed in numbers to one of many who claim at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const scope = newScope();
        for (const turnId of ['a', 'b', 'c', 'd']) await handIn(scope, { turnId });
        const claims = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            subject.store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 1 + (n % 4) }),
          ),
        );
        assert.equal(claims.filter(Boolean).length, 1);
      }
    });

    it('holds turns back until none follows for a while, or enough of them wait', async () => {
      const scope = newScope();
      const { generation } = await subject.store.scopeState(scope);
      const hold = (turnId: string, everyTurns: number, idleMs = 60_000) =>
        subject.store.turns.insert(scope, newTurn(generation, { turnId }), { idleMs, everyTurns });
      await hold('a', 3);
      assert.equal(await subject.store.turns.claim(scope, { leaseMs: 60_000 }), null);
      const until = await subject.store.turns.pausedUntil(scope);
      assert.ok(until && until.getTime() > Date.now() + 30_000);
      await hold('b', 3);
      assert.equal(await subject.store.turns.claim(scope, { leaseMs: 60_000 }), null);
      await hold('c', 3);
      const due = await subject.store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 5 });
      assert.deepEqual([due?.turnId, ...(due?.following ?? []).map(({ turnId }) => turnId)], ['a', 'b', 'c']);

      const other = newScope();
      await subject.store.turns.insert(
        other,
        newTurn((await subject.store.scopeState(other)).generation, { turnId: 'a' }),
        {
          idleMs: 1,
          everyTurns: 100,
        },
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal((await claimed(other)).turnId, 'a');
    });

    it('says until when the first turn of a scope is not tried again', async () => {
      const scope = newScope();
      assert.equal(await subject.store.turns.pausedUntil(scope), null);
      await handIn(scope, { turnId: 'a' });
      assert.equal(await subject.store.turns.pausedUntil(scope), null);
      const turn = await claimed(scope);
      assert.equal(await subject.store.turns.pausedUntil(scope), null);
      await subject.store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 60_000, dead: false, failures: 1 });
      const until = await subject.store.turns.pausedUntil(scope);
      assert.ok(until && until.getTime() > Date.now() + 30_000);
    });

    it('tries a dead turn again, as if it had never failed', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      const turn = await claimed(scope);
      const running = await subject.store.turns.retry(scope, 'a');
      assert.equal(running.outcome, 'not-failed');
      await subject.store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 60_000, dead: true, failures: 1 });
      assert.equal((await subject.store.turns.retry(newScope(), 'a')).outcome, 'unknown');
      const result = await subject.store.turns.retry(scope, 'a');
      assert.equal(result.outcome, 'retried');
      const again = await claimed(scope);
      assert.deepEqual(
        [again.turnId, again.attempt, again.givenBack, again.failures, again.errorCode],
        ['a', 2, 1, 0, null],
      );
      await finish(scope, again);
      assert.equal((await subject.store.turns.retry(scope, 'a')).outcome, 'not-failed');
    });

    it('tries nothing again while the scope is off, nor what has lost its messages', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      const turn = await claimed(scope);
      await subject.store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 });
      await subject.store.setEnabled(scope, false);
      assert.equal((await subject.store.turns.retry(scope, 'a')).outcome, 'disabled');
      await subject.store.setEnabled(scope, true);
      assert.equal((await subject.store.turns.retry(scope, 'a')).outcome, 'cleared');
    });

    it('clears the messages of turns that died long ago, and drops those that ended longer ago', async () => {
      const scope = newScope();
      for (const turnId of ['dead', 'done', 'open']) await handIn(scope, { turnId });
      const dead = await claimed(scope);
      await subject.store.turns.fail(scope, dead.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 });
      await finish(scope, await claimed(scope));
      const later = new Date(Date.now() + 60_000);
      const due = async (turns: { deadBefore: Date | null; endedBefore: Date | null }): Promise<boolean> =>
        (await subject.store.dueForUpkeep({ revisionsEndedBefore: null, turns, limit: 10_000 })).some(
          (one) => one.scope === scope.scope && one.tenantId === scope.tenantId,
        );
      const past = { deadBefore: new Date(0), endedBefore: new Date(0) };
      assert.equal(await due(past), false);
      assert.equal(await subject.store.turns.dropOld(scope, { ...past, limit: 10 }), 0);

      const clear = { deadBefore: later, endedBefore: null };
      assert.equal(await due(clear), true);
      assert.equal(await subject.store.turns.dropOld(scope, { ...clear, limit: 10 }), 1);
      assert.equal((await subject.store.turns.find(scope, 'dead'))?.messages, null);
      assert.equal(await due(clear), false);
      assert.equal((await subject.store.turns.retry(scope, 'dead')).outcome, 'cleared');

      const drop = { deadBefore: null, endedBefore: later };
      assert.equal(await due(drop), true);
      assert.equal(await subject.store.turns.dropOld(scope, { ...drop, limit: 10 }), 2);
      assert.equal(await due(drop), false);
      assert.equal(await subject.store.turns.find(scope, 'done'), null);
      assert.equal((await subject.store.turns.find(scope, 'open'))?.status, 'pending');
    });

    it('fences a worker whose lease ran out', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      const late = await claimed(scope, 0);
      const next = await claimed(scope);
      assert.notEqual(next.claim, late.claim);
      assert.equal(next.attempt, 2);
      assert.equal(await subject.store.turns.renew(scope, late.claim, 60_000), false);
      assert.equal(
        await subject.store.turns.fail(scope, late.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 }),
        false,
      );
      assert.equal(await subject.store.turns.release(scope, late.claim), false);
      await subject.store.write(scope, async (writer) => {
        assert.deepEqual(await writer.lockClaimedTurns(late.claim), []);
      });
      await assert.rejects(finish(scope, late), ConflictError);
      assert.equal((await subject.store.turns.find(scope, 'a'))?.status, 'running');
      await finish(scope, next);
    });

    it('keeps a claim whose lease is renewed', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      const turn = await claimed(scope, 0);
      assert.equal(await subject.store.turns.renew(scope, turn.claim, 60_000), true);
      assert.equal(await subject.store.turns.claim(scope, { leaseMs: 60_000 }), null);
      await finish(scope, turn);
    });

    it('rolls a whole apply back when the fence was lost, even if that error is swallowed', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      const late = await claimed(scope, 0);
      await claimed(scope);
      await assert.rejects(
        subject.store.write(scope, async (writer) => {
          await writer.insert([newMemory('Keeps bees.')]);
          await writer.finishTurn(late.claim, 'a', { status: 'applied', decisions: [] }).catch(() => undefined);
        }),
        ConflictError,
      );
      assert.equal((await subject.store.stats(scope, null)).total, 0);
    });

    it('applies a turn with its memories, keeps the decisions and clears the messages', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      const turn = await claimed(scope);
      const memory = newMemory('Keeps bees.', { source: 'observed', turnId: 'a', messageNo: 0 });
      const decisions = [{ action: 'add' as const, memoryId: memory.id }];
      await subject.store.write(scope, async (writer) => {
        const [locked, ...more] = await writer.lockClaimedTurns(turn.claim);
        assert.equal(more.length, 0);
        assert.equal(locked?.generation, writer.state.generation);
        await writer.insert([memory]);
        await writer.finishTurn(turn.claim, 'a', { status: 'applied', decisions });
      });
      const done = await subject.store.turns.find(scope, 'a');
      assert.deepEqual([done?.status, done?.messages, done?.decisions], ['applied', null, decisions]);
      assert.equal((await subject.store.get(scope, memory.id))?.source, 'observed');
      assert.equal((await handIn(scope, { turnId: 'a' })).turn?.status, 'applied');
      await assert.rejects(finish(scope, turn), ConflictError);
    });

    it('keeps what was said before a turn as long as its messages', async () => {
      const context = [{ role: 'assistant' as const, content: 'What do you keep?' }];
      const contextOf = async (scope: Scope) => (await subject.store.turns.find(scope, 'a'))?.context;
      const told = async (): Promise<Scope> => {
        const scope = newScope();
        assert.deepEqual((await handIn(scope, { turnId: 'a', context })).turn?.context, context);
        return scope;
      };
      const scope = await told();
      assert.deepEqual((await handIn(scope, { turnId: 'a' })).outcome, 'duplicate');
      const turn = await claimed(scope);
      assert.deepEqual(turn.context, context);
      await finish(scope, turn);
      assert.deepEqual(await contextOf(scope), []);

      const [off, dead] = [await told(), await told()];
      await subject.store.setEnabled(off, false);
      assert.deepEqual(await contextOf(off), []);
      const died = { errorCode: 'X', delayMs: 0, dead: true, failures: 1 };
      await subject.store.turns.fail(dead, (await claimed(dead)).claim, died);
      assert.deepEqual(await contextOf(dead), context);
      const later = new Date(Date.now() + 60_000);
      await subject.store.turns.dropOld(dead, { deadBefore: later, endedBefore: null, limit: 10 });
      assert.deepEqual(await contextOf(dead), []);
    });

    it('notes with turns that wait what they may not teach any more, as long as they have their messages', async () => {
      const scope = newScope();
      const barredOf = async (turnId: string) => (await subject.store.turns.find(scope, turnId))?.barred;
      for (const turnId of ['a', 'b']) await handIn(scope, { turnId });
      const turn = await claimed(scope);
      const hashes = [contentHash('Keeps bees.'), contentHash('Keeps wasps.')] as const;
      await subject.store.write(scope, (writer) => writer.barFromTurns([hashes[0]]));
      await subject.store.write(scope, async (writer) => {
        await writer.barFromTurns([hashes[1]]);
        assert.deepEqual((await writer.lockClaimedTurns(turn.claim))[0]?.barred, hashes);
      });
      const failed = subject.store.write(scope, async (writer) => {
        await writer.barFromTurns([contentHash('Is rolled back.')]);
        throw new ProviderError('contract', 'unavailable', false, 'The write fails.');
      });
      await assert.rejects(failed, ProviderError);
      assert.deepEqual(await barredOf('b'), hashes);
      await finish(scope, turn);
      assert.deepEqual(await barredOf('a'), []);
      await subject.store.setEnabled(scope, false);
      assert.deepEqual(await barredOf('b'), []);
      await subject.store.setEnabled(scope, true);
      await handIn(scope, { turnId: 'c' });
      assert.deepEqual(await barredOf('c'), []);
    });

    it('holds the scope while a failed turn pauses, and takes it up again after', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      await handIn(scope, { turnId: 'b' });
      const turn = await claimed(scope);
      const failure = { errorCode: 'PROVIDER_FAILED:timeout', delayMs: 60_000, dead: false, failures: 1 };
      assert.equal(await subject.store.turns.fail(scope, turn.claim, failure), true);
      const failed = await subject.store.turns.find(scope, 'a');
      assert.deepEqual(
        [failed?.status, failed?.failures, failed?.errorCode, failed?.messages?.length],
        ['failed', 1, 'PROVIDER_FAILED:timeout', 1],
      );
      assert.equal(await subject.store.turns.claim(scope, { leaseMs: 60_000 }), null);
      assert.equal((await sweepOf(scope)).length, 0);
      assert.equal((await subject.store.stats(scope, null)).pendingTurns, 2);
    });

    it('counts the failures of a turn as it is told', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      const failure = { errorCode: 'PROVIDER_FAILED:circuit-open', delayMs: 0, dead: false, failures: 0 };
      for (const failures of [0, 0, 3, 1]) {
        await subject.store.turns.fail(scope, (await claimed(scope)).claim, { ...failure, failures });
        const waiting = await subject.store.turns.find(scope, 'a');
        assert.deepEqual(
          [waiting?.status, waiting?.failures, waiting?.errorCode],
          ['failed', failures, failure.errorCode],
        );
      }
    });

    it('tells claims that were given back from those that crashed', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      await subject.store.turns.release(scope, (await claimed(scope)).claim);
      await subject.store.turns.fail(scope, (await claimed(scope)).claim, {
        errorCode: 'X',
        delayMs: 0,
        dead: false,
        failures: 1,
      });
      await claimed(scope, 0);
      const { attempt, givenBack } = await claimed(scope);
      assert.deepEqual([attempt, givenBack], [4, 2]);
    });

    it('lets the next turn pass once one is dead', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      await handIn(scope, { turnId: 'b' });
      const turn = await claimed(scope);
      await subject.store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 });
      assert.equal((await claimed(scope)).turnId, 'b');
      const { deadTurns, pendingTurns } = await subject.store.stats(scope, null);
      assert.deepEqual([deadTurns, pendingTurns], [1, 1]);
      assert.equal((await handIn(scope, { turnId: 'a' })).turn?.status, 'dead');
    });

    it('gives a released turn out again at once', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      const turn = await claimed(scope);
      assert.equal(await subject.store.turns.release(scope, turn.claim), true);
      assert.equal((await subject.store.turns.find(scope, 'a'))?.status, 'pending');
      const again = await claimed(scope);
      assert.deepEqual([again.turnId, again.attempt, again.failures], ['a', 2, 0]);
    });

    it('sweeps a due turn to one caller for a while, and it can be claimed then', async () => {
      const [one, other] = [newScope(), newScope()];
      await handIn(one, { turnId: 'a' });
      await handIn(other, { turnId: 'b' });
      const sweeps = await Promise.all(
        Array.from({ length: 4 }, () => subject.store.turns.sweep({ limit: 1_000, holdMs: 60_000 })),
      );
      const mine = sweeps.flat().filter((key) => [one.tenantId, other.tenantId].includes(key.tenantId));
      assert.deepEqual(
        mine.sort((x, y) => (x.turnId < y.turnId ? -1 : 1)),
        [
          { ...one, turnId: 'a' },
          { ...other, turnId: 'b' },
        ],
      );
      assert.equal((await claimed(one)).turnId, 'a');
      assert.equal((await sweepOf(one)).length, 0);
      assert.equal((await sweepOf(other)).length, 0);
    });

    it('sweeps a turn again that was swept for a while and is still there', async () => {
      const scope = newScope();
      await handIn(scope, { turnId: 'a' });
      for (let round = 0; round < 2; round += 1) assert.equal((await sweepOf(scope, 0)).length, 1);
    });

    it('sweeps turns whose pause is over or whose worker died, the earliest of a scope only', async () => {
      const [failed, abandoned] = [newScope(), newScope()];
      for (const scope of [failed, abandoned]) {
        await handIn(scope, { turnId: 'a' });
        await handIn(scope, { turnId: 'b' });
      }
      const turn = await claimed(failed);
      await subject.store.turns.fail(failed, turn.claim, { errorCode: 'X', delayMs: 0, dead: false, failures: 1 });
      await claimed(abandoned, 0);
      const tenants = [failed.tenantId, abandoned.tenantId];
      const keys = await subject.store.turns.sweep({ limit: 1_000, holdMs: 60_000 });
      const mine = keys.filter((key) => tenants.includes(key.tenantId));
      assert.equal(mine.length, 2);
      assert.ok(mine.every((key) => key.turnId === 'a'));
      for (const scope of [failed, abandoned]) assert.equal((await claimed(scope)).turnId, 'a');
    });

    it('sweeps no more than the limit', async () => {
      for (let n = 0; n < 3; n += 1) await handIn(newScope(), { turnId: 'a' });
      assert.equal((await subject.store.turns.sweep({ limit: 2, holdMs: 1 })).length, 2);
    });

    async function finish(scope: Scope, turn: ClaimedTurn): Promise<void> {
      await subject.store.write(scope, async (writer) => {
        await writer.lockClaimedTurns(turn.claim);
        await writer.finishTurn(turn.claim, turn.turnId, { status: 'nothing', decisions: [] });
      });
    }

    async function sweepOf(scope: Scope, holdMs = 60_000) {
      const keys = await subject.store.turns.sweep({ limit: 1_000, holdMs });
      return keys.filter((key) => key.tenantId === scope.tenantId);
    }
  });
}
