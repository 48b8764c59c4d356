/** Points of Hebrew, and vowel signs of Arabic as in the Quran: everyday writing leaves them out. */
const POINTS =
  '\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u0610-\\u061A\\u064B-\\u0652\\u0656-\\u065F\\u0670\\u06D6-\\u06DC\\u06DF-\\u06E4\\u06E7\\u06E8\\u06EA-\\u06ED';

/** Accents and the like, as Latin and Greek letters have them. */
const ACCENTS = '\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F';

/**
 * Marks that a decomposed text can lose and still be read. In Cyrillic these are the stress and the dots of yo: the marks
 * of short i, yi or short u make another letter. Alef is written with hamza or madda and without; other letters are not.
 */
const MARKS = new RegExp(
  // eslint-disable-next-line no-misleading-character-class -- combining characters are what it looks for
  `[${POINTS}]|(?<![\\u0400-\\u052F])[${ACCENTS}]|(?<=[аеиоуыэюяіє])[\\u0300\\u0301]|(?<=е)\\u0308|(?<=\\u0627)[\\u0653-\\u0655]`,
  'gu',
);

/** Latin letters that Unicode does not take apart, as a keyboard without them writes them. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};
const WHOLE = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

/**
 * The text without accents, points and stress, for a reader who types none: "cafe", "koln" and "jose" are there. Marks
 * that make a word another one stay (Hindi, Thai, Japanese), and so does how Hangul is put together.
 *
 * @param text in NFKC and folded case, as `words` has it
 */
export function foldedMarks(text: string): string {
  // eslint-disable-next-line no-control-regex -- most texts are ASCII, and have nothing to fold
  if (/^[\x00-\x7F]*$/.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(WHOLE, (letter) => PLAIN[letter] ?? letter);
}
