import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Message, ScopedMemory } from 'nestjs-engram';
import { extracted, memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

describe('what was said before a turn', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  beforeEach(async () => {
    app = await memoryApp();
    memory = app.of('1');
  });
  afterEach(() => app.close());

  const contents = async (): Promise<string[]> => (await memory.list()).memories.map(({ content }) => content).sort();
  const prompt = (call = 0): string => app.completion.requests[call]?.prompt.user ?? '';

  it('lets an answer be understood', async () => {
    app.completion.answer(extracted('Lives in Berlin'));
    await memory.observe([user('Berlin')], { context: [assistant('Where do you live?')] });
    expect(prompt()).toMatch(/\nearlier assistant: "Where do you live\?"\n0 user: "Berlin"$/);
    expect(await contents()).toEqual(['Lives in Berlin']);
  });

  it('lets a confirmation be understood, and belongs to no message of the turn', async () => {
    app.completion.answer(
      extracted({ content: 'Is on the Pro plan', kind: 'fact', importance: 0.5, message: 0 }, 'Owns a boat'),
    );
    await memory.observe([user('yes, that one')], {
      context: [user('I own a boat'), assistant('Fine. Are you on the Pro plan?')],
    });
    expect(await contents()).toEqual(['Is on the Pro plan']);
    expect(app.events.of('engram.extract')).toEqual([expect.objectContaining({ candidates: 1, dropped: 1 })]);
  });

  it('is no turn: nobody is asked about it where the turn itself says nothing', async () => {
    expect(await memory.observe([user('thanks')], { context: [user('I am vegetarian')] })).toMatchObject({
      status: 'nothing',
    });
    expect(app.completion.requests).toEqual([]);
  });

  it('does not make the same turn another one', async () => {
    app.completion.answer(extracted('Is vegetarian'));
    const first = await memory.observe([user('I am vegetarian')], { context: [assistant('Tell me of you.')] });
    const again = await memory.observe([user('I am vegetarian')], { context: [assistant('Hello!')] });
    expect(again).toEqual({ ...first, duplicate: true });
  });

  it('is shown without secrets, recalled memories, prompts and tools', async () => {
    app.completion.answer(extracted());
    const context: Message[] = [
      { role: 'system', content: 'Customer is on the Gold tier' },
      user('My key is AKIAIOSFODNN7EXAMPLQ'),
      { role: 'tool', content: 'city: Oslo' },
      assistant('Noted. <engram-memories>\nIs vegan\n</engram-memories>And now?'),
    ];
    await memory.observe([user('I live in Porto')], { context });
    expect(prompt()).toContain('earlier user:');
    expect(prompt()).toContain('And now?');
    expect(JSON.stringify(app.completion.requests)).not.toMatch(/Gold|AKIAIOSFODNN7|Oslo|Is vegan/);
  });

  it('is kept with the turn until that is learned, masked', async () => {
    app.completion.answer('no JSON');
    const context = [user('My key is AKIAIOSFODNN7EXAMPLQ'), assistant('And where do you live?')];
    await memory.observe([user('Berlin')], { turnId: 'a', context });
    const kept = await app.store.turns.find(memory.scope, 'a');
    expect(kept?.context.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(JSON.stringify(kept)).not.toContain('AKIAIOSFODNN7');
    await memory.setEnabled(false);
    expect((await app.store.turns.find(memory.scope, 'a'))?.context).toEqual([]);
  });

  it('of turns that are asked about together is shown once, each before its own turn', async () => {
    await app.close();
    app = await memoryApp({ observation: { debounce: { everyTurns: 2 } } });
    memory = app.of('1');
    app.completion.answer(extracted());
    const talk = [assistant('Where do you live?'), user('Berlin'), assistant('For long?')];
    await memory.observeLater(talk.slice(1), { turnId: 'a', context: talk.slice(0, 1) });
    await memory.observeLater([user('Since May')], { turnId: 'b', context: [...talk, assistant('Tell me.')] });
    while (app.completion.requests.length === 0) await sleep(5);
    expect(
      prompt()
        .split('\n')
        .filter((line) => !line.includes('urn')),
    ).toEqual([
      'earlier assistant: "Where do you live?"',
      '0 user: "Berlin"',
      '1 assistant: "For long?"',
      'earlier assistant: "Tell me."',
      '2 user: "Since May"',
    ]);
  });

  it.each([
    ['no list', 'hello', 'context'],
    ['null', null, 'context'],
    ['a null message', [null], 'context[0]'],
    ['an unknown role', [user('x'), { role: 'bot', content: 'x' }], 'context[1].role'],
    ['NUL', [user('x\u0000')], 'context[0].content'],
    ['too many messages', Array.from({ length: 21 }, () => user('x')), 'context'],
    ['a message that is too long', [user('x'.repeat(32_001))], 'context[0].content'],
  ])('refuses %s and names it', async (_, context, field) => {
    const call = memory.observeLater([user('I am vegetarian')], { context: context as never });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', field });
  });

  it('can be limited to none', async () => {
    await app.close();
    app = await memoryApp({ limits: { contextMessages: 0 } });
    await expect(app.of('1').observe([user('Berlin')], { context: [user('x')] })).rejects.toMatchObject({
      message: 'context has 1 items, at most 0 are allowed. Hand in the last ones before the turn.',
    });
  });
});
