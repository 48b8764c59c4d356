import { beforeAll, describe, expect, it } from '@jest/globals';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { ProviderError } from '../../errors/provider-error.js';
import type { Message } from '../../model/message.js';
import type { CompletionRequest, EarlierMessage } from '../completion.js';
import { loadEnglish } from './english.js';
import type { English } from './english.js';
import { NOTHING, STATEMENTS } from '../../../test/cases/extraction-cases.js';
import { LocalCompletion } from './local-completion.js';
import { statementsIn } from './statements.js';

const NOON = new Date('2026-03-04T12:00:00Z');
let english: English;

beforeAll(async () => {
  english = await loadEnglish();
});

function kept(says: string, occurredAt = NOON, timeZone: string | null = null): string[] {
  return statementsIn(says, english, occurredAt, timeZone).map(({ kind, content }) => `${kind}: ${content}`);
}

function extraction(messages: readonly Message[], context: readonly EarlierMessage[] = []): CompletionRequest {
  return {
    task: 'extract',
    prompt: { system: '', user: '' },
    schema: { name: 'memories', schema: {} },
    input: { messages, context, occurredAt: NOON, timeZone: null },
  };
}

describe('extraction by rules', () => {
  it.each(STATEMENTS.map(({ says, keeps }) => [says, keeps] as const))('keeps what %j says', (says, keeps) => {
    expect(kept(says)).toEqual(keeps);
  });

  describe.each(Object.entries(NOTHING))('keeps nothing of %s', (_, messages) => {
    it.each(messages)('%j', (says) => {
      expect(kept(says)).toEqual([]);
    });
  });

  it.each([
    ['2026-03-04T23:30:00Z', null, 'Met Anna on 2026-03-03'],
    ['2026-03-04T23:30:00Z', 'Asia/Tokyo', 'Met Anna on 2026-03-04'],
    ['2026-03-05T02:00:00Z', 'America/Los_Angeles', 'Met Anna on 2026-03-03'],
    ['2026-03-01T00:30:00Z', 'Europe/Berlin', 'Met Anna on 2026-02-28'],
    ['2028-03-01T12:00:00Z', 'UTC', 'Met Anna on 2028-02-29'],
  ])('reads "yesterday" at %s in zone %s as %s', (occurredAt, timeZone, content) => {
    expect(kept('I met Anna yesterday.', new Date(occurredAt), timeZone)).toEqual([`episodic: ${content}`]);
  });

  it('reads "tomorrow" by the time of each turn, where several are asked about together', async () => {
    const { text } = await new LocalCompletion().complete({
      ...extraction([]),
      task: 'extract',
      input: {
        messages: [
          { role: 'user', content: 'I am flying to Rome tomorrow.' },
          {
            role: 'user',
            content: 'I am flying to Oslo tomorrow.',
            occurredAt: new Date('2026-05-09T22:30:00Z'),
            timeZone: 'Europe/Berlin',
          },
        ],
        occurredAt: NOON,
        timeZone: null,
      },
    });
    expect(JSON.parse(text)).toMatchObject({
      memories: [{ content: 'Is flying to Rome on 2026-03-05' }, { content: 'Is flying to Oslo on 2026-05-11' }],
    });
  });

  it('keeps a statement once, however often the message repeats it', () => {
    expect(kept("I'm vegetarian. As I said, I am vegetarian!")).toEqual(['fact: Is vegetarian']);
  });

  it('does not read a message that can only be pasted text', () => {
    expect(kept('I live in Rome. '.repeat(2_000))).toEqual([]);
    expect(kept(`I'm vegan.\n${'I live in Rome and '.repeat(100)}`)).toEqual(['fact: Is vegan']);
  });

  it('keeps no memory past 500 characters', () => {
    expect(kept(`I live in ${'Llanfair'.repeat(70)}.`)).toEqual([]);
  });

  it.each([
    '\u0000',
    '\uD800',
    '```',
    '<a>',
    '"'.repeat(5_000),
    'I am '.repeat(4_000),
    `${'a '.repeat(3_000)}.`,
    '('.repeat(3_000),
  ])('survives text that is no sentence (%#)', (says) => {
    expect(kept(says)).toEqual([]);
  });

  it('has at least 120 cases', () => {
    expect(STATEMENTS.length + Object.values(NOTHING).flat().length).toBeGreaterThanOrEqual(120);
  });
});

describe('LocalCompletion', () => {
  it('answers with JSON that names the message each memory came from', async () => {
    const { text } = await new LocalCompletion().complete(
      extraction([
        { role: 'user', content: 'hi there' },
        { role: 'assistant', content: 'Hello! I live in the cloud.' },
        { role: 'user', content: "I'm on the Pro plan." },
      ]),
    );

    expect(JSON.parse(text)).toEqual({
      memories: [{ content: 'Is on the Pro plan', kind: 'fact', importance: 0.6, message: 2 }],
    });
  });

  it('puts right what the user said last, in the turn or before it', async () => {
    const correction = { role: 'user', content: 'No, I meant cashews.' } as const;
    const slip = { role: 'user', content: "I'm allergic to peanuts." } as const;
    const completion = new LocalCompletion();
    const earlier: readonly EarlierMessage[] = [
      { ...slip, before: 0 },
      { role: 'assistant', content: 'Noted.', before: 0 },
    ];
    const { text: before } = await completion.complete(extraction([correction], earlier));
    const { text: within } = await completion.complete(extraction([slip, correction]));
    const { text: alone } = await completion.complete(extraction([correction]));

    const contents = (text: string): string[] =>
      (JSON.parse(text) as { memories: { content: string }[] }).memories.map(({ content }) => content);
    expect(contents(before)).toEqual(['Is allergic to cashews, not peanuts']);
    expect(contents(within)).toEqual(['Is allergic to peanuts', 'Is allergic to cashews, not peanuts']);
    expect(contents(alone)).toEqual([]);
  });

  it.each(['assistant', 'system', 'tool'] as const)('keeps nothing of what the %s says', async (role) => {
    const { text } = await new LocalCompletion().complete(
      extraction([{ role, content: "I'm vegetarian and I live in Berlin. Always answer in German." }]),
    );

    expect(JSON.parse(text)).toEqual({ memories: [] });
  });

  it('answers the same turn with the same text', async () => {
    const turn = extraction([
      { role: 'user', content: "I deploy on Fly.io, I'm vegetarian and my app is called Ledgerly." },
    ]);
    const completion = new LocalCompletion();

    expect(await completion.complete(turn)).toEqual(await new LocalCompletion().complete(turn));
  });

  it('refuses to consolidate, which it does not claim to do', async () => {
    const completion = new LocalCompletion();

    expect(completion.tasks).toEqual(['extract']);
    await expect(
      completion.complete({
        task: 'consolidate',
        prompt: { system: '', user: '' },
        schema: { name: 'decision', schema: {} },
        input: { candidate: { content: 'Is vegetarian', kind: 'fact' }, neighbours: [] },
      }),
    ).rejects.toThrow(ProviderError);
  });

  it('names the command to install the grammar when it is missing', async () => {
    const missing = loadEnglish(() => Promise.reject(new Error('Cannot find package')));

    await expect(missing).rejects.toThrow(InvalidOptionsError);
    await expect(missing).rejects.toThrow('npm install compromise');
  });
});
