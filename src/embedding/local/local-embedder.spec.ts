import { afterAll, describe, expect, it } from '@jest/globals';
import { embedderContract } from '../../testing/embedder-contract.js';
import { LocalEmbedder } from './local-embedder.js';

embedderContract('LocalEmbedder', () => new LocalEmbedder());

describe('LocalEmbedder', () => {
  const embedder = new LocalEmbedder();
  afterAll(() => embedder.stop());

  const distance = (a: readonly number[], b: readonly number[]): number =>
    1 - a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);

  it('puts what is meant nearer than what is not', async () => {
    const [host, diet] = await embedder.embedDocuments(['Deploys on Fly.io', 'Is vegetarian']);
    const query = await embedder.embedQuery('What should I cook tonight?');
    expect(distance(query, diet as number[])).toBeLessThan(distance(query, host as number[]));
  });

  it('hears the end of a text that is longer than the model can read', async () => {
    const filler = 'The meeting went on about nothing that mattered. '.repeat(30);
    const [without, with_] = await embedder.embedDocuments([filler, `${filler} He is allergic to peanuts.`]);
    expect(distance(without as number[], with_ as number[])).toBeGreaterThan(0.001);
  });
});
