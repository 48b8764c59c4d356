import { afterEach, describe, expect, it } from '@jest/globals';
import type { RecallOptions } from 'nestjs-engram';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

describe('the weights of recall', () => {
  let app: MemoryApp | undefined;
  afterEach(() => app?.close());

  const recalled = async (recall: RecallOptions, query = 'Likes green tea'): Promise<[string, number][]> => {
    app = await memoryApp({ recall });
    const memory = app.of('1');
    await memory.add('Likes green tea', { importance: 0 });
    await memory.add('Likes black tea', { importance: 1 });
    await memory.add('Owns a boat', { importance: 1 });
    return (await memory.recall(query)).map(({ memory: { content }, score }) => [content, score]);
  };

  it('are off by default: equal text scores 1', async () => {
    expect((await recalled({}))[0]).toEqual(['Likes green tea', expect.closeTo(1, 5)]);
  });

  it('let importance lift a memory, but never into a result to which it is not relevant', async () => {
    const found = await recalled({ importanceWeight: 0.9 });
    expect(found.map(([content]) => content)).toEqual(['Likes black tea', 'Likes green tea']);
    for (const [, score] of found) expect(score).toBeGreaterThanOrEqual(0);
    for (const [, score] of found) expect(score).toBeLessThanOrEqual(1);
  });

  it('count a memory that has just changed as recent', async () => {
    const [best] = await recalled({ recencyWeight: 1 });
    expect(best?.[1]).toBeCloseTo(1, 4);
  });

  it.each<[RecallOptions, string]>([
    [{ importanceWeight: -0.1 }, 'recall.importanceWeight'],
    [{ importanceWeight: 0.6, recencyWeight: 0.6 }, 'recall.importanceWeight'],
    [{ recencyWeight: 2 }, 'recall.recencyWeight'],
    [{ recencyHalfLifeDays: 0 }, 'recall.recencyHalfLifeDays'],
    [{ touch: 'no' as never }, 'recall.touch'],
  ])('are refused at boot as %j', async (recall, option) => {
    await expect(memoryApp({ recall })).rejects.toMatchObject({ code: 'INVALID_OPTIONS', option });
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('leave counting accesses to the option touch: %p', async (touch, accessCount) => {
    await recalled({ touch });
    const accesses = async (): Promise<number | undefined> => {
      // Writes what has gathered, and forgets nothing.
      await app?.of('1').forgetStale({ olderThan: new Date(0) });
      return (await app?.of('1').list({ search: 'green' }))?.memories[0]?.accessCount;
    };
    expect(await accesses()).toBe(accessCount);
  });
});
