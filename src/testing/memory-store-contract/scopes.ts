import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ConflictError } from '../../errors/conflict-error.js';
import { contentHash } from '../../model/content.js';
import type { Memory } from '../../model/memory.js';
import type { Scope } from '../../model/scope.js';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory, query, SPACE } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function scopesContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne, handIn } = subject;

  describe('a scope', () => {
    it('is made when it is first asked for, enabled, and stays the same', async () => {
      const scope = newScope();
      const state = await subject.store.scopeState(scope);
      assert.equal(state.enabled, true);
      assert.equal(state.revision, 0);
      assert.equal(state.erasedAt, null);
      assert.deepEqual(await subject.store.scopeState(scope), state);
    });

    it('is made once by many at the same time', async () => {
      const scope = newScope();
      const states = await Promise.all(Array.from({ length: 8 }, () => subject.store.scopeState(scope)));
      assert.equal(new Set(states.map((state) => state.generation)).size, 1);
    });

    it('serves, and says so', async () => {
      await subject.store.check();
    });

    for (const [one, other] of [
      ['user:1', 'user:10'],
      ['user:10', 'user:1'],
      ['user_1', 'userx1'],
      ['user:%', 'user:42'],
      ['%', 'anything'],
      ['a\\', 'a'],
      ['a\\_', 'a_'],
      ['user:1 ', 'user:1'],
      ['USER:1', 'user:1'],
      ["'; --", 'user:1'],
    ] as const) {
      it(`named ${JSON.stringify(one)} shows nothing of ${JSON.stringify(other)}`, async () => {
        const tenantId = randomUUID();
        const mine = { tenantId, scope: one };
        const foreign = { tenantId, scope: other };
        const memory = await rememberOne(foreign, newMemory('Keeps bees on the roof.'));
        await handIn(foreign, { turnId: 'a' });
        await showsNothing(mine, memory);
        assert.equal(await subject.store.turns.find(mine, 'a'), null);
        assert.equal(await subject.store.turns.claim(mine, { leaseMs: 1_000 }), null);
      });
    }

    it('is told apart where tenant and scope join to the same text', async () => {
      const base = randomUUID();
      const memory = await rememberOne({ tenantId: `${base}:a`, scope: 'b' }, newMemory('Keeps bees on the roof.'));
      await showsNothing({ tenantId: base, scope: 'a:b' }, memory);
      await showsNothing({ tenantId: `${base}:`, scope: 'ab' }, memory);
    });

    it('of the same name in another tenant shows nothing', async () => {
      const memory = await rememberOne(newScope('user:1'), newMemory('Keeps bees on the roof.'));
      await showsNothing(newScope('user:1'), memory);
    });

    it('may hold the same text, and even the same id, as another', async () => {
      const memory = newMemory('Keeps bees on the roof.');
      await remember(newScope(), memory);
      const [again] = await remember(newScope(), memory);
      assert.equal(again?.id, memory.id);
    });

    async function showsNothing(scope: Scope, foreign: Memory): Promise<void> {
      assert.equal(await subject.store.get(scope, foreign.id), null);
      assert.deepEqual(await subject.store.getMany(scope, [foreign.id]), []);
      assert.deepEqual(await subject.store.list(scope, { limit: 10 }), {
        memories: [],
        hasNextPage: false,
        totalCount: 0,
      });
      assert.deepEqual(await subject.store.recall(scope, query({ words: foreign.content, vector: [1, 0, 0] })), []);
      assert.equal((await subject.store.stats(scope, SPACE)).total, 0);
      await subject.store.touch(scope, [foreign.id]);
      await subject.store.write(scope, async (writer) => {
        assert.equal(await writer.find(foreign.id), null);
        assert.deepEqual(await writer.findByHashes([contentHash(foreign.content)]), []);
      });
      for (const change of ['update', 'remove'] as const) {
        await assert.rejects(
          subject.store.write(scope, async (writer) => {
            const target = { id: foreign.id, version: 1 };
            if (change === 'update') await writer.update(target, { importance: 0 }, { endedBy: 'update' });
            else await writer.remove(target, { endedBy: 'forget' });
          }),
          ConflictError,
        );
      }
    }
  });
}
