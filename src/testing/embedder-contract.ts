import assert from 'node:assert/strict';
import type { Embedder } from '../embedding/embedder.js';
import { testRunner } from './test-runner.js';

/** Single precision, and services that round what they send. */
const SAME = 5e-5;

/**
 * What recall relies on in any embedder, with the runner's global `describe`, `it`, `beforeAll` and `afterAll` (jest, vitest).
 *
 * @example embedderContract('MyEmbedder', () => new MyEmbedder());
 * @param create makes an embedder that can answer; it is started before the tests and stopped after them
 */
export function embedderContract(name: string, create: () => Embedder | Promise<Embedder>): void {
  const { describe, it, beforeAll, afterAll } = testRunner();

  describe(`${name} as an Embedder`, () => {
    let embedder: Embedder;

    beforeAll(async () => {
      embedder = await create();
      await embedder.start?.();
    });
    afterAll(() => embedder.stop?.());

    const expectVector = (vector: readonly number[] | undefined): void => {
      assert.ok(vector);
      assert.equal(vector.length, embedder.dimensions);
      assert.ok(vector.every(Number.isFinite));
      assert.ok(Math.hypot(...vector) > 0);
    };
    const cosine = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));

    it('names its space as provider:model:dimensions', () => {
      assert.match(embedder.space, /^[^:]+:.+:\d+$/);
      assert.ok(embedder.space.endsWith(`:${embedder.dimensions}`));
    });

    it('declares a calibration within its bounds', () => {
      const { maxDistance, minCoverage, minScore, denseWeight } = embedder.calibration;
      assert.ok(maxDistance > 0 && maxDistance <= 2, 'maxDistance');
      for (const [field, share] of Object.entries({ minCoverage, denseWeight, minScore: minScore ?? 0 })) {
        assert.ok(share >= 0 && share <= 1, field);
      }
    });

    it('gives one whole vector per text, in order', async () => {
      const texts = Array.from({ length: 40 }, (_, i) => `Has been to country number ${i}`);
      const all = await embedder.embedDocuments(texts);
      assert.equal(all.length, texts.length);
      all.forEach(expectVector);
      const [last] = await embedder.embedDocuments(texts.slice(-1));
      assert.ok(Math.abs(cosine(all.at(-1) ?? [], last ?? []) - 1) < SAME);
    });

    it('gives a whole vector for a query', async () => {
      expectVector(await embedder.embedQuery('Where do I live?'));
    });

    it('gives equal vectors for equal texts', async () => {
      const [first] = await embedder.embedDocuments(['Is allergic to peanuts']);
      const [second] = await embedder.embedDocuments(['Is allergic to peanuts']);
      assert.ok(Math.abs(cosine(first ?? [], second ?? []) - 1) < SAME);
    });

    it('tells different texts apart', async () => {
      const [first, second] = await embedder.embedDocuments(['Is allergic to peanuts', 'Works as a nurse in Oslo']);
      assert.ok(cosine(first ?? [], second ?? []) < 0.999);
    });

    it('gives no vectors for no texts', async () => {
      assert.deepEqual(await embedder.embedDocuments([]), []);
    });

    it('refuses a blank text rather than inventing a vector for it', async () => {
      await assert.rejects(embedder.embedDocuments(['Lives in Oslo', '  ']));
      await assert.rejects(embedder.embedQuery(''));
    });

    it('survives a text that is very long, and one that no encoding can hold', async () => {
      const [long] = await embedder.embedDocuments(['Likes long walks in the hills. '.repeat(2000)]);
      expectVector(long);
      const [odd] = await embedder.embedDocuments(['Likes \u0000 tea \ud83d and 👍🏽']);
      expectVector(odd);
    });

    it('gives up when the signal has fired', async () => {
      await assert.rejects(embedder.embedDocuments(['Lives in Oslo'], { signal: AbortSignal.abort() }));
      await assert.rejects(embedder.embedQuery('Where?', { signal: AbortSignal.abort() }));
    });
  });
}
