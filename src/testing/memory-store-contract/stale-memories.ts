import assert from 'node:assert/strict';
import type { Memory } from '../../model/memory.js';
import type { Scope } from '../../model/scope.js';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function staleMemoriesContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember } = subject;

  describe('what is stale', () => {
    const staleIn = (
      scope: Scope,
      which: { idleSince?: Date; importanceBelow?: number | null; limit?: number },
    ): Promise<string[]> =>
      subject.store.write(scope, async (writer) => {
        const all = { idleSince: new Date(Date.now() + 3_600_000), importanceBelow: null, limit: 10 };
        return (await writer.findStale({ ...all, ...which })).map(({ id }) => id);
      });

    it('was neither changed nor accessed since', async () => {
      const scope = newScope();
      const [idle, changed, accessed] = await remember(
        scope,
        newMemory('Idle.'),
        newMemory('Changed.'),
        newMemory('Accessed.'),
      );
      assert.ok(idle && changed && accessed);
      const updated = await subject.store.write(scope, (w) =>
        w.update(changed, { importance: 1 }, { endedBy: 'update' }),
      );
      while (Date.now() <= idle.updatedAt.getTime() + 1) await new Promise((resolve) => setTimeout(resolve, 1));
      await subject.store.touch(scope, [accessed.id]);
      const justAfter = ({ updatedAt }: Memory): Date => new Date(updatedAt.getTime() + 1);
      assert.deepEqual(await staleIn(scope, { idleSince: idle.updatedAt }), []);
      assert.deepEqual(await staleIn(scope, { idleSince: justAfter(idle) }), [idle.id]);
      assert.equal((await staleIn(scope, { idleSince: justAfter(updated) })).includes(changed.id), true);
      assert.equal((await staleIn(scope, { idleSince: justAfter(updated) })).includes(accessed.id), false);
      assert.equal((await staleIn(scope, {})).length, 3);
    });

    it('is of less importance, in the precision in which importance is kept', async () => {
      const scope = newScope();
      const memories = await remember(
        scope,
        ...[0, 0.3, 0.7, 1].map((importance) => newMemory(`Sentence ${importance}.`, { importance })),
      );
      const below = async (importanceBelow: number | null): Promise<number> =>
        (await staleIn(scope, { importanceBelow })).length;
      assert.deepEqual([await below(0), await below(0.7), await below(0.71), await below(null)], [0, 2, 3, 4]);
      assert.deepEqual(
        await staleIn(scope, { limit: 3 }),
        memories
          .map(({ id }) => id)
          .sort()
          .slice(0, 3),
      );
    });

    it('is neither expired nor in another scope', async () => {
      const scope = newScope();
      await remember(scope, newMemory('Expired.', { expiresAt: new Date(Date.now() - 1_000) }));
      await remember({ ...scope, scope: 'user:421' }, newMemory('Foreign.'));
      assert.deepEqual(await staleIn(scope, {}), []);
    });
  });
}
