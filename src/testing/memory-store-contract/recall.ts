import assert from 'node:assert/strict';
import { ProviderError } from '../../errors/provider-error.js';
import { searchText } from '../../model/search-text.js';
import type { RecallQuery } from '../../storage/memory-store.js';
import { testRunner } from '../test-runner.js';
import { newScope, plane, newMemory, newText, query, near, seeded, cosineDistance, SPACE } from './samples.js';
import type { StoreUnderTest } from './store-under-test.js';

export function recallContract(subject: StoreUnderTest): void {
  const { describe, it } = testRunner();
  const { remember, rememberOne } = subject;

  describe('recall', () => {
    it('finds what brute force finds, in its order', async () => {
      const scope = newScope();
      const random = seeded(7);
      const memories = Array.from({ length: 60 }, (_, n) =>
        newMemory(`Sentence ${n}.`, { vector: plane(random(), random(), random()) }),
      );
      await remember(scope, ...memories);
      for (let round = 0; round < 5; round += 1) {
        const asked = [random(), random(), random()];
        const expected = memories
          .map(({ id, vector }) => ({ id, distance: cosineDistance(vector?.values ?? [], asked) }))
          .sort((a, b) => a.distance - b.distance)
          .slice(0, 10);
        const hits = await subject.store.recall(scope, query({ vector: asked, limit: 10 }));
        assert.equal(hits.length, 10);
        hits.forEach((hit, place) => {
          const wanted = expected[place];
          assert.ok(wanted && hit.distance !== null);
          // Half precision may swap neighbours that lie closer than its step.
          assert.ok(Math.abs(hit.distance - wanted.distance) < 2e-3);
          assert.equal(hit.vectorRank, place + 1);
          assert.ok(Math.abs(hit.score - Math.max(0, 1 - hit.distance)) < 1e-9);
        });
      }
    });

    it('scores equal text 1, in every mode', async () => {
      const scope = newScope();
      const values = [0.123456, -0.654321, 0.333333];
      await remember(
        scope,
        newMemory('Deploys billing on Tuesdays.', { vector: plane(...(values as [number, number, number])) }),
        newMemory('Keeps bees.', { vector: plane(1, 0, 0) }),
      );
      for (const mode of ['hybrid', 'vector', 'keyword'] as const) {
        const [hit] = await subject.store.recall(
          scope,
          query({ words: 'Deploys billing on Tuesdays.', vector: values, mode }),
        );
        assert.equal(hit?.memory.content, 'Deploys billing on Tuesdays.');
        assert.equal(hit?.score, 1, mode);
      }
    });

    it('weighs the two legs as asked', async () => {
      const scope = newScope();
      await remember(
        scope,
        newMemory('Alpha bravo.', { vector: plane(1, 0, 0) }),
        newMemory('Charlie delta.', { vector: plane(0, 1, 0) }),
      );
      const best = async (denseWeight: number): Promise<string | undefined> =>
        (await subject.store.recall(scope, query({ words: 'charlie', vector: [1, 0, 0], denseWeight })))[0]?.memory
          .content;
      assert.equal(await best(0.9), 'Alpha bravo.');
      assert.equal(await best(0.1), 'Charlie delta.');
      const hits = await subject.store.recall(scope, query({ words: 'charlie', vector: [1, 0, 0], denseWeight: 0.3 }));
      assert.deepEqual(
        hits.map(({ score, distance, coverage, vectorRank, keywordRank }) => ({
          score: Number(score.toFixed(6)),
          distance,
          coverage,
          vectorRank,
          keywordRank,
        })),
        [
          { score: 0.7, distance: 1, coverage: 1, vectorRank: 2, keywordRank: 1 },
          { score: 0.3, distance: 0, coverage: 0, vectorRank: 1, keywordRank: null },
        ],
      );
    });

    it('counts a rare word for more than a common one, and an unseen one against all', async () => {
      const scope = newScope();
      await remember(
        scope,
        ...['zebra', 'apple', 'melon', 'grape'].map((fruit) => newMemory(`Ate ${fruit} yesterday.`)),
      );
      const idf = (df: number): number => Math.log(1 + (4 - df + 0.5) / (df + 0.5));
      const covered = async (words: string): Promise<number | null | undefined> =>
        (await subject.store.recall(scope, query({ words, mode: 'keyword' }))).find((hit) =>
          hit.memory.content.includes('zebra'),
        )?.coverage;
      near(await covered('zebra yesterday'), 1);
      near(await covered('zebra apple'), idf(1) / (idf(1) + idf(1)));
      near(await covered('yesterday apple'), idf(4) / (idf(4) + idf(1)));
      near(await covered('zebra volcano'), idf(1) / (idf(1) + idf(0)));
      near(await covered('zebra zebra volcano'), idf(1) / (idf(1) + idf(0)));
    });

    it('finds a word whether it is written with its accents or without, also after the text has changed', async () => {
      const scope = newScope();
      const [memory] = await remember(scope, newMemory('Lives in Köln.'), newMemory('Lives in Rome.'));
      const found = async (words: string): Promise<string[]> =>
        (await subject.store.recall(scope, query({ words, mode: 'keyword', minCoverage: 0.9 }))).map(
          (hit) => hit.memory.content,
        );
      for (const words of ['koln', 'Köln', 'KO\u0308LN']) assert.deepEqual(await found(words), ['Lives in Köln.']);
      assert.ok(memory);
      await subject.store.write(scope, (writer) =>
        writer.update(memory, { text: newText('Moved to Zürich.') }, { endedBy: 'update' }),
      );
      assert.deepEqual(await found('zurich'), ['Moved to Zürich.']);
      assert.deepEqual(await found('koln'), []);
    });

    it('lets in what any one threshold admits, and nothing else', async () => {
      const scope = newScope();
      await remember(
        scope,
        newMemory('Alpha bravo.', { vector: plane(1, 0, 0) }),
        newMemory('Charlie delta.', { vector: plane(0, 1, 0) }),
        newMemory('Echo foxtrot.', { vector: plane(0, 0, 1) }),
      );
      const found = async (thresholds: Partial<RecallQuery>): Promise<number> =>
        (await subject.store.recall(scope, { ...query({ words: 'charlie zulu', vector: [1, 0, 0] }), ...thresholds }))
          .length;
      assert.equal(await found({ maxDistance: 0.2 }), 1);
      assert.equal(await found({ minCoverage: 0.2 }), 1);
      assert.equal(await found({ maxDistance: 0.2, minCoverage: 0.2 }), 2);
      assert.equal(await found({ minScore: 0.5 }), 1);
      assert.equal(await found({ minScore: 0.9 }), 0);
      // Without words the score is closeness alone, which is maxDistance's to judge.
      assert.equal(await found({ searchText: '', minScore: 0.5 }), 0);
      assert.equal(await found({ maxDistance: 0.2, minCoverage: 0.9, minScore: 0.99 }), 1);
      assert.equal(await found({}), 3);
    });

    it('filters before it cuts: the limit is full although nearer rows are of another kind', async () => {
      const scope = newScope();
      await remember(
        scope,
        ...Array.from({ length: 20 }, (_, n) => newMemory(`Near ${n}.`, { vector: plane(1, 0.001 * n, 0) })),
        ...Array.from({ length: 5 }, (_, n) =>
          newMemory(`Far ${n}.`, { kind: 'goal', metadata: { tag: 'far' }, vector: plane(1, 1, n) }),
        ),
      );
      for (const filter of [{ kinds: ['goal' as const] }, { metadata: { tag: 'far' } }]) {
        const hits = await subject.store.recall(scope, { ...query({ vector: [1, 0, 0], limit: 5 }), ...filter });
        assert.equal(hits.length, 5);
        assert.ok(hits.every((hit) => hit.memory.kind === 'goal'));
      }
      assert.equal(
        (await subject.store.recall(scope, { ...query({ vector: [1, 0, 0], limit: 99 }), kinds: [] })).length,
        25,
      );
    });

    it('reads metadata as containment, with types as they are', async () => {
      const scope = newScope();
      await remember(
        scope,
        newMemory('One.', { metadata: { n: 1, tags: ['a', 'b'], of: { x: 1, y: 2 } } }),
        newMemory('Two.', { metadata: { n: '1', kind: 'goal' } }),
      );
      const found = async (metadata: Record<string, unknown>): Promise<string[]> =>
        (await subject.store.recall(scope, { ...query({ vector: [1, 0, 0] }), metadata })).map(
          (hit) => hit.memory.content,
        );
      assert.deepEqual(await found({ n: 1 }), ['One.']);
      assert.deepEqual(await found({ n: '1' }), ['Two.']);
      assert.deepEqual(await found({ tags: ['b'] }), ['One.']);
      assert.deepEqual(await found({ of: { y: 2 } }), ['One.']);
      assert.deepEqual(await found({ kind: 'goal' }), ['Two.']);
      assert.deepEqual(await found({ absent: null }), []);
      assert.equal((await found({})).length, 2);
    });

    it('never compares vectors of two spaces, but finds such rows by their words', async () => {
      const scope = newScope();
      await remember(
        scope,
        newMemory('Alpha bravo.', { vector: { space: 'other:model:3', values: [1, 0, 0] } }),
        newMemory('Charlie delta.', { vector: null }),
        newMemory('Echo foxtrot.', { vector: { space: 'wide:model:2', values: [1, 0] } }),
      );
      assert.deepEqual(await subject.store.recall(scope, { ...query({ vector: [1, 0, 0] }), maxDistance: 2 }), []);
      for (const words of ['alpha', 'charlie', 'echo']) {
        const [hit, ...more] = await subject.store.recall(
          scope,
          query({ words, vector: [1, 0, 0], denseWeight: 0.4, minCoverage: 0.5, maxDistance: 0.5 }),
        );
        assert.equal(more.length, 0);
        assert.deepEqual([hit?.distance, hit?.vectorRank, hit?.keywordRank, hit?.coverage], [null, null, 1, 1]);
        near(hit?.score, 0.6);
      }
      assert.equal((await subject.store.stats(scope, SPACE)).staleEmbeddings, 3);
      assert.equal((await subject.store.stats(scope, 'other:model:3')).staleEmbeddings, 2);
    });

    it('takes operators for plain text', async () => {
      const scope = newScope();
      await remember(scope, newMemory('Likes tea & coffee.'), newMemory('Likes cocoa.'));
      for (const words of ['tea & !cocoa', '(tea | milk', "tea:* <-> 'x", "\\ ' tea ''", '!tea']) {
        const hits = await subject.store.recall(scope, query({ words, mode: 'keyword', minCoverage: 0.01 }));
        assert.ok(
          hits.some((hit) => hit.memory.content === 'Likes tea & coffee.'),
          words,
        );
      }
      for (const words of ['& | !', '()', "'", '\\', '   ', '']) {
        assert.deepEqual(await subject.store.recall(scope, query({ words, mode: 'keyword' })), [], words);
      }
    });

    it('answers from the one leg that there is, whole', async () => {
      const scope = newScope();
      await remember(scope, newMemory('Alpha bravo.', { vector: plane(1, 0, 0) }));
      const [byWords] = await subject.store.recall(scope, query({ words: 'alpha', denseWeight: 0.9 }));
      assert.deepEqual([byWords?.score, byWords?.distance, byWords?.vectorRank], [1, null, null]);
      const [byMeaning] = await subject.store.recall(scope, query({ vector: [1, 0, 0], denseWeight: 0.1 }));
      assert.deepEqual([byMeaning?.score, byMeaning?.coverage, byMeaning?.keywordRank], [1, null, null]);
      assert.deepEqual(await subject.store.recall(scope, query({})), []);
    });

    it('puts the newer first where scores are equal', async () => {
      const scope = newScope();
      const older = await rememberOne(scope, newMemory('Tea one.'));
      const newer = await rememberOne(scope, newMemory('Tea two.'));
      const hits = await subject.store.recall(scope, query({ words: 'tea', vector: [1, 0, 0] }));
      assert.deepEqual(
        hits.map((hit) => hit.memory.id),
        [newer.id, older.id],
      );
    });

    it('orders by importance and recency as weighted, before it cuts, and lets in by relevance alone', async () => {
      const scope = newScope();
      const [near, weighty] = await remember(
        scope,
        newMemory('Alpha bravo.', { vector: plane(1, 0, 0), importance: 0.1 }),
        newMemory('Charlie delta.', { vector: plane(0.8, 0.6, 0), importance: 0.9 }),
        newMemory('Echo foxtrot.', { vector: plane(0, 0, 1), importance: 1 }),
      );
      assert.ok(near && weighty);
      const prior = { importanceWeight: 0.4, recencyWeight: 0.1, halfLifeDays: 30 };
      const asked = query({ vector: [1, 0, 0], maxDistance: 0.5 });
      const scores = async (of: RecallQuery): Promise<[string, string][]> =>
        (await subject.store.recall(scope, of)).map(({ memory, score }) => [memory.content, score.toFixed(2)]);
      assert.deepEqual(await scores({ ...asked, prior }), [
        ['Charlie delta.', (0.5 * 0.8 + 0.4 * 0.9 + 0.1).toFixed(2)],
        ['Alpha bravo.', (0.5 + 0.4 * 0.1 + 0.1).toFixed(2)],
      ]);
      assert.deepEqual(await scores({ ...asked, prior, limit: 1 }), [['Charlie delta.', '0.86']]);
      assert.deepEqual(await scores(asked), [
        ['Alpha bravo.', '1.00'],
        ['Charlie delta.', '0.80'],
      ]);
      // Neither does it keep out what its relevance lets in.
      const judged = query({ words: 'alpha', vector: [1, 0, 0], minScore: 0.9, denseWeight: 0.5 });
      assert.equal((await scores(judged)).length, 1);
      assert.equal((await scores({ ...judged, prior })).length, 1);
      assert.equal((await scores({ ...judged, searchText: searchText('echo'), prior })).length, 0);
    });

    it('halves recency with each half-life since the last change, down to nothing', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Alpha bravo.', { importance: 0 }));
      const recency = async (halfLifeDays: number, days: number): Promise<number | undefined> => {
        const prior = { importanceWeight: 0, recencyWeight: 1, halfLifeDays };
        const asOf = new Date(memory.updatedAt.getTime() + days * 86_400_000);
        return (await subject.store.recall(scope, query({ vector: [1, 0, 0], asOf, prior })))[0]?.score;
      };
      near(await recency(30, 0), 1);
      near(await recency(30, 30), 0.5);
      near(await recency(10, 30), 0.125);
      near(await recency(0.01, 36_500), 0);
    });

    it('refuses a query vector that is not of its space', async () => {
      await assert.rejects(subject.store.recall(newScope(), query({ vector: [1, 0] })), ProviderError);
    });
  });
}
