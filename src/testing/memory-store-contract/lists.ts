import assert from 'node:assert/strict';
import type { Memory } from '../../model/memory.js';
import { searchText } from '../../model/search-text.js';
import type { MemoryPosition } from '../../storage/memory-store.js';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function listsContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember } = subject;

  describe('a list', () => {
    it('goes through all memories once, newest first, even those of one moment', async () => {
      const scope = newScope();
      for (let batch = 0; batch < 3; batch += 1) {
        await remember(scope, ...Array.from({ length: 7 }, (_, n) => newMemory(`Sentence ${batch}-${n}.`)));
      }
      const seen: Memory[] = [];
      let after: MemoryPosition | undefined;
      for (let page = 0; page < 20; page += 1) {
        const { memories, hasNextPage, totalCount } = await subject.store.list(scope, {
          limit: 4,
          ...(after && { after }),
        });
        assert.equal(totalCount, 21);
        seen.push(...memories);
        after = memories.at(-1);
        assert.equal(hasNextPage, seen.length < 21);
        if (!hasNextPage) break;
      }
      assert.equal(new Set(seen.map((memory) => memory.id)).size, 21);
      const order = [...seen].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
      assert.deepEqual(seen, order);
    });

    it('keeps its place when memories come and go', async () => {
      const scope = newScope();
      for (let n = 0; n < 6; n += 1) await remember(scope, newMemory(`Sentence ${n}.`));
      const page = await subject.store.list(scope, { limit: 3 });
      const last = page.memories.at(-1);
      assert.ok(last);
      await subject.store.write(scope, (writer) => writer.remove(last, { endedBy: 'forget' }));
      await remember(scope, newMemory('Newer than all.'));
      const rest = await subject.store.list(scope, { limit: 10, after: last });
      assert.deepEqual(
        rest.memories.map((memory) => memory.content),
        ['Sentence 2.', 'Sentence 1.', 'Sentence 0.'],
      );
    });

    it('filters by kind and by words that must all be there', async () => {
      const scope = newScope();
      await remember(
        scope,
        newMemory('Keeps seven bees.', { kind: 'fact' }),
        newMemory('Wants seven cats.', { kind: 'goal' }),
      );
      const count = async (filter: object): Promise<number> =>
        (await subject.store.list(scope, { limit: 5, ...filter })).totalCount;
      assert.equal(await count({ kinds: [] }), 2);
      assert.equal(await count({ kinds: ['goal'] }), 1);
      assert.equal(await count({ kinds: ['goal', 'fact'] }), 2);
      assert.equal(await count({ searchText: searchText('seven') }), 2);
      assert.equal(await count({ searchText: searchText('seven cats') }), 1);
      assert.equal(await count({ searchText: searchText('seven dogs') }), 0);
      assert.equal(await count({ searchText: '' }), 2);
    });

    it('finds words whether they are written with their accents or without', async () => {
      const scope = newScope();
      await remember(scope, newMemory('Meets José at the café.'), newMemory('Asked Jose for a résumé.'));
      for (const [text, expected] of [
        ['jose', 2],
        ['José', 2],
        ['CAFE', 1],
        ['cafe\u0301', 1],
        ['resume', 1],
        ['Jožin', 0],
      ] as const) {
        const page = await subject.store.list(scope, { limit: 5, searchText: searchText(text) });
        assert.equal(page.totalCount, expected, text);
      }
    });
  });
}
