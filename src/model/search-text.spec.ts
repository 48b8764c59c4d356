import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Random } from '../../test/support/random.js';
import { foldedCase } from './case-folding.js';
import { plainWordsAhead, searchText, words } from './search-text.js';

describe('searchText', () => {
  it('keeps words and drops signs, so that operators are plain text', () => {
    expect(searchText("plan & !pro | (free) <-> 'x':*")).toBe('plan pro free x');
  });

  it('cuts Chinese, Japanese and Thai into words', () => {
    expect(searchText('我住在北京').split(' ')).toContain('北京');
    expect(searchText('東京に住んでいます').split(' ')).toContain('東京');
    expect(searchText('ฉันชอบกินข้าว').split(' ').length).toBeGreaterThan(2);
  });

  it('reads full-width, NFD and capital forms as one word', () => {
    expect(searchText('Ｐｏｓｔｇｒｅｓ Cafe\u0301')).toBe(searchText('postgres CAFÉ'));
  });

  it('folds case where small letters alone would not meet: sharp s, final sigma, the Turkish capital I', () => {
    expect(searchText('Bahnhofstraße')).toBe(searchText('BAHNHOFSTRASSE'));
    expect(searchText('ΟΔΟΣ')).toBe(searchText('οδοσ'));
    expect(searchText('İstanbul')).toBe('istanbul');
  });

  it.each([
    ['café Köln ZÜRICH José Ångström Škoda', 'cafe koln zurich jose angstrom skoda'],
    ['Việt Nam, Đà Nẵng', 'viet nam da nang'],
    ['Łódź, Malmö, Ærø, cœur, Þórður, ısı, ǿre', 'lodz malmo aero coeur thordur isi ore'],
    ['Ἀθῆναι καλημέρα Μαΐου ᾧ', 'αθηναι καλημερα μαιου ω'],
    ['за\u0301мок ёлка вё\u0301дра', 'замок елка ведра'],
    ['مُحَمَّد أحمد آمن إلى', 'محمد احمد امن الي'],
    ['שָׁלוֹם', 'שלום'],
  ])('finds %j typed without accents, points and stress', (text, plain) => {
    expect(searchText(text)).toBe(plain);
  });

  it.each([
    'мой чай її ўвага',
    'पढ़ाई की किताब',
    'தமிழ் மொழி',
    '한국어 공부',
    'が ガラス ぱ',
    'น้ำ ข้าว ที่นี่',
    'বাংলা',
    'سئل مؤمن',
    'ខ្មែរ',
  ])('leaves the marks of %j, which make other words', (text) => {
    expect(searchText(text)).toBe(words(text).join(' '));
  });

  it.each([
    ['그녀는 서울에서 살고 있다', '서울'],
    ['김치찌개를 좋아한다', '김치찌개'],
    ['يعيش في القاهرة', 'القاهره'],
    ['مي\u200Cخواهم كتاب', 'می\u200Cخواهم'],
    ['हिन्दी पढ़ता है', 'हिंदी'],
  ])('finds in %j what is asked as %j', (text, asked) => {
    expect(searchText(text).split(' ')).toContain(searchText(asked));
  });

  it('is empty for blank text and for signs alone', () => {
    expect(searchText(' \t\n')).toBe('');
    expect(searchText('?! -- && :*')).toBe('');
  });
});

describe('plainWordsAhead', () => {
  it.each([
    'Which host do I use?',
    "  What's new",
    'HELLO there',
    'hi',
    'Fly.io is down',
    'don’t say that',
    're-read it',
    'snake_case name',
    'x\u0301 marks it',
    'zero\u200bwidth and\ufeffmarks',
    'a\ufeffb c',
    '2 cats',
    '?! -- wait',
    'Straße frei',
    'İstanbul now',
    '東京に住んでいます',
    'ﬁne then',
    '👍 great',
    ' \t\n',
    '?!',
    'a bc\u200dd e',
    'one two\nthree don’t',
  ])('are the first of the words of %j', (text) => {
    const ahead = [...plainWordsAhead(text)];
    expect(ahead).toEqual(words(text).slice(0, ahead.length));
  });

  it('are all up to the first that is not plain or has no blank behind it', () => {
    expect([...plainWordsAhead(' What  do I\tlike about Lisbon?')]).toEqual(['what', 'do', 'i', 'like', 'about']);
  });
});

describe('the words of a long text', () => {
  afterEach(() => void jest.restoreAllMocks());

  const PARTS = [
    ...[
      'word',
      "it's",
      'a.b',
      '1,000',
      '7;',
      ';',
      'snake_case',
      'e\u0301',
      '東京に住んでいます',
      '我住在北京',
      'ฉันชอบกินข้าว',
      'שלום"ח',
      'كلمة',
      'カタカナ',
    ],
    ...[
      ' ',
      ' ',
      '\n',
      '\u3000',
      '"',
      "'",
      '.',
      ',',
      ':',
      '。',
      '，',
      '!',
      '?',
      '-',
      '(',
      ')',
      '👩‍👩‍👧',
      '🇩🇪',
      '\u200d',
      '\u200b',
      '/',
      '\u0301',
      '\ufeff',
    ],
  ];

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are those that it has as a whole, wherever it is cut (seed %i)', (seed) => {
    const random = new Random(seed);
    const text = Array.from({ length: 4_000 }, () => random.of(PARTS)).join('');
    const whole = new Intl.Segmenter('en', { granularity: 'word' }).segment(foldedCase(text.normalize('NFKC')));
    const expected = [...whole].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
    expect(words(text)).toEqual(expected);
  });

  it.each(['"', '\n', "'", '> ', 'Lives in Bonn, and sails. ', '我住在北京，', '- ', '1-', '\u200b'])(
    'are asked for in pieces where it repeats %j: a whole takes a time that grows with its square',
    (part) => {
      const segment = jest.spyOn(Intl.Segmenter.prototype, 'segment');
      words(part.repeat(Math.ceil(32_000 / part.length)));
      const lengths = segment.mock.calls.map(([piece]) => piece.length);
      expect(Math.max(...lengths)).toBeLessThan(2_000);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThanOrEqual(32_000);
    },
  );
});
