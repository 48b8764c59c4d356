import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function touchesContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne } = subject;

  describe('a touch', () => {
    it('counts accesses without a new version, and passes over what is gone', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Keeps bees.'));
      await subject.store.touch(scope, [memory.id, randomUUID(), 'not-an-id']);
      await subject.store.touch(scope, [memory.id]);
      await subject.store.touch(scope, []);
      const touched = await subject.store.get(scope, memory.id);
      assert.equal(touched?.accessCount, 2);
      assert.ok(touched?.lastAccessedAt instanceof Date);
      assert.deepEqual({ ...touched, accessCount: 0, lastAccessedAt: null }, memory);
    });

    it('of many at once in any order comes to an end', async () => {
      const scope = newScope();
      const memories = await remember(scope, ...Array.from({ length: 10 }, (_, n) => newMemory(`Sentence ${n}.`)));
      const ids = memories.map((memory) => memory.id);
      const state = await subject.store.scopeState(scope);
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => subject.store.touch(scope, n % 2 ? ids : [...ids].reverse())),
      );
      assert.deepEqual(await subject.store.scopeState(scope), state);
      for (const id of ids) assert.equal((await subject.store.get(scope, id))?.accessCount, 10);
    });
  });
}
