import { describe, expect, it } from '@jest/globals';
import { canonicalContent, codePointLength, contentHash, truncateCodePoints, unstorableCharacter } from './content.js';

describe('codePointLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['😀😀', 2],
    ['e\u0301', 2],
    ['👩‍👩‍👧', 5],
  ])('counts %j as %i, as char_length does', (text, length) => {
    expect(codePointLength(text)).toBe(length);
  });
});

describe('truncateCodePoints', () => {
  it('never cuts an emoji in half', () => {
    expect(truncateCodePoints('a😀😀b', 2)).toBe('a😀');
    expect(truncateCodePoints('😀'.repeat(10), 3).isWellFormed()).toBe(true);
  });

  it('leaves what is short enough as it is', () => {
    expect(truncateCodePoints('a😀', 2)).toBe('a😀');
    expect(truncateCodePoints('abc', 0)).toBe('');
  });
});

describe('unstorableCharacter', () => {
  it('names NUL bytes and lone surrogates, and nothing else', () => {
    expect(unstorableCharacter('a\u0000b')).toBe('NUL');
    expect(unstorableCharacter('a\uD83Db')).toBe('lone surrogate');
    expect(unstorableCharacter('😀 \u200D \uFFFD')).toBeNull();
  });
});

describe('contentHash', () => {
  it('takes NFC and NFD, case and blanks as one text', () => {
    const hash = contentHash('Lives in Málaga');
    expect(contentHash('lives  in\tMa\u0301laga ')).toBe(hash);
    expect(contentHash('LIVES IN MÁLAGA')).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it.each([
    ['Is\u200B vegan', 'Is vegan'],
    ['co\u00ADoperates', 'cooperates'],
    ['\uFEFFIs vegan', 'Is vegan'],
    ['Loves ❤\uFE0F', 'Loves ❤'],
    ['WOHNT IN DER BAHNHOFSTRASSE', 'Wohnt in der Bahnhofstraße'],
    ['LIVES IN İZMIR', 'lives in izmir'],
  ])('takes %j and %j as one text', (a, b) => {
    expect(contentHash(a)).toBe(contentHash(b));
  });

  it('tells apart what differs in a word, a number or a joiner', () => {
    const texts = ['Has 2 cats', 'Has 3 cats', 'Has cats', 'می\u200Cخواهم', 'میخواهم'];
    expect(new Set(texts.map(contentHash)).size).toBe(texts.length);
  });

  it('keeps joiners, which Persian and Hindi are written with', () => {
    expect(canonicalContent('می\u200Cخواهم')).toContain('\u200C');
  });
});
