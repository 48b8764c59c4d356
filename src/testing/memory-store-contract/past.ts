import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Memory } from '../../model/memory.js';
import type { Scope } from '../../model/scope.js';
import { searchText } from '../../model/search-text.js';
import type { MemoryChange, MemoryPosition, RevisionCause } from '../../storage/memory-store.js';
import { testRunner } from '../test-runner.js';
import { newScope, plane, newText, newMemory, query, SPACE } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function pastContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne } = subject;

  describe('the past', () => {
    const change = (scope: Scope, target: Memory, to: MemoryChange, cause: RevisionCause = { endedBy: 'update' }) =>
      subject.store.write(scope, (writer) => writer.update(target, to, cause));
    const remove = (scope: Scope, target: Memory, cause: RevisionCause = { endedBy: 'forget' }) =>
      subject.store.write(scope, (writer) => writer.remove(target, cause));
    const before = (moment: Date): Date => new Date(moment.getTime() - 1);
    const contents = (hits: readonly { memory: Memory }[]): string[] => hits.map(({ memory }) => memory.content);

    it('shows each state from its first millisecond until just before the next, in every read', async () => {
      const scope = newScope();
      const one = await rememberOne(scope, newMemory('Lives in Porto.', { vector: plane(1, 0, 0) }));
      const two = await change(scope, one, { importance: 0.9 });
      const three = await change(scope, two, { text: newText('Lives in Lisbon.', plane(0, 1, 0)) });
      await remove(scope, three);
      const end = (await subject.store.history(scope, one.id)).at(-1)?.validTo;
      assert.ok(end && end > three.updatedAt);
      for (const [asOf, state] of [
        [before(one.updatedAt), null],
        [one.updatedAt, one],
        [before(two.updatedAt), one],
        [two.updatedAt, two],
        [before(three.updatedAt), two],
        [three.updatedAt, three],
        [before(end), three],
        [end, null],
        [new Date('9999-12-31T00:00:00Z'), null],
      ] as const) {
        const expected = state ? [state] : [];
        const hit = (of: Parameters<typeof query>[0]) => subject.store.recall(scope, query({ ...of, asOf }));
        assert.deepEqual(await subject.store.get(scope, one.id, asOf), state);
        assert.deepEqual((await subject.store.list(scope, { limit: 5, asOf })).memories, expected);
        assert.deepEqual(
          (await hit({ words: 'lives', mode: 'keyword' })).map(({ memory }) => memory),
          expected,
        );
        assert.deepEqual(
          (await hit({ vector: [1, 0, 0] })).map(({ memory }) => memory),
          expected,
        );
      }
      assert.equal(await subject.store.get(scope, one.id), null);
    });

    it('is found by its words and vectors of then, and by no others', async () => {
      const scope = newScope();
      const old = await rememberOne(scope, newMemory('Deploys on Heroku.', { vector: plane(1, 0, 0) }));
      const { updatedAt } = await change(scope, old, { text: newText('Deploys on Fly.', plane(0, 1, 0)) });
      const found = async (asOf: Date, words: string, vector: number[]): Promise<string[]> =>
        contents(await subject.store.recall(scope, query({ words, vector, asOf, minCoverage: 0.9, maxDistance: 0.1 })));
      const then = before(updatedAt);
      assert.deepEqual(await found(then, 'heroku', [0, 0, 1]), ['Deploys on Heroku.']);
      assert.deepEqual(await found(then, 'unrelated', [1, 0, 0]), ['Deploys on Heroku.']);
      assert.deepEqual(await found(then, 'fly', [0, 1, 0]), []);
      assert.deepEqual(await found(updatedAt, 'heroku', [1, 0, 0]), []);
      assert.deepEqual(await found(updatedAt, 'fly', [0, 1, 0]), ['Deploys on Fly.']);
      for (const [asOf, words, count] of [
        [then, 'heroku', 1],
        [then, 'fly', 0],
        [updatedAt, 'heroku', 0],
        [updatedAt, 'fly', 1],
      ] as const) {
        const page = await subject.store.list(scope, { limit: 5, searchText: searchText(words), asOf });
        assert.deepEqual([page.totalCount, page.memories.length], [count, count], words);
      }
    });

    it('has the vector of a text that went on in later states, also when those have ended', async () => {
      const scope = newScope();
      const one = await rememberOne(scope, newMemory('Keeps bees.', { vector: plane(1, 0, 0) }));
      const two = await change(scope, one, { importance: 0.1 });
      const three = await change(scope, two, { importance: 0.2 });
      const nearThen = async (): Promise<(number | null)[]> => {
        const moments = [one, two, three].map(({ updatedAt }) => updatedAt);
        const hits = await Promise.all(
          moments.map((asOf) => subject.store.recall(scope, query({ vector: [1, 0, 0], asOf }))),
        );
        return hits.map(([hit]) => hit?.distance ?? null);
      };
      const vectors = () => Promise.all([1, 2].map((version) => subject.store.revisionVector(scope, one.id, version)));
      assert.deepEqual(await nearThen(), [0, 0, 0]);
      assert.deepEqual(await vectors(), [plane(1, 0, 0), plane(1, 0, 0)]);
      const four = await change(scope, three, { text: newText('Keeps goats.', plane(0, 1, 0)) });
      assert.deepEqual(await nearThen(), [0, 0, 0]);
      await remove(scope, four);
      assert.deepEqual(await nearThen(), [0, 0, 0]);
      assert.deepEqual(await vectors(), [plane(1, 0, 0), plane(1, 0, 0)]);
      assert.deepEqual(await subject.store.revisionVector(scope, one.id, 4), plane(0, 1, 0));
      for (const [id, version] of [
        [one.id, 5],
        [randomUUID(), 1],
        ['no id', 1],
      ] as const) {
        assert.equal(await subject.store.revisionVector(scope, id, version), null);
      }
      assert.equal(await subject.store.revisionVector(newScope(), one.id, 1), null);
    });

    it('keeps that vector where the text changes twice in one transaction', async () => {
      const scope = newScope();
      const one = await rememberOne(scope, newMemory('Keeps bees.', { vector: plane(1, 0, 0) }));
      await subject.store.write(scope, async (writer) => {
        const two = await writer.update(one, { importance: 0.1 }, { endedBy: 'update' });
        await writer.update(two, { text: newText('Keeps goats.', plane(0, 1, 0)) }, { endedBy: 'update' });
      });
      assert.deepEqual(await subject.store.revisionVector(scope, one.id, 1), plane(1, 0, 0));
    });

    it('never gives a text the vector of another', async () => {
      const scope = newScope();
      const one = await rememberOne(scope, newMemory('Keeps bees.', { vector: null }));
      const two = await change(scope, one, { importance: 0.1 });
      const three = await change(scope, two, { text: newText('Keeps goats.') });
      const vectors = () => Promise.all([1, 2].map((version) => subject.store.revisionVector(scope, one.id, version)));
      assert.deepEqual(await vectors(), [null, null]);
      await change(scope, three, { text: newText('Keeps llamas.') });
      assert.deepEqual(await vectors(), [null, null]);
      const hits = await subject.store.recall(scope, query({ vector: [1, 0, 0], asOf: one.updatedAt }));
      assert.deepEqual(
        hits.map(({ distance }) => distance),
        [null],
      );
    });

    it('counts the states that have no vector of a space, which words still find', async () => {
      const scope = newScope();
      const other = { space: 'other:model:3', values: [1, 0, 0] };
      const old = await rememberOne(scope, newMemory('Keeps bees.', { vector: other }));
      const { updatedAt } = await change(scope, old, { text: newText('Keeps goats.') });
      await remember(scope, newMemory('Paints.', { vector: null }));
      const then = before(updatedAt);
      assert.equal(await subject.store.withoutVector(scope, { space: SPACE, asOf: then }), 1);
      assert.equal(await subject.store.withoutVector(scope, { space: other.space, asOf: then }), 0);
      assert.equal(await subject.store.withoutVector(scope, { space: SPACE, asOf: updatedAt }), 0);
      assert.equal(await subject.store.withoutVector(scope, { space: SPACE, asOf: new Date('9999-01-01') }), 1);
      const [hit] = await subject.store.recall(scope, query({ words: 'bees', vector: [1, 0, 0], asOf: then }));
      assert.deepEqual([hit?.memory.content, hit?.distance, hit?.coverage], ['Keeps bees.', null, 1]);
    });

    it('applies the expiry of that moment', async () => {
      const scope = newScope();
      const expiresAt = new Date(Date.now() + 3_600_000);
      const memory = await rememberOne(scope, newMemory('Is in Lisbon.', { expiresAt }));
      const at = async (asOf: Date): Promise<number[]> => [
        (await subject.store.get(scope, memory.id, asOf)) ? 1 : 0,
        (await subject.store.list(scope, { limit: 5, asOf })).totalCount,
        (await subject.store.recall(scope, query({ words: 'Lisbon', asOf }))).length,
      ];
      assert.deepEqual(await at(before(expiresAt)), [1, 1, 1]);
      assert.deepEqual(await at(expiresAt), [0, 0, 0]);
      // Cleared later: the old state still ended when it said it would.
      const cleared = await change(scope, memory, { expiresAt: null });
      assert.deepEqual(await at(expiresAt), [1, 1, 1]);
      assert.deepEqual((await subject.store.history(scope, cleared.id))[0]?.expiresAt, expiresAt);
    });

    it('goes through its pages once, whatever happens meanwhile', async () => {
      const scope = newScope();
      const memories: Memory[] = [];
      for (let n = 0; n < 3; n += 1) {
        memories.push(...(await remember(scope, newMemory(`Sentence ${n}-a.`), newMemory(`Sentence ${n}-b.`))));
      }
      const [first0, , second0] = memories;
      assert.ok(first0 && second0);
      await change(scope, second0, { text: newText('Reworded before.') });
      const asOf = (await change(scope, first0, { importance: 1 })).updatedAt;
      const whole = (await subject.store.list(scope, { limit: 50, asOf })).memories;
      assert.equal(whole.length, 6);
      const seen: Memory[] = [];
      let after: MemoryPosition | undefined;
      for (let page = 0; page < 3; page += 1) {
        const listed = await subject.store.list(scope, { limit: 2, asOf, ...(after && { after }) });
        assert.deepEqual([listed.totalCount, listed.hasNextPage], [6, page < 2]);
        seen.push(...listed.memories);
        after = listed.memories.at(-1);
        for (const memory of (await subject.store.list(scope, { limit: 2 })).memories) await remove(scope, memory);
        await remember(scope, newMemory(`Newer ${page}.`));
      }
      assert.deepEqual(seen, whole);
      assert.deepEqual((await subject.store.list(scope, { limit: 50, asOf })).memories, whole);
    });

    it('filters as the present does', async () => {
      const scope = newScope();
      const old = await rememberOne(scope, newMemory('Keeps bees.', { kind: 'goal', metadata: { tag: 'a' } }));
      const { updatedAt } = await change(scope, old, { kind: 'fact', metadata: { tag: 'b' } });
      for (const [asOf, kind, tag] of [
        [before(updatedAt), 'goal', 'a'],
        [updatedAt, 'fact', 'b'],
      ] as const) {
        for (const wanted of ['goal', 'fact'] as const) {
          const count = wanted === kind ? 1 : 0;
          assert.equal((await subject.store.list(scope, { limit: 5, kinds: [wanted], asOf })).totalCount, count);
          assert.equal(
            (await subject.store.recall(scope, query({ words: 'bees', kinds: [wanted], asOf }))).length,
            count,
          );
        }
        const hits = await subject.store.recall(scope, query({ words: 'bees', metadata: { tag }, asOf }));
        assert.deepEqual(hits[0]?.memory.metadata, { tag });
      }
    });

    it('tells the ended states of a memory, oldest first, also once it is forgotten', async () => {
      const scope = newScope();
      const expiresAt = new Date(Date.now() + 3_600_000);
      const attributes = {
        kind: 'goal',
        importance: 0.25,
        metadata: { a: 1 },
        source: 'observed',
        expiresAt,
      } as const;
      const one = await rememberOne(scope, newMemory('Wants a boat.', attributes));
      assert.deepEqual(await subject.store.history(scope, one.id), []);
      const two = await change(scope, one, { importance: 0.5 }, { endedBy: 'update', turnId: 'turn-7' });
      const mergedInto = randomUUID();
      await remove(scope, two, { endedBy: 'merge', mergedInto });
      const [first1, second, ...more] = await subject.store.history(scope, one.id);
      assert.equal(more.length, 0);
      assert.deepEqual(first1, {
        memoryId: one.id,
        version: 1,
        content: 'Wants a boat.',
        ...attributes,
        validFrom: one.updatedAt,
        validTo: two.updatedAt,
        endedBy: 'update',
        turnId: 'turn-7',
        mergedInto: null,
        createdAt: one.createdAt,
      });
      assert.deepEqual(
        [second?.version, second?.importance, second?.endedBy, second?.turnId, second?.mergedInto],
        [2, 0.5, 'merge', null, mergedInto],
      );
      assert.deepEqual(await subject.store.write(scope, (writer) => writer.history(one.id)), [first1, second]);
      const other = await rememberOne(scope, newMemory('Paints.'));
      await change(scope, other, { importance: 1 });
      const told = await subject.store.histories(scope, [other.id, randomUUID(), one.id, '%', one.id]);
      for (const id of [one.id, other.id]) {
        const own = told.filter(({ memoryId }) => memoryId === id);
        assert.deepEqual(own, await subject.store.history(scope, id));
      }
      assert.equal(told.length, 3);
      assert.deepEqual(await subject.store.histories(scope, []), []);
      const foreign = { tenantId: scope.tenantId, scope: `${scope.scope}0` };
      for (const [from, id] of [
        [foreign, one.id],
        [newScope(), one.id],
        [scope, randomUUID()],
        [scope, ''],
        [scope, '%'],
      ] as const) {
        assert.deepEqual(await subject.store.history(from, id), []);
        assert.deepEqual(await subject.store.histories(from, [id]), []);
        assert.equal(await subject.store.get(from, id, one.updatedAt), null);
      }
      assert.equal((await subject.store.list(foreign, { limit: 5, asOf: one.updatedAt })).totalCount, 0);
      assert.deepEqual(
        await subject.store.recall(foreign, query({ words: 'boat', vector: [1, 0, 0], asOf: one.updatedAt })),
        [],
      );
    });

    it('is not changed by a transaction that came to nothing', async () => {
      const scope = newScope();
      const one = await rememberOne(scope, newMemory('Keeps bees.'));
      const two = await change(scope, one, { importance: 1 });
      const history = await subject.store.history(scope, one.id);
      await assert.rejects(
        subject.store.write(scope, async (writer) => {
          await writer.remove(two, { endedBy: 'forget' });
          await writer.dropRevisions({ memoryId: one.id });
          throw new Error('a fault of the caller');
        }),
      );
      assert.deepEqual(await subject.store.history(scope, one.id), history);
    });

    it('keeps the latest 20 states of a memory, and the vector that they share', async () => {
      const scope = newScope();
      const other = await rememberOne(scope, newMemory('Paints.'));
      await change(scope, other, { importance: 1 });
      let memory = await rememberOne(scope, newMemory('Keeps bees.'));
      for (let n = 1; n <= 24; n += 1) memory = await change(scope, memory, { importance: n / 100 });
      await remove(scope, memory);
      const kept = await subject.store.history(scope, memory.id);
      assert.deepEqual(
        kept.map(({ version }) => version),
        Array.from({ length: 20 }, (_, n) => n + 6),
      );
      assert.deepEqual(await subject.store.revisionVector(scope, memory.id, 6), plane(1, 0, 0));
      assert.equal((await subject.store.history(scope, other.id)).length, 1);
    });

    it('can be dropped, of one memory or from its beginning on', async () => {
      const scope = newScope();
      const foreign = { tenantId: scope.tenantId, scope: 'user:420' };
      const [one, two] = [
        await rememberOne(scope, newMemory('Keeps bees.')),
        await rememberOne(scope, newMemory('Paints.')),
      ];
      const theirs = await rememberOne(foreign, newMemory('Keeps bees.', { id: two.id }));
      await change(foreign, theirs, { importance: 1 });
      const middle = await change(scope, one, { importance: 1 });
      const last = await change(scope, two, { importance: 1 });
      await remove(scope, last);
      const versions = async (): Promise<number[]> => [
        (await subject.store.history(scope, one.id)).length,
        (await subject.store.history(scope, two.id)).length,
        (await subject.store.history(foreign, two.id)).length,
      ];
      const drop = (which: { memoryId: string } | { endedBefore: Date; limit: number }) =>
        subject.store.write(scope, (writer) => writer.dropRevisions(which));
      assert.deepEqual(await versions(), [1, 2, 1]);
      assert.equal(await drop({ endedBefore: middle.updatedAt, limit: 10 }), 0);
      assert.equal(await drop({ endedBefore: new Date('9999-01-01'), limit: 1 }), 1);
      assert.deepEqual(await versions(), [0, 2, 1]);
      for (const [memoryId, dropped] of [
        [randomUUID(), 0],
        ['no id', 0],
        [two.id, 2],
      ] as const) {
        assert.equal(await drop({ memoryId }), dropped);
      }
      assert.deepEqual(await versions(), [0, 0, 1]);
    });

    it('takes in what has expired, with the end that it was given', async () => {
      const scope = newScope();
      const expiresAt = new Date(Date.now() + 1_000);
      const soon = await rememberOne(scope, newMemory('Is in Lisbon.', { expiresAt }));
      const past = await rememberOne(scope, newMemory('Was in Rome.', { expiresAt: new Date('2001-01-01') }));
      await remember(scope, newMemory('Stays.'), newMemory('Long.', { expiresAt: new Date('9999-01-01') }));
      while (Date.now() <= expiresAt.getTime()) await new Promise((resolve) => setTimeout(resolve, 10));
      const due = async (revisionsEndedBefore: Date | null) =>
        (await subject.store.dueForUpkeep({ revisionsEndedBefore, limit: 1_000 })).filter(
          ({ tenantId }) => tenantId === scope.tenantId,
        );
      assert.deepEqual(await due(null), [scope]);
      const told = await subject.store.histories(scope, [soon.id, past.id]);
      const vector = await subject.store.revisionVector(scope, soon.id, 1);
      await subject.store.write(scope, async (writer) => {
        assert.deepEqual(await writer.history(soon.id), []);
        assert.deepEqual(await writer.findExpired({ ids: [randomUUID(), 'no id'], limit: 5 }), []);
        assert.deepEqual(
          (await writer.findExpired({ ids: [past.id], limit: 5 })).map(({ id }) => id),
          [past.id],
        );
        assert.equal((await writer.findExpired({ limit: 1 })).length, 1);
        const expired = await writer.findExpired({ limit: 5 });
        assert.deepEqual(
          expired.map(({ id }) => id),
          [soon.id, past.id].sort(),
        );
        for (const memory of expired) await writer.remove(memory, { endedBy: 'expire' });
      });
      assert.deepEqual(await due(null), []);
      assert.deepEqual(await due(new Date('2000-01-01')), []);
      assert.deepEqual(await due(new Date('9999-01-01')), [scope]);
      const [ended] = await subject.store.history(scope, soon.id);
      assert.deepEqual([ended?.validTo, ended?.endedBy], [expiresAt, 'expire']);
      // One that never held has the shortest span there is, and no moment shows it.
      const [never] = await subject.store.history(scope, past.id);
      assert.deepEqual(never?.validTo, new Date(past.updatedAt.getTime() + 1));
      // As it was told before.
      assert.deepEqual(await subject.store.histories(scope, [soon.id, past.id]), told);
      assert.deepEqual(await subject.store.revisionVector(scope, soon.id, 1), vector);
      assert.deepEqual(vector, plane(1, 0, 0));
      assert.equal(await subject.store.get(scope, past.id, past.updatedAt), null);
      assert.equal((await subject.store.get(scope, soon.id, before(expiresAt)))?.id, soon.id);
    });

    it('tells no more of what has expired than will be kept of it', async () => {
      const scope = newScope();
      const expiresAt = new Date(Date.now() + 1_000);
      let memory = await rememberOne(scope, newMemory('Is in Lisbon.', { expiresAt }));
      for (let n = 1; n <= 20; n += 1) memory = await change(scope, memory, { importance: n / 100 });
      const versions = async (): Promise<number[]> =>
        (await subject.store.history(scope, memory.id)).map(({ version }) => version);
      const of = (first: number): number[] => Array.from({ length: 20 }, (_, n) => n + first);
      while (Date.now() <= expiresAt.getTime()) await new Promise((resolve) => setTimeout(resolve, 10));
      assert.deepEqual(await versions(), of(2));
      await remove(scope, memory, { endedBy: 'expire' });
      assert.deepEqual(await versions(), of(2));
    });

    it('lets a memory come back under its id, its beginning and its next version', async () => {
      const scope = newScope();
      const one = await rememberOne(scope, newMemory('Keeps bees.'));
      await remove(scope, one);
      const gone = (await subject.store.history(scope, one.id))[0]?.validTo;
      assert.ok(gone);
      const back = await rememberOne(
        scope,
        newMemory('Keeps bees.', { id: one.id, createdAt: one.createdAt, version: 2 }),
      );
      assert.deepEqual([back.id, back.version, back.createdAt], [one.id, 2, one.createdAt]);
      assert.ok(back.updatedAt > gone);
      assert.equal(await subject.store.get(scope, one.id, gone), null);
      assert.equal((await subject.store.get(scope, one.id, one.updatedAt))?.version, 1);
      assert.equal((await subject.store.get(scope, one.id, back.updatedAt))?.version, 2);
    });
  });
}
