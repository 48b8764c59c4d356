import assert from 'node:assert/strict';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory, query } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function removalsContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne } = subject;

  describe('a removal', () => {
    it('takes the memory out of every read, and its text is free again', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Keeps bees on the roof.'));
      await subject.store.write(scope, (writer) => writer.remove(memory, { endedBy: 'forget' }));
      assert.equal(await subject.store.get(scope, memory.id), null);
      assert.deepEqual(await subject.store.getMany(scope, [memory.id]), []);
      assert.equal((await subject.store.list(scope, { limit: 5 })).totalCount, 0);
      assert.deepEqual(await subject.store.recall(scope, query({ words: 'bees', vector: [1, 0, 0] })), []);
      assert.equal((await remember(scope, newMemory('Keeps bees on the roof.'))).length, 1);
    });
  });
}
