import assert from 'node:assert/strict';
import { ProviderError } from '../../errors/provider-error.js';
import type { Scope } from '../../model/scope.js';
import type { MemoryStore, SpaceVector, StoredText, TextPosition } from '../../storage/memory-store.js';
import { testRunner } from '../test-runner.js';
import { newScope, plane, newText, newMemory, query, SPACE } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function reEmbeddingContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne } = subject;

  describe('an embedding made anew', () => {
    const other = (x: number, y: number): SpaceVector => ({ space: 'other:model:2', values: [x, y] });
    const texts = (scope: Scope, page: Partial<Parameters<MemoryStore['textsToEmbed']>[1]> = {}) =>
      subject.store.textsToEmbed(scope, { space: 'other:model:2', staleOnly: true, after: null, limit: 100, ...page });

    it('is asked for every text of another space or of none, once, on pages', async () => {
      const scope = newScope();
      const memories = await remember(
        scope,
        ...Array.from({ length: 5 }, (_, n) => newMemory(`Sentence ${n}.`)),
        newMemory('Without.', { vector: null }),
        newMemory('Done.', { vector: other(1, 0) }),
      );
      await remember({ ...scope, scope: 'user:421' }, newMemory('Foreign.'));
      const changed = memories[2];
      assert.ok(changed);
      await subject.store.write(scope, (w) => w.update(changed, { text: newText('Changed.') }, { endedBy: 'update' }));
      const seen: StoredText[] = [];
      for (let after: TextPosition | null = null; ;) {
        const page: StoredText[] = await texts(scope, { after, limit: 1 });
        if (page.length === 0) break;
        seen.push(...page);
        after = page.at(-1) ?? null;
      }
      assert.deepEqual(
        seen.map(({ content, ended, space }) => [content, ended, space]).sort(),
        [
          ['Changed.', false, SPACE],
          ['Sentence 0.', false, SPACE],
          ['Sentence 1.', false, SPACE],
          ['Sentence 2.', true, SPACE],
          ['Sentence 3.', false, SPACE],
          ['Sentence 4.', false, SPACE],
          ['Without.', false, null],
        ].sort(),
      );
      assert.equal((await texts(scope, { staleOnly: false })).length, 8);
    });

    it('changes what recall finds, then and now, and nothing else', async () => {
      const scope = newScope();
      const before = await rememberOne(scope, newMemory('Deploys on Heroku.', { metadata: { a: 1 } }));
      const memory = await subject.store.write(scope, async (writer) => {
        const text = newText('Deploys on Fly.');
        return writer.update(before, { text, importance: 0.9 }, { endedBy: 'update' });
      });
      const state = await subject.store.scopeState(scope);
      const history = await subject.store.history(scope, memory.id);
      for (const text of await texts(scope)) {
        assert.equal(await subject.store.replaceVector(scope, text, text.ended ? other(1, 0) : other(0, 1)), true);
      }
      assert.deepEqual(await texts(scope), []);
      assert.equal((await texts(scope, { staleOnly: false })).length, 2);
      assert.deepEqual(await subject.store.get(scope, memory.id), memory);
      assert.deepEqual(await subject.store.scopeState(scope), state);
      assert.deepEqual(await subject.store.history(scope, memory.id), history);
      const found = async (vector: SpaceVector, asOf?: Date): Promise<string[]> =>
        (await subject.store.recall(scope, { ...query({ maxDistance: 0.1 }), vector, ...(asOf && { asOf }) })).map(
          (hit) => hit.memory.content,
        );
      assert.deepEqual(await found(plane(1, 0, 0)), []);
      assert.deepEqual(await found(other(0, 1)), ['Deploys on Fly.']);
      assert.deepEqual(await found(other(1, 0)), []);
      assert.deepEqual(await found(other(1, 0), before.createdAt), ['Deploys on Heroku.']);
      assert.equal(await subject.store.withoutVector(scope, { space: 'other:model:2', asOf: before.createdAt }), 0);
    });

    it('of a state whose text went on comes from the state that has it', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Deploys on Fly.', { vector: null }));
      await subject.store.write(scope, (writer) => writer.update(memory, { importance: 1 }, { endedBy: 'update' }));
      const found = await texts(scope);
      for (const text of found) await subject.store.replaceVector(scope, text, other(1, 0));
      assert.equal(found[0]?.ended, false);
      assert.equal(await subject.store.withoutVector(scope, { space: 'other:model:2', asOf: memory.createdAt }), 0);
    });

    it('of a forgotten memory is made too', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Keeps bees.', { vector: null }));
      await subject.store.write(scope, (writer) => writer.remove(memory, { endedBy: 'forget' }));
      const [text, ...more] = await texts(scope);
      assert.ok(text?.ended && more.length === 0);
      assert.equal(await subject.store.replaceVector(scope, text, other(1, 0)), true);
      assert.deepEqual(await subject.store.revisionVector(scope, memory.id, 1), other(1, 0));
    });

    it('never meets another text, another vector than it was made for, or another scope', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Deploys on Fly.'));
      const [text] = await texts(scope);
      assert.ok(text);
      const foreign = { ...scope, scope: 'user:421' };
      await remember(foreign, newMemory('Deploys on Fly.', { id: memory.id }));
      assert.equal(await subject.store.replaceVector({ ...scope, scope: 'user:4' }, text, other(1, 0)), false);
      // Of one hash with the text before, which folds case.
      await subject.store.write(scope, (w) =>
        w.update(memory, { text: newText('DEPLOYS on Fly.') }, { endedBy: 'update' }),
      );
      assert.equal(await subject.store.replaceVector(scope, text, other(1, 0)), false);
      const [present] = await texts(scope);
      assert.ok(present);
      assert.equal(await subject.store.replaceVector(scope, present, other(1, 0)), true);
      assert.equal(await subject.store.replaceVector(scope, present, other(0, 1)), false);
      assert.equal((await texts(foreign)).length, 1);
      await assert.rejects(subject.store.replaceVector(scope, present, other(0, 0)), ProviderError);
    });

    it('goes on beside a writer of the same memory', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Counter.'));
      const [text] = await texts(scope);
      assert.ok(text);
      const [, replaced] = await Promise.all([
        subject.store.write(scope, (writer) => writer.update(memory, { importance: 1 }, { endedBy: 'update' })),
        subject.store.replaceVector(scope, text, other(1, 0)),
      ]);
      assert.equal(replaced, true);
      assert.deepEqual(
        (await texts(scope)).filter(({ ended }) => !ended),
        [],
      );
    });
  });
}
