import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Embedder } from '../embedding/embedder.js';

/**
 * What recall relies on in any embedder. Call it in a spec of your own: `embedderContract('MyEmbedder', () => new MyEmbedder())`.
 * @param create makes an embedder that can answer; it is started before the tests and stopped after them
 */
export function embedderContract(name: string, create: () => Embedder | Promise<Embedder>): void {
  describe(`${name} as an Embedder`, () => {
    let embedder: Embedder;

    beforeAll(async () => {
      embedder = await create();
      await embedder.start?.();
    });
    afterAll(() => embedder.stop?.());

    const expectVector = (vector: readonly number[] | undefined): void => {
      expect(vector).toHaveLength(embedder.dimensions);
      expect(vector?.every(Number.isFinite)).toBe(true);
      expect(Math.hypot(...(vector ?? []))).toBeGreaterThan(0);
    };
    const cosine = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));

    it('names its space as provider:model:dimensions', () => {
      expect(embedder.space).toMatch(/^[^:]+:.+:\d+$/);
      expect(embedder.space.endsWith(`:${embedder.dimensions}`)).toBe(true);
    });

    it('declares a calibration within its bounds', () => {
      const { maxDistance, minCoverage, minScore, denseWeight } = embedder.calibration;
      expect(maxDistance).toBeGreaterThan(0);
      expect(maxDistance).toBeLessThanOrEqual(2);
      for (const share of [minCoverage, denseWeight, minScore ?? 0]) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }
    });

    it('gives one whole vector per text, in order', async () => {
      const texts = Array.from({ length: 40 }, (_, i) => `Has been to country number ${i}`);
      const all = await embedder.embedDocuments(texts);
      expect(all).toHaveLength(texts.length);
      all.forEach(expectVector);
      const [last] = await embedder.embedDocuments(texts.slice(-1));
      expect(cosine(all.at(-1) ?? [], last ?? [])).toBeCloseTo(1, 4);
    });

    it('gives a whole vector for a query', async () => {
      expectVector(await embedder.embedQuery('Where do I live?'));
    });

    it('gives equal vectors for equal texts', async () => {
      const [first] = await embedder.embedDocuments(['Is allergic to peanuts']);
      const [second] = await embedder.embedDocuments(['Is allergic to peanuts']);
      expect(cosine(first ?? [], second ?? [])).toBeCloseTo(1, 4);
    });

    it('tells different texts apart', async () => {
      const [first, second] = await embedder.embedDocuments(['Is allergic to peanuts', 'Works as a nurse in Oslo']);
      expect(cosine(first ?? [], second ?? [])).toBeLessThan(0.999);
    });

    it('gives no vectors for no texts', async () => {
      await expect(embedder.embedDocuments([])).resolves.toEqual([]);
    });

    it('refuses a blank text rather than inventing a vector for it', async () => {
      await expect(embedder.embedDocuments(['Lives in Oslo', '  '])).rejects.toThrow();
      await expect(embedder.embedQuery('')).rejects.toThrow();
    });

    it('survives a text that is very long, and one that no encoding can hold', async () => {
      const [long] = await embedder.embedDocuments(['Likes long walks in the hills. '.repeat(2000)]);
      expectVector(long);
      const [odd] = await embedder.embedDocuments(['Likes \u0000 tea \ud83d and 👍🏽']);
      expectVector(odd);
    });

    it('gives up when the signal has fired', async () => {
      await expect(embedder.embedDocuments(['Lives in Oslo'], { signal: AbortSignal.abort() })).rejects.toThrow();
      await expect(embedder.embedQuery('Where?', { signal: AbortSignal.abort() })).rejects.toThrow();
    });
  });
}
