import { describe, expect, it } from '@jest/globals';
import { DeterministicEmbedder } from './deterministic-embedder.js';
import { embedderContract } from './embedder-contract.js';

embedderContract('DeterministicEmbedder', () => new DeterministicEmbedder());

describe('DeterministicEmbedder', () => {
  it('puts texts that share words nearer than texts that do not', async () => {
    const embedder = new DeterministicEmbedder();
    const [shared, other] = await embedder.embedDocuments(['Lives in Oslo with a dog', 'Prefers short answers']);
    const query = await embedder.embedQuery('who lives in Oslo');
    const near = (vector: readonly number[] = []): number => vector.reduce((sum, v, i) => sum + v * (query[i] ?? 0), 0);
    expect(near(shared)).toBeGreaterThan(near(other));
  });

  it('makes another space for another model', () => {
    expect(new DeterministicEmbedder(8, 'other').space).not.toBe(new DeterministicEmbedder(8).space);
  });
});
