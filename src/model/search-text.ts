import { foldedCase } from './case-folding.js';
import { foldedMarks } from './mark-folding.js';
import { oneSpelling } from './word-spelling.js';

/**
 * Locale of the segmenter. The word breaker's dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese apply
 * under any locale; a fixed one keeps documents and queries alike on every machine.
 */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Latin letters between blanks are a word whatever comes before and after them. */
const PLAIN_WORD = /[ \t\n]*([A-Za-z]+)(?=[ \t\n])/y;

/** The words at the start that can be told without the segmenter, which costs more for the first word than most texts for all of these. */
export function* plainWordsAhead(text: string): Generator<string, void> {
  let at = 0;
  for (;;) {
    PLAIN_WORD.lastIndex = at;
    const word = PLAIN_WORD.exec(text)?.[1];
    if (word === undefined) return;
    at = PLAIN_WORD.lastIndex;
    yield word.toLowerCase();
  }
}

/** The segmenter takes a time that grows with the square of a text; from this many UTF-16 units on a text goes to it in pieces. */
const PIECE_LENGTH = 1_000;

/** Where no word goes on: behind a blank or a mark that stands in no word, or in numbers only, and between two characters of which none does. */
const BETWEEN_WORDS =
  /(?<=[^\S\uFEFF]|[\u200B。、!?()[\]{}<>/-])|(?<=[,;])(?![\p{N}\p{M}\p{Cf}])|(?<=[^\p{L}\p{N}\p{M}\p{Cf}\p{Pc}])(?=[^\p{L}\p{N}\p{M}\p{Cf}\p{Pc}])/gu;

function* pieces(text: string): Generator<string, void> {
  let start = 0;
  while (text.length - start > PIECE_LENGTH) {
    BETWEEN_WORDS.lastIndex = start + PIECE_LENGTH;
    const end = BETWEEN_WORDS.exec(text)?.index ?? text.length;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** The words of a text in the order they stand: NFKC, case-folded, punctuation dropped, scripts without blanks cut by dictionary; each is cut when it is asked for. */
export function* eachWord(text: string): Generator<string, void> {
  for (const piece of pieces(foldedCase(text.normalize('NFKC')))) {
    for (const { segment, isWordLike } of segmenter.segment(piece)) {
      if (isWordLike) yield segment;
    }
  }
}

/** `eachWord` as a list. */
export function words(text: string): string[] {
  return [...eachWord(text)];
}

/**
 * Words apart by blanks, ready for `to_tsvector`: operators and punctuation are gone, so that a query is plain text
 * whatever it holds, and accents, so that a text is found by who types none; a word of several spellings has one. Empty
 * for a blank text.
 */
export function searchText(text: string): string {
  return foldedMarks(words(text).join(' ')).split(' ').map(oneSpelling).join(' ');
}
