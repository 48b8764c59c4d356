import assert from 'node:assert/strict';
import type { Scope } from '../../model/scope.js';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory, query } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function switchContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { rememberOne, handIn, claimed } = subject;

  describe('the switch', () => {
    it('is on where nobody turned it, without making the scope', async () => {
      assert.deepEqual(await subject.store.settings(newScope()), { enabled: true });
    });

    it('is turned once, under a stamp later than every other, and stays', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Keeps bees on the roof.'));
      const switched = await subject.store.setEnabled(scope, false);
      assert.ok(switched && switched.at > memory.createdAt);
      assert.equal(await subject.store.setEnabled(scope, false), null);
      assert.deepEqual(await subject.store.settings(scope), { enabled: false });
      assert.equal((await subject.store.scopeState(scope)).revision, 2);
      assert.ok(await subject.store.setEnabled(scope, true));
      assert.deepEqual(await subject.store.settings(scope), { enabled: true });
    });

    it('turned off hides everything from recall and nothing from list and get', async () => {
      const [scope, other] = [newScope(), newScope()];
      const memory = await rememberOne(scope, newMemory('Keeps bees on the roof.'));
      await rememberOne(other, newMemory('Keeps bees on the roof.'));
      const ask = (where: Scope) => subject.store.recall(where, query({ words: 'bees', vector: [1, 0, 0] }));
      await subject.store.setEnabled(scope, false);
      assert.deepEqual(await ask(scope), []);
      assert.equal((await ask(other)).length, 1);
      assert.deepEqual(await subject.store.get(scope, memory.id), memory);
      assert.equal((await subject.store.list(scope, { limit: 5 })).totalCount, 1);
      await subject.store.setEnabled(scope, true);
      assert.equal((await ask(scope)).length, 1);
    });

    it('turned off ends what waits, drops its text and takes a running turn from its worker', async () => {
      const [scope, other] = [newScope(), newScope()];
      for (const turnId of ['dead', 'running', 'pending']) await handIn(scope, { turnId });
      await handIn(other, { turnId: 'pending' });
      const dead = await claimed(scope);
      await subject.store.turns.fail(scope, dead.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 });
      const running = await claimed(scope);
      assert.equal((await subject.store.setEnabled(scope, false))?.droppedTurns, 3);
      const left = await Promise.all(['dead', 'running', 'pending'].map((id) => subject.store.turns.find(scope, id)));
      assert.deepEqual(
        left.map((turn) => [turn?.status, turn?.messages]),
        [
          ['dead', null],
          ['disabled', null],
          ['disabled', null],
        ],
      );
      await subject.store.setEnabled(scope, true);
      assert.equal(await subject.store.turns.claim(scope, { leaseMs: 60_000 }), null);
      assert.equal(await subject.store.turns.renew(scope, running.claim, 60_000), false);
      assert.deepEqual(await subject.store.write(scope, (writer) => writer.lockClaimedTurns(running.claim)), []);
      assert.equal((await subject.store.turns.find(other, 'pending'))?.status, 'pending');

      const { claim } = await claimed(other);
      await subject.store.turns.fail(other, claim, { errorCode: 'X', delayMs: 60_000, dead: false, failures: 1 });
      await subject.store.setEnabled(other, false);
      const failed = await subject.store.turns.find(other, 'pending');
      assert.deepEqual([failed?.status, failed?.messages], ['disabled', null]);
    });
  });
}
