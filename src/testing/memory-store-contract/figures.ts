import assert from 'node:assert/strict';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory, SPACE } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function figuresContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember } = subject;

  describe('the figures', () => {
    it('count live memories by kind', async () => {
      const scope = newScope();
      assert.deepEqual(await subject.store.stats(scope, SPACE), {
        total: 0,
        byKind: { fact: 0, preference: 0, goal: 0, instruction: 0, episodic: 0 },
        staleEmbeddings: 0,
        pendingTurns: 0,
        deadTurns: 0,
      });
      await remember(scope, newMemory('One.'), newMemory('Two.'), newMemory('Three.', { kind: 'goal', vector: null }));
      const stats = await subject.store.stats(scope, SPACE);
      assert.deepEqual([stats.total, stats.byKind.fact, stats.byKind.goal, stats.staleEmbeddings], [3, 2, 1, 1]);
      assert.equal((await subject.store.stats(scope, null)).staleEmbeddings, 0);
    });
  });
}
