import { words } from '../model/search-text.js';

/** Words by which a sentence about a user is built, whatever it says; they show nothing about what it is about. */
const SCAFFOLD = new Set(
  (
    'a an the and or but not no of to in on at for from with by as is are was were be been has have had do does did will would can cannot could should may ' +
    'it its this that these those they their them he his him she her i my me we our us you your user users person ' +
    'like likes love loves prefer prefers want wants need needs use uses always never every each when if also than then now any more so very ' +
    'assistant answer answers reply replies response responses'
  ).split(' '),
);

/** The words of a sentence that tell what it is about, in any language: all but the English ones that build it. */
export function tellingWords(sentence: string): string[] {
  return words(sentence).filter((word) => !SCAFFOLD.has(word));
}

/** Which part of the words, 0-1, stands in a text, in whatever form; 0 without words. */
export function shareIn(said: readonly string[], among: ReadonlySet<string>): number {
  return said.length === 0 ? 0 : said.filter((word) => standsIn(word, among)).length / said.length;
}

/** The word itself or another form of it: equal but for three letters at the end ("deploy", "deploys", "deployed"). */
export function standsIn(word: string, among: ReadonlySet<string>): boolean {
  if (among.has(word)) return true;
  if (word.length < 4) return false;
  for (const other of among) {
    const stem = Math.max(4, Math.min(word.length, other.length) - 3);
    if (Math.abs(word.length - other.length) <= 3 && word.slice(0, stem) === other.slice(0, stem)) return true;
  }
  return false;
}
