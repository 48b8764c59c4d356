import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

describe('a recall among many near-duplicates', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await memoryApp();
  });
  afterEach(() => app.close());

  it('still fills its limit with what they stand before', async () => {
    const user = app.of('1');
    const same = Array.from({ length: 30 }, (_, count) => `Likes green tea${'!'.repeat(count)}`);
    await user.addMany(
      [...same, 'Likes green tea and cake', 'Likes green tea and bread'].map((content) => ({ content })),
    );
    const found = await user.recall('likes green tea', { limit: 3 });
    expect(found.map(({ memory }) => memory.content.replaceAll('!', '')).sort()).toEqual([
      'Likes green tea',
      'Likes green tea and bread',
      'Likes green tea and cake',
    ]);
  });
});
