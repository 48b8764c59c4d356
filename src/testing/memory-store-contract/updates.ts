import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ConflictError } from '../../errors/conflict-error.js';
import { testRunner } from '../test-runner.js';
import { newScope, plane, newText, newMemory, query } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function updatesContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne } = subject;

  describe('an update', () => {
    it('changes what it names, keeps the rest, and counts the version', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Is on the Pro plan.', { metadata: { a: 1 } }));
      const updated = await subject.store.write(scope, (writer) =>
        writer.update(memory, { importance: 0.9, kind: 'episodic' }, { endedBy: 'update' }),
      );
      assert.ok(updated.updatedAt > memory.updatedAt);
      assert.deepEqual(updated, {
        ...memory,
        importance: 0.9,
        kind: 'episodic',
        version: 2,
        updatedAt: updated.updatedAt,
      });
      assert.deepEqual(await subject.store.get(scope, memory.id), updated);
    });

    it('sets and clears an expiry', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Is on the Pro plan.'));
      const expiresAt = new Date(Date.now() + 3_600_000);
      const set = await subject.store.write(scope, (w) => w.update(memory, { expiresAt }, { endedBy: 'update' }));
      assert.deepEqual(set.expiresAt, expiresAt);
      const untouched = await subject.store.write(scope, (w) =>
        w.update(set, { importance: 1 }, { endedBy: 'update' }),
      );
      assert.deepEqual(untouched.expiresAt, expiresAt);
      const cleared = await subject.store.write(scope, (w) =>
        w.update(untouched, { expiresAt: null }, { endedBy: 'update' }),
      );
      assert.equal(cleared.expiresAt, null);
    });

    it('of the text is found under the new wording only, by words and by meaning', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Deploys on Heroku.', { vector: plane(1, 0, 0) }));
      await subject.store.write(scope, (writer) =>
        writer.update(memory, { text: newText('Deploys on Fly.', plane(0, 1, 0)) }, { endedBy: 'update' }),
      );
      const found = async (words: string, vector: number[]): Promise<number> =>
        (await subject.store.recall(scope, query({ words, vector, minCoverage: 0.9, maxDistance: 0.1 }))).length;
      assert.equal(await found('heroku', [1, 0, 0]), 0);
      assert.equal(await found('fly', [0, 0, 1]), 1);
      assert.equal(await found('unrelated', [0, 1, 0]), 1);
    });

    it('finds what was locked for it, by id or by text, as it was', async () => {
      const scope = newScope();
      const [one, other] = await remember(scope, newMemory('Is on the Pro plan.'), newMemory('Owns a boat.'));
      assert.ok(one && other);
      const { revision } = await subject.store.scopeState(scope);
      await subject.store.write(scope, (w) =>
        w.lockForChange([one.id, randomUUID()], [newText('Owns a boat.').contentHash]),
      );
      assert.equal((await subject.store.scopeState(scope)).revision, revision);
      await subject.store.write(scope, async (w) => {
        await w.lockForChange([one.id], []);
        await w.update(one, { importance: 1 }, { endedBy: 'update' });
      });
      assert.equal((await subject.store.get(scope, one.id))?.importance, 1);
      assert.deepEqual(await subject.store.get(scope, other.id), other);
    });

    it('of a version that is past is a conflict', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Is on the Pro plan.'));
      await subject.store.write(scope, (writer) => writer.update(memory, { importance: 1 }, { endedBy: 'update' }));
      for (const version of [1, 3]) {
        await assert.rejects(
          subject.store.write(scope, (w) =>
            w.update({ id: memory.id, version }, { importance: 0 }, { endedBy: 'update' }),
          ),
          ConflictError,
        );
        await assert.rejects(
          subject.store.write(scope, (w) => w.remove({ id: memory.id, version }, { endedBy: 'forget' })),
          ConflictError,
        );
      }
      assert.equal((await subject.store.get(scope, memory.id))?.importance, 1);
    });

    it('onto another memory’s text is a conflict', async () => {
      const scope = newScope();
      const [one] = await remember(scope, newMemory('One.'), newMemory('Two.'));
      assert.ok(one);
      await assert.rejects(
        subject.store.write(scope, (w) => w.update(one, { text: newText('Two.') }, { endedBy: 'update' })),
        ConflictError,
      );
    });

    it('of an id that nobody has, or that is no id, is a conflict', async () => {
      for (const id of [randomUUID(), '', 'not-an-id', undefined as unknown as string]) {
        await assert.rejects(
          subject.store.write(newScope(), (w) =>
            w.update({ id, version: 1 }, { importance: 0 }, { endedBy: 'update' }),
          ),
          ConflictError,
        );
      }
    });
  });
}
