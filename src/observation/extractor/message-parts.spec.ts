import { describe, expect, it } from '@jest/globals';
import { messageParts } from './message-parts.js';

const own = (message: string): string[] => messageParts(message).flatMap(({ text, quoted }) => (quoted ? [] : [text]));

describe('messageParts', () => {
  it.each([
    [
      'a code fence',
      'Why does this fail?\n```ts\nconst me = "I live in Tokyo";\n```\nI use Node.',
      ['Why does this fail?', 'I use Node.'],
    ],
    ['a fence that never closes', 'Look:\n~~~\nI live in Tokyo', ['Look:']],
    ['quoted lines', '> I use Vim\n> and love it\nDo you agree?', ['Do you agree?']],
    ['escaped quoted lines', '&gt; I use Vim\nDo you agree?', ['Do you agree?']],
    [
      'tagged material',
      'Sum up <document name="a">I live in Rome.</document> I am in a hurry',
      ['Sum up', 'I am in a hurry'],
    ],
    ['tagged material that never closes', 'Sum up <email>I live in Rome.', ['Sum up']],
    [
      'a forwarded mail',
      'What does he want?\n---------- Forwarded message ---------\nFrom: Bo\nI live in Rome.',
      ['What does he want?'],
    ],
    [
      'an answered mail',
      'What does she want?\nOn Mon, 2 Mar 2026 at 10:00, Bo Li <bo@example.org> wrote:\nI am vegan.',
      ['What does she want?'],
    ],
    ['a pasted mail with its head', 'Answer this:\nFrom: Bo Li\nSent: Monday\nTo: me\nI am vegan.', ['Answer this:']],
    ['a German mail', 'Was will er?\nVon: Bo\nBetreff: Umzug\nIch wohne in Rom.', ['Was will er?']],
    ['a saying in the first person', 'She told me "I love hiking" yesterday.', ['She told me', 'yesterday.']],
    ['a long saying', 'He said “the quick brown fox jumps over lazy dogs” again.', ['He said', 'again.']],
    ['a saying in guillemets', 'Elle a dit «je suis végane depuis longtemps».', ['Elle a dit', '.']],
    ['lines that end as Windows ends them', '> I use Vim\r\nDo you agree?', ['Do you agree?']],
  ])('cuts out %s', (_, message, expected) => {
    expect(own(message)).toEqual(expected);
  });

  it.each([
    ['a title', 'My favourite book is "The Lord of the Rings".'],
    ['a name', 'My dog is called "Rex".'],
    ['one quotation mark', 'I have a 27" screen and live in Porto.'],
    ['a message that is a quotation as a whole', '"I live in Porto and I work at a bank"'],
    ['a comparison', 'I earn > 3000 a month'],
    ['markup of one word', 'I <b>never</b> eat meat'],
    ['a date in prose', 'On Monday I wrote: nothing'],
    ['a word and a colon', 'From: Porto'],
  ])('leaves %s as it is', (_, message) => {
    expect(messageParts(message)).toEqual([{ text: message, quoted: false }]);
  });

  it('keeps all of the text, in order', () => {
    expect(messageParts('I agree.\n> Tea is good\nI drink it daily.')).toEqual([
      { text: 'I agree.', quoted: false },
      { text: '> Tea is good', quoted: true },
      { text: 'I drink it daily.', quoted: false },
    ]);
  });

  it.each(['"', '`', '<code>', '> \n', '-----', '\n', '“', 'From: a\n', 'On '])(
    'reads a message of nothing but %j without searching it again and again',
    (piece) => {
      const message = piece.repeat(Math.floor(32_000 / piece.length));
      expect(
        messageParts(message)
          .map(({ text }) => text)
          .join('').length,
      ).toBeLessThanOrEqual(message.length);
    },
  );
});
