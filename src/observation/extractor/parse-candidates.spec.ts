import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../model/message.js';
import { parseCandidates } from './parse-candidates.js';

const messages: readonly Message[] = [
  { role: 'assistant', content: 'Hello' },
  { role: 'user', content: 'I am vegetarian' },
  { role: 'user', content: 'and I live in Porto' },
];
const limits = { candidates: 3, contentLength: 40 };
const parse = (memories: unknown): ReturnType<typeof parseCandidates> =>
  parseCandidates(JSON.stringify({ memories }), { messages }, limits);

describe('parseCandidates', () => {
  it('reads well-formed items', () => {
    expect(parse([{ content: 'Is vegetarian', kind: 'preference', importance: 0.8, message: 1 }])).toEqual({
      candidates: [{ content: 'Is vegetarian', kind: 'preference', importance: 0.8, messageNo: 1 }],
      dropped: 0,
    });
  });

  it('reads a bare list, strings as items, unknown kinds and missing keys, and guesses the message by its words', () => {
    const { candidates } = parseCandidates(
      '["Is vegetarian", {"content": "Lives in Porto", "kind": "SEMANTIC"}, {"content": "Runs", "kind": "zzz", "importance": 9}]',
      { messages },
      limits,
    );
    expect(candidates).toEqual([
      { content: 'Is vegetarian', kind: 'fact', importance: 0.5, messageNo: 1 },
      { content: 'Lives in Porto', kind: 'fact', importance: 0.5, messageNo: 2 },
      { content: 'Runs', kind: 'fact', importance: 1, messageNo: 2 },
    ]);
  });

  it('drops a bad item and keeps the rest', () => {
    const { candidates, dropped } = parse([
      null,
      7,
      [],
      {},
      { content: 5 },
      { content: ' ' },
      { content: '...' },
      { content: 'x'.repeat(41) },
      { content: 'Runs' },
    ]);
    expect(candidates.map(({ content }) => content)).toEqual(['Runs']);
    expect(dropped).toBe(8);
  });

  it.each(['string', 'None.', 'N/A', 'null', '<the fact>', '[fact about the user]', '{content}', 'No new facts found'])(
    'drops %s, which stands in place of a statement',
    (content) => {
      expect(parse([{ content, message: 1 }, 'Runs']).candidates.map((candidate) => candidate.content)).toEqual([
        'Runs',
      ]);
    },
  );

  it.each(['Statement pieces', 'Plays string quartets', 'Nothing scares her', 'Likes <b> tags'])(
    'keeps %s, in which such a word is one of others',
    (content) => {
      expect(parse([{ content, message: 1 }]).candidates).toMatchObject([{ content }]);
    },
  );

  it('reads an importance that no database holds as none', () => {
    expect(parse([{ content: 'Runs', importance: 1e-50 }]).candidates).toMatchObject([{ importance: 0 }]);
  });

  it('drops what the assistant said', () => {
    expect(parse([{ content: 'Says hello', message: 0 }])).toEqual({ candidates: [], dropped: 1 });
  });

  it('drops everything where no user spoke', () => {
    expect(
      parseCandidates('{"memories": ["Is vegetarian"]}', { messages: [{ role: 'tool', content: '' }] }, limits)
        .candidates,
    ).toEqual([]);
  });

  it('takes the limit of thousands and counts the rest', () => {
    const { candidates, dropped } = parse(Array.from({ length: 5_000 }, (_, index) => ({ content: `Fact ${index}` })));
    expect(candidates).toHaveLength(3);
    expect(dropped).toBe(4_997);
  });

  it('makes one of two equal statements and removes what Postgres cannot store', () => {
    const { candidates } = parse([{ content: 'Is\u0000 vegetarian' }, { content: 'is  VEGETARIAN' }]);
    expect(candidates.map(({ content }) => content)).toEqual(['Is vegetarian']);
  });
});
