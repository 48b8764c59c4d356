import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeterministicEmbedder } from 'nestjs-engram/testing';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

/** Near to everything, and honest about it. */
class BlurredEmbedder extends DeterministicEmbedder {
  override readonly calibration = { maxDistance: 2, minCoverage: 0.5, minScore: null, denseWeight: 0.9 };

  canSearch(query: string): boolean {
    return query.includes('my');
  }
}

describe('recall with a query that the embedder cannot judge', () => {
  let app: MemoryApp;

  beforeEach(async () => {
    app = await memoryApp({ embedder: new BlurredEmbedder() });
    await app
      .of('ada')
      .addMany([{ content: 'Has a harbour view in Oslo' }, { content: 'Likes Oslo' }, { content: 'Is shy' }]);
  });
  afterEach(() => app.close());

  const recall = async (query: string, options = {}): Promise<string[]> =>
    (await app.of('ada').recall(query, options)).map(({ memory }) => memory.content);

  it('lets no memory in by distance', async () => {
    await expect(recall('summarize everything')).resolves.toEqual([]);
    await expect(recall('summarize my everything')).resolves.toHaveLength(3);
  });

  it('lets memories in by words, and orders those by meaning too', async () => {
    await expect(recall('Oslo')).resolves.toEqual(['Likes Oslo', 'Has a harbour view in Oslo']);
  });

  it('finds nothing by meaning alone', async () => {
    await expect(recall('Oslo', { mode: 'vector' })).resolves.toEqual([]);
  });

  it('does as told by a caller who names a distance', async () => {
    await expect(recall('summarize everything', { maxDistance: 2 })).resolves.toHaveLength(3);
  });
});
