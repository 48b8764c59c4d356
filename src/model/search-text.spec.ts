import { describe, expect, it } from '@jest/globals';
import { firstWord, searchText, words } from './search-text.js';

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
    ['مُحَمَّد أحمد آمن إلى', 'محمد احمد امن الى'],
    ['שָׁלוֹם', 'שלום'],
  ])('finds %j typed without accents, points and stress', (text, plain) => {
    expect(searchText(text)).toBe(plain);
  });

  it.each([
    'мой чай її ўвага',
    'हिन्दी की पढ़ाई',
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

  it('is empty for blank text and for signs alone', () => {
    expect(searchText(' \t\n')).toBe('');
    expect(searchText('?! -- && :*')).toBe('');
  });
});

describe('firstWord', () => {
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
  ])('is the first of the words of %j', (text) => {
    expect(firstWord(text)).toBe(words(text)[0]);
  });
});
