import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Memory } from '../../model/memory.js';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory, query, SPACE } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function readsByIdContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember } = subject;

  describe('a read by id', () => {
    it('of something that is no id finds nothing', async () => {
      const scope = newScope();
      await remember(scope, newMemory('Keeps bees.'));
      for (const id of ['', '%', '1', 'null', undefined, null]) {
        assert.equal(await subject.store.get(scope, id as string), null);
        assert.deepEqual(await subject.store.getMany(scope, [id as string]), []);
      }
      assert.deepEqual(await subject.store.getMany(scope, []), []);
    });

    it('of many gives those that are there, as each read by itself', async () => {
      const scope = newScope();
      const [one, two] = await remember(scope, newMemory('Keeps bees.'), newMemory('Paints.'));
      await remember(scope, newMemory('Sings.'));
      await subject.store.touch(scope, [one?.id ?? '']);
      const found = await subject.store.getMany(scope, [
        two?.id ?? '',
        randomUUID(),
        '%',
        one?.id ?? '',
        two?.id ?? '',
      ]);
      const byId = (a: Memory, b: Memory): number => (a.id < b.id ? -1 : 1);
      const each = [await subject.store.get(scope, one?.id ?? ''), await subject.store.get(scope, two?.id ?? '')];
      assert.deepEqual([...found].sort(byId), each.filter((memory) => memory !== null).sort(byId));
      assert.equal(found.length, 2);
    });

    it('of an expired memory finds nothing', async () => {
      const scope = newScope();
      const memory = newMemory('Is in Lisbon.', { expiresAt: new Date(Date.now() - 1_000) });
      await remember(scope, memory);
      assert.equal(await subject.store.get(scope, memory.id), null);
      assert.deepEqual(await subject.store.getMany(scope, [memory.id]), []);
      assert.equal(await subject.store.write(scope, (writer) => writer.find(memory.id)), null);
      assert.equal((await subject.store.list(scope, { limit: 5 })).totalCount, 0);
      assert.equal((await subject.store.stats(scope, SPACE)).total, 0);
      assert.deepEqual(await subject.store.recall(scope, query({ words: 'Lisbon', vector: [1, 0, 0] })), []);
    });
  });
}
