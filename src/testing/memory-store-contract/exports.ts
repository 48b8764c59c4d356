import assert from 'node:assert/strict';
import type { Memory } from '../../model/memory.js';
import { testRunner } from '../test-runner.js';
import { newScope, plane, newMemory } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function exportsContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne } = subject;

  describe('an export', () => {
    it('goes through all live memories once, in the order of their ids, under one generation', async () => {
      const scope = newScope();
      const memories = await remember(scope, ...Array.from({ length: 7 }, (_, n) => newMemory(`Sentence ${n}.`)));
      await remember(scope, newMemory('Expired.', { expiresAt: new Date(Date.now() - 1_000) }));
      await remember({ ...scope, scope: 'user:421' }, newMemory('Foreign.'));
      await subject.store.setEnabled(scope, false);
      const { generation } = await subject.store.scopeState(scope);
      const seen: Memory[] = [];
      for (let after: string | null = null; ;) {
        const page = await subject.store.exportPage(scope, { after, limit: 3, withVectors: false });
        assert.equal(page.generation, generation);
        if (page.memories.length === 0) break;
        assert.ok(page.memories.every(({ vector }) => vector === null));
        seen.push(...page.memories.map(({ memory }) => memory));
        after = seen.at(-1)?.id ?? null;
      }
      assert.deepEqual(
        seen,
        [...memories].sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
    });

    it('has the vectors where they are asked for', async () => {
      const scope = newScope();
      await remember(scope, newMemory('One.', { vector: plane(1, 0.5, -2) }), newMemory('Two.', { vector: null }));
      const { memories } = await subject.store.exportPage(scope, { after: null, limit: 5, withVectors: true });
      assert.deepEqual(
        new Map(memories.map(({ memory, vector }) => [memory.content, vector])),
        new Map([
          ['One.', plane(1, 0.5, -2)],
          ['Two.', null],
        ]),
      );
    });

    it('of an erased scope is empty, under the new generation', async () => {
      const scope = newScope();
      await rememberOne(scope, newMemory('Keeps bees.'));
      const { id } = await subject.store.erase(scope);
      assert.deepEqual(await subject.store.exportPage(scope, { after: null, limit: 5, withVectors: false }), {
        generation: id,
        memories: [],
      });
    });
  });
}
