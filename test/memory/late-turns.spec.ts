import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScopedMemory } from 'nestjs-engram';
import { decided, extracted, memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const AN_HOUR = 3_600_000;

describe('a turn that was said before it is learned', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  beforeEach(async () => {
    app = await memoryApp();
    memory = app.of('1');
  });
  afterEach(() => app.close());

  const contents = async (): Promise<string[]> => (await memory.list()).memories.map(({ content }) => content).sort();
  const idOf = async (content: string): Promise<string> =>
    (await memory.list()).memories.find((each) => each.content === content)?.id ?? '';
  const observe = (text: string, occurredAt: Date): ReturnType<ScopedMemory['observe']> => {
    app.completion.answer(extracted(text));
    return memory.observe([{ role: 'user', content: `I say: ${text}` }], { occurredAt });
  };
  const ago = (milliseconds: number): Date => new Date(Date.now() - milliseconds);

  it.each(['Is vegan', 'Loves crème brûlée', 'Wohnt in der Bahnhofstraße'])(
    'does not bring back %j, which was forgotten by hand since, in whatever case',
    async (text) => {
      await memory.add(text);
      await memory.forget(await idOf(text));
      expect(await observe(text.toUpperCase(), ago(AN_HOUR))).toMatchObject({
        decisions: [{ action: 'noop', memoryId: null }],
      });
      expect(await contents()).toEqual([]);
    },
  );

  it('does not bring back a wording that was corrected by hand since', async () => {
    await memory.add('Has a dog called Rex');
    await memory.update(await idOf('Has a dog called Rex'), { content: 'Has a dog called Max' });
    app.completion.answer(extracted('Has a dog called Rex'), decided('add'));
    await memory.observe([{ role: 'user', content: 'My dog is Rex' }], { occurredAt: ago(AN_HOUR) });
    expect(await contents()).toEqual(['Has a dog called Max']);
  });

  it('does not bring back what was forgotten for good while it waited, in any of its wordings', async () => {
    await memory.add('Has a dog called Rex');
    const id = await idOf('Has a dog called Rex');
    await memory.update(id, { content: 'Has a dog called Max' });
    app.completion.answer(async () => {
      await memory.forget(id, { purge: true });
      return extracted('Has a dog called Max', 'has a DOG called Rex', 'Lives in Porto');
    });
    const observed = await memory.observe([{ role: 'user', content: 'My dog is Max, not Rex, and I live in Porto' }]);
    expect(observed.decisions.map(({ action }) => action).sort()).toEqual(['add', 'noop', 'noop']);
    expect(await contents()).toEqual(['Lives in Porto']);
    app.completion.answer(extracted('Has a dog called Max'), decided('add'));
    await memory.observe([{ role: 'user', content: 'I have a dog called Max' }]);
    expect(await contents()).toEqual(['Has a dog called Max', 'Lives in Porto']);
  });

  it('is learned where it was said after the forgetting', async () => {
    await memory.add('Is vegan');
    await memory.forget(await idOf('Is vegan'));
    await observe('Is vegan', new Date(Date.now() + AN_HOUR));
    expect(await contents()).toEqual(['Is vegan']);
  });

  it('is dated by its age where that is given, whatever its time says', async () => {
    await memory.add('Is vegan');
    await memory.forget(await idOf('Is vegan'));
    const handIn = async (ageMs: number, occurredAt: Date): Promise<void> => {
      app.completion.answer(extracted('Is vegan'));
      await memory.observe([{ role: 'user', content: `I am vegan, ${ageMs}` }], { occurredAt, ageMs });
    };
    await handIn(AN_HOUR, new Date(Date.now() + 10 * AN_HOUR));
    expect(await contents()).toEqual([]);
    await handIn(0, ago(AN_HOUR));
    expect(await contents()).toEqual(['Is vegan']);
  });

  it.each([-1, Number.NaN, Infinity, '1', null])('refuses %p as an age', async (ageMs) => {
    const messages = [{ role: 'user', content: 'I am vegan' }] as const;
    await expect(memory.observe(messages, { ageMs: ageMs as number })).rejects.toMatchObject({ field: 'ageMs' });
  });

  it('is learned in what nobody has forgotten', async () => {
    await memory.add('Is vegan');
    await memory.forget(await idOf('Is vegan'));
    await observe('Runs marathons', ago(AN_HOUR));
    expect(await contents()).toEqual(['Runs marathons']);
  });

  it('dated in the future does not keep later turns from changing what it said', async () => {
    await observe('Lives in Berlin', new Date('2099-01-01'));
    app.completion.answer(extracted('Lives in Munich'), decided('update', '1', 'Lives in Munich'));
    await memory.observe([{ role: 'user', content: 'I moved to Munich' }], {
      occurredAt: new Date(Date.now() + AN_HOUR),
    });
    expect(await contents()).toEqual(['Lives in Munich']);
  });
});
