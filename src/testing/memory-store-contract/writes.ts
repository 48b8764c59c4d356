import assert from 'node:assert/strict';
import { ConflictError } from '../../errors/conflict-error.js';
import { ProviderError } from '../../errors/provider-error.js';
import { contentHash } from '../../model/content.js';
import type { RevisionCause } from '../../storage/memory-store.js';
import { testRunner } from '../test-runner.js';
import { newScope, newMemory, query, SPACE } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function writesContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne } = subject;

  describe('a write', () => {
    it('gives back what it stored, and so does a read', async () => {
      const scope = newScope();
      const expiresAt = new Date(Date.now() + 86_400_000);
      const memory = newMemory('Prefers short answers. 🦊 "quoted" \\ %', {
        kind: 'preference',
        importance: 0.7,
        metadata: { kind: 'x', id: 1, version: null, nested: { list: [1, '1', true] }, ['__proto__x']: 'y' },
        source: 'observed',
        expiresAt,
      });
      const stored = await rememberOne(scope, memory);
      assert.deepEqual(
        { ...stored, createdAt: null, updatedAt: null },
        {
          id: memory.id,
          content: memory.content,
          kind: 'preference',
          importance: 0.7,
          metadata: memory.metadata,
          source: 'observed',
          version: 1,
          createdAt: null,
          updatedAt: null,
          expiresAt,
          lastAccessedAt: null,
          accessCount: 0,
        },
      );
      assert.deepEqual(await subject.store.get(scope, memory.id), stored);
      assert.deepEqual((await subject.store.list(scope, { limit: 5 })).memories, [stored]);
    });

    it('returns memories in the order they were given', async () => {
      const memories = Array.from({ length: 12 }, (_, n) => newMemory(`Sentence ${n}.`));
      const stored = await remember(newScope(), ...memories);
      assert.deepEqual(
        stored.map((memory) => memory.id),
        memories.map((memory) => memory.id),
      );
    });

    it('counts one revision for all of its changes, and none where nothing changed', async () => {
      const scope = newScope();
      const one = await rememberOne(scope, newMemory('One.'));
      const two = await rememberOne(scope, newMemory('Two.'));
      assert.equal((await subject.store.scopeState(scope)).revision, 2);
      await subject.store.write(scope, async (writer) => {
        assert.equal(writer.state.revision, 2);
        await writer.update(one, { importance: 1 }, { endedBy: 'update' });
        await writer.remove(two, { endedBy: 'forget' });
        await writer.insert([newMemory('Three.')]);
      });
      assert.equal((await subject.store.scopeState(scope)).revision, 3);
      await subject.store.write(scope, (writer) => writer.find(one.id));
      await subject.store.touch(scope, [one.id]);
      assert.equal((await subject.store.scopeState(scope)).revision, 3);
    });

    it('stamps whole milliseconds, each later than all before', async () => {
      const scope = newScope();
      let last = new Date(0);
      for (let n = 0; n < 20; n += 1) {
        const memory = await rememberOne(scope, newMemory(`Sentence ${n}.`));
        assert.ok(memory.createdAt > last, `${memory.createdAt.toISOString()} is not after ${last.toISOString()}`);
        assert.deepEqual(memory.updatedAt, memory.createdAt);
        last = memory.createdAt;
      }
      const stamps = await Promise.all(
        Array.from({ length: 20 }, (_, n) => rememberOne(scope, newMemory(`At once ${n}.`))),
      );
      assert.equal(new Set(stamps.map((memory) => memory.createdAt.getTime())).size, 20);
    });

    it('shows its own changes inside, and nothing to others before it ends', async () => {
      const scope = newScope();
      const memory = newMemory('Keeps bees on the roof.');
      await subject.store.write(scope, async (writer) => {
        await writer.insert([memory]);
        assert.equal((await writer.find(memory.id))?.contentHash, memory.contentHash);
        assert.equal((await writer.findByHashes([memory.contentHash]))[0]?.id, memory.id);
        assert.equal((await writer.recall(query({ words: 'bees' })))[0]?.memory.id, memory.id);
      });
    });

    it('that throws leaves nothing, and throws on what it threw', async () => {
      const scope = newScope();
      const kept = await rememberOne(scope, newMemory('Kept.'));
      const fault = new Error('a fault of the caller');
      await assert.rejects(
        subject.store.write(scope, async (writer) => {
          await writer.insert([newMemory('Lost.')]);
          await writer.update(kept, { importance: 0 }, { endedBy: 'update' });
          throw fault;
        }),
        (error) => error === fault,
      );
      assert.deepEqual((await subject.store.list(scope, { limit: 5 })).memories, [kept]);
      assert.equal((await subject.store.scopeState(scope)).revision, 1);
    });

    it('goes one after another in one scope: no count is lost', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Counter.', { metadata: { n: 0 } }));
      await Promise.all(
        Array.from({ length: 25 }, () =>
          subject.store.write(scope, async (writer) => {
            const present = await writer.find(memory.id);
            assert.ok(present);
            await writer.update(present, { metadata: { n: Number(present.metadata['n']) + 1 } }, { endedBy: 'update' });
          }),
        ),
      );
      const counted = await subject.store.get(scope, memory.id);
      assert.deepEqual([counted?.metadata, counted?.version], [{ n: 25 }, 26]);
    });

    it('of an equal text is a conflict and stores nothing of the batch', async () => {
      const scope = newScope();
      await remember(scope, newMemory('Keeps bees.'));
      await assert.rejects(remember(scope, newMemory('Something new.'), newMemory('keeps  BEES.')), ConflictError);
      assert.equal((await subject.store.stats(scope, SPACE)).total, 1);
    });

    it('finds rows by hash, expired ones too', async () => {
      const scope = newScope();
      const live = newMemory('Live.');
      const expired = newMemory('Expired.', { expiresAt: new Date(Date.now() - 1_000) });
      await remember(scope, live, expired);
      const found = await subject.store.write(scope, (writer) =>
        writer.findByHashes([live.contentHash, expired.contentHash, contentHash('Unknown.')]),
      );
      assert.deepEqual(new Set(found.map((memory) => memory.id)), new Set([live.id, expired.id]));
      assert.equal(found[0]?.space, SPACE);
    });

    it('tells the texts that a call has ended since a moment, not those that a turn, an expiry or a restore has', async () => {
      const scope = newScope();
      const before = new Date(Date.now() - 60_000);
      const end = async (content: string, cause: RevisionCause): Promise<void> => {
        const memory = await rememberOne(scope, newMemory(content));
        await subject.store.write(scope, (writer) => writer.remove(memory, cause));
      };
      await end('Forgotten by hand.', { endedBy: 'forget' });
      await end('Forgotten in a turn.', { endedBy: 'forget', turnId: 't1' });
      await end('Expired.', { endedBy: 'expire' });
      const corrected = await rememberOne(scope, newMemory('Wrong.'));
      const ended = await subject.store.write(scope, async (writer) => {
        const text = newMemory('Right.');
        await writer.update(corrected, { text }, { endedBy: 'update' });
        return writer.textsEndedByHand(before);
      });
      assert.deepEqual(ended.sort(), ['Forgotten by hand.', 'Wrong.']);
      const [later, elsewhere] = await Promise.all([
        subject.store.write(scope, (writer) => writer.textsEndedByHand(writer.stamp)),
        subject.store.write(newScope(), (writer) => writer.textsEndedByHand(before)),
      ]);
      assert.deepEqual([later, elsewhere], [[], []]);
    });

    it('takes the stamp for a statement without a time of its own', async () => {
      const scope = newScope();
      const saidAt = new Date('2024-02-29T12:00:00.123Z');
      const [dated, undated] = [newMemory('Dated.', { evidenceAt: saidAt }), newMemory('Undated.')];
      await subject.store.write(scope, async (writer) => {
        await writer.insert([dated, undated]);
        assert.deepEqual((await writer.find(dated.id))?.evidenceAt, saidAt);
        assert.deepEqual((await writer.find(undated.id))?.evidenceAt, writer.stamp);
      });
    });

    for (const [fault, values] of [
      ['too few numbers', [1, 0]],
      ['too many numbers', [1, 0, 0, 0]],
      ['only zeros', [0, 0, 0]],
      ['zeros after rounding', [1e-9, -1e-9, 0]],
      ['NaN', [Number.NaN, 1, 1]],
      ['infinity', [Number.POSITIVE_INFINITY, 1, 1]],
      ['infinity after rounding', [70_000, 1, 1]],
    ] as const) {
      it(`refuses a vector of ${fault} and stores nothing`, async () => {
        const scope = newScope();
        await assert.rejects(
          remember(scope, newMemory('Good.'), newMemory('Bad.', { vector: { space: SPACE, values } })),
          (error) => error instanceof ProviderError && error.fault === 'malformed' && !error.message.includes('Bad'),
        );
        assert.equal((await subject.store.stats(scope, SPACE)).total, 0);
      });
    }
  });
}
