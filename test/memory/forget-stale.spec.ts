import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ForgetStaleInput, ScopedMemory } from 'nestjs-engram';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const LATER = new Date(Date.now() + 86_400_000);

describe('forgetting what is stale', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  beforeEach(async () => {
    app = await memoryApp();
    memory = app.of('1');
  });
  afterEach(() => app.close());

  const contents = async (of = memory): Promise<string[]> =>
    (await of.list({ first: 100 })).memories.map(({ content }) => content).sort();

  it('forgets what is of less importance than asked, and keeps its last state', async () => {
    const { memory: small } = await memory.add('Had soup on a Monday', { importance: 0.2 });
    await memory.add('Is allergic to nuts', { importance: 0.7 });
    await app.of('2').add('Had soup on a Monday', { importance: 0.2 });
    expect(await memory.forgetStale({ olderThan: LATER, minImportance: 0.7 })).toBe(1);
    expect(await contents()).toEqual(['Is allergic to nuts']);
    expect(await contents(app.of('2'))).toHaveLength(1);
    expect(await memory.history(small?.id ?? '')).toEqual([
      expect.objectContaining({ content: 'Had soup on a Monday', endedBy: 'forget' }),
    ]);
    expect(app.events.of('memory.forgotten')).toEqual([
      expect.objectContaining({ memoryId: small?.id, tenantId: 'acme', scope: 'user:1', turnId: null }),
    ]);
  });

  it('forgets whatever the importance where none is named', async () => {
    await memory.add('Is allergic to nuts', { importance: 1 });
    expect(await memory.forgetStale({ olderThan: LATER })).toBe(1);
  });

  it('spares what changed since, what was recalled since, and what is younger than so many days', async () => {
    const { memory: recalled } = await memory.add('Likes green tea');
    const { memory: changed } = await memory.add('Owns a boat');
    await memory.add('Sold the car');
    const last = (await memory.list({ first: 1 })).memories[0]?.updatedAt.getTime() ?? 0;
    while (Date.now() <= last + 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await memory.recall('green tea');
    await memory.update(changed?.id ?? '', { importance: 0.9 });
    expect(await memory.forgetStale({ olderThan: 1 })).toBe(0);
    expect(await memory.forgetStale({ olderThan: new Date(last + 1) })).toBe(1);
    expect(await contents()).toEqual(['Likes green tea', 'Owns a boat']);
    expect((await memory.get(recalled?.id ?? ''))?.accessCount).toBe(1);
  });

  it('goes through more than one transaction holds', async () => {
    await memory.addMany(Array.from({ length: 230 }, (_, n) => ({ content: `Owns boat number ${n}` })));
    expect(await memory.forgetStale({ olderThan: LATER })).toBe(230);
    expect(await contents()).toEqual([]);
    expect(app.events.of('memory.forgotten')).toHaveLength(230);
    expect(await memory.forgetStale({ olderThan: LATER })).toBe(0);
  });

  it('works while memory is off', async () => {
    await memory.add('Owns a boat');
    await memory.setEnabled(false);
    expect(await memory.forgetStale({ olderThan: LATER })).toBe(1);
  });

  it.each<[unknown, string]>([
    [undefined, 'olderThan'],
    [{}, 'olderThan'],
    [{ olderThan: null }, 'olderThan'],
    [{ olderThan: '30' }, 'olderThan'],
    [{ olderThan: -1 }, 'olderThan'],
    [{ olderThan: Number.NaN }, 'olderThan'],
    [{ olderThan: new Date(Number.NaN) }, 'olderThan'],
    [{ olderThan: 30, minImportance: 2 }, 'minImportance'],
    [{ olderThan: 30, minImportance: '0.5' }, 'minImportance'],
  ])('refuses %j and forgets nothing', async (input, field) => {
    await memory.add('Owns a boat');
    await expect(memory.forgetStale(input as ForgetStaleInput)).rejects.toMatchObject({ code: 'INVALID_INPUT', field });
    expect(await contents()).toHaveLength(1);
  });
});
