import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ConflictError } from '../../errors/conflict-error.js';
import type { Scope } from '../../model/scope.js';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory, query, SPACE } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function erasureContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne, handIn, claimed } = subject;

  describe('an erasure', () => {
    it('leaves nothing of the scope, and says how much went', async () => {
      const scope = newScope();
      const [one, two] = await remember(scope, newMemory('Keeps bees.'), newMemory('Owns a boat.'));
      assert.ok(one && two);
      await subject.store.touch(scope, [one.id]);
      await handIn(scope, { turnId: 'applied' });
      await handIn(scope, { turnId: 'pending' });
      const { id, erasedAt, ...counts } = await subject.store.erase(scope);
      assert.deepEqual({ ...counts, revisions: 0 }, { memories: 2, revisions: 0, turns: 2, accesses: 1 });
      assert.ok(erasedAt > two.createdAt);

      assert.equal(await subject.store.get(scope, one.id), null);
      assert.equal((await subject.store.list(scope, { limit: 5 })).totalCount, 0);
      assert.deepEqual(await subject.store.recall(scope, query({ words: 'bees', vector: [1, 0, 0] })), []);
      assert.equal(await subject.store.turns.find(scope, 'pending'), null);
      assert.deepEqual(await subject.store.stats(scope, SPACE), await subject.store.stats(newScope(), SPACE));
      const state = await subject.store.scopeState(scope);
      assert.deepEqual([state.generation, state.erasedAt, state.enabled], [id, erasedAt, true]);
    });

    it('says once that it is alone in the scope, as a switch does', async () => {
      const scope = newScope();
      const said: string[] = [];
      await subject.store.setEnabled(scope, false, () => said.push('switched'));
      await subject.store.erase(scope, () => said.push('erased'));
      assert.deepEqual(said, ['switched', 'erased']);
    });

    it('begins a new generation each time, also of a scope that held nothing', async () => {
      const scope = newScope();
      const receipts = [await subject.store.erase(scope), await subject.store.erase(scope)];
      assert.equal(new Set(receipts.map(({ id }) => id)).size, 2);
      assert.ok(receipts[1] && receipts[0] && receipts[1].erasedAt > receipts[0].erasedAt);
      assert.deepEqual(
        receipts.map(({ memories, revisions, turns, accesses }) => memories + revisions + turns + accesses),
        [0, 0],
      );
    });

    it('counts as a change, and leaves the switch as it was', async () => {
      const scope = newScope();
      await subject.store.setEnabled(scope, false);
      const { revision } = await subject.store.scopeState(scope);
      await subject.store.erase(scope);
      const after = await subject.store.scopeState(scope);
      assert.deepEqual([after.enabled, after.revision], [false, revision + 1]);
    });

    it('refuses what began before it, and takes what comes after', async () => {
      const scope = newScope();
      const { generation } = await subject.store.scopeState(scope);
      await handIn(scope, { turnId: 'a' });
      const turn = await claimed(scope);
      await subject.store.erase(scope);
      await assert.rejects(handIn(scope, { turnId: 'b', generation }), ConflictError);
      assert.deepEqual(await subject.store.write(scope, (writer) => writer.lockClaimedTurns(turn.claim)), []);
      assert.equal(
        await subject.store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 0, dead: false, failures: 1 }),
        false,
      );
      assert.equal((await handIn(scope, { turnId: 'a' })).outcome, 'inserted');
      await rememberOne(scope, newMemory('Keeps bees.'));
    });

    it('of one scope leaves those of similar names, and of other tenants, as they were', async () => {
      const tenantId = randomUUID();
      const erased = { tenantId, scope: 'user:1' };
      const others = [
        { tenantId, scope: 'user:10' },
        { tenantId, scope: 'USER:1' },
        { tenantId, scope: 'user:1 ' },
        { tenantId, scope: 'user:%' },
        { tenantId, scope: 'user:_' },
        { tenantId: randomUUID(), scope: 'user:1' },
        { tenantId: tenantId.toUpperCase(), scope: 'user:1' },
      ];
      const seen = async (scope: Scope) => [
        await subject.store.list(scope, { limit: 10 }),
        await subject.store.turns.find(scope, 'a'),
        await subject.store.scopeState(scope),
      ];
      for (const scope of [erased, ...others]) {
        await rememberOne(scope, newMemory('Keeps bees.'));
        await handIn(scope, { turnId: 'a' });
      }
      const before = await Promise.all(others.map(seen));
      assert.equal((await subject.store.erase(erased)).memories, 1);
      assert.deepEqual(await Promise.all(others.map(seen)), before);
      for (const scope of others) await subject.store.erase({ ...scope, scope: `${scope.scope}?` });
      assert.deepEqual(await Promise.all(others.map(seen)), before);
    });

    it('waits for twenty writers, or they for it: what is left came after', async () => {
      const scope = newScope();
      const { generation } = await subject.store.scopeState(scope);
      const writes = Array.from({ length: 20 }, (_, n) =>
        subject.store.write(scope, async (writer) => {
          if (writer.state.generation !== generation) return false;
          await writer.insert([newMemory(`Sentence ${n}.`)]);
          return true;
        }),
      );
      const [receipt, wrote] = await Promise.all([subject.store.erase(scope), Promise.all(writes)]);
      assert.equal(receipt.memories, wrote.filter(Boolean).length);
      assert.equal((await subject.store.list(scope, { limit: 5 })).totalCount, 0);
    });

    it('twice at once is two erasures, the second of nothing', async () => {
      const scope = newScope();
      await rememberOne(scope, newMemory('Keeps bees.'));
      const receipts = await Promise.all([subject.store.erase(scope), subject.store.erase(scope)]);
      assert.deepEqual(receipts.map(({ memories }) => memories).sort(), [0, 1]);
      assert.notEqual(receipts[0]?.id, receipts[1]?.id);
    });
  });
}
