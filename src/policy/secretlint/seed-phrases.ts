import { hash } from 'node:crypto';
import type { SecretSpan } from '../../model/secret-span.js';

const SHORTEST = 12;
const LONGEST = 24;
/** Words of a phrase (BIP-39). */
const LENGTHS = [SHORTEST, 15, 18, 21, LONGEST];
/** A word tells its place among 2048. */
const BITS = 11;
/** The lists have words of 3 to 9 letters, and accents that may be characters of their own. */
const WORD = /(?<![\p{L}\p{M}\d])\p{L}[\p{L}\p{M}]{2,12}(?![\p{L}\p{M}\d])/gu;
/** What stands between two words, also where they are numbered: blanks, a comma, "2." */
const GAP = /^(?:[\s,;|"'-]|\(?\d{1,2}[.):])+$/u;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Places = ReadonlyMap<string, number>;

let loading: Promise<readonly Places[]> | undefined;

/** The lists of the languages in Latin letters, read once per process when a text first has a dozen words in a row. */
function wordLists(): Promise<readonly Places[]> {
  loading ??= Promise.all([
    import('@scure/bip39/wordlists/english.js'),
    import('@scure/bip39/wordlists/czech.js'),
    import('@scure/bip39/wordlists/french.js'),
    import('@scure/bip39/wordlists/italian.js'),
    import('@scure/bip39/wordlists/portuguese.js'),
    import('@scure/bip39/wordlists/spanish.js'),
  ]).then((lists) =>
    lists.map(({ wordlist }) => new Map(wordlist.map((word, place) => [word.normalize('NFKD'), place]))),
  );
  return loading;
}

/**
 * Seed phrases of wallets, without a word that says so: 12 to 24 words of one of the lists, whose last bits are the
 * checksum of the others. A sentence has small words that stand in no list, and one row of listed words in sixteen passes
 * the shortest checksum.
 */
export async function findSeedPhrases(text: string): Promise<SecretSpan[]> {
  const rows = rowsOf(text);
  if (rows.length === 0) return [];
  const lists = await wordLists();
  return rows.flatMap((row) => lists.flatMap((list) => phrasesIn(row, list)));
}

/** The stretches of a text in which words follow each other and nothing else. */
function rowsOf(text: string): Word[][] {
  const rows: Word[][] = [];
  let row: Word[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (row.length > 0 && !GAP.test(text.slice(end, index))) {
      rows.push(row);
      row = [];
    }
    end = index + word.length;
    row.push({ text: word.normalize('NFKD').toLowerCase(), start: index, end });
  }
  return [...rows, row].filter(({ length }) => length >= SHORTEST);
}

function phrasesIn(row: readonly Word[], list: Places): SecretSpan[] {
  const found: SecretSpan[] = [];
  let from = 0;
  while (from < row.length) {
    let to = from;
    while (to < row.length && list.has(row[to]?.text ?? '')) to += 1;
    found.push(...phrasesAmong(row.slice(from, to), list));
    from = to + 1;
  }
  return found;
}

/** @param words all of them of the list */
function phrasesAmong(words: readonly Word[], list: Places): SecretSpan[] {
  const span = (from: number, to: number): SecretSpan[] => {
    const [first, last] = [words[from], words[to - 1]];
    return first && last ? [{ start: first.start, end: last.end }] : [];
  };
  // Several phrases in a row, or a page of the list itself.
  if (words.length > LONGEST) return span(0, words.length);
  const bits = words.map(({ text }) => (list.get(text) ?? 0).toString(2).padStart(BITS, '0')).join('');
  const found: SecretSpan[] = [];
  for (const length of LENGTHS)
    for (let from = 0; from + length <= words.length; from += 1)
      if (hasChecksum(bits.slice(from * BITS, (from + length) * BITS))) found.push(...span(from, from + length));
  return found;
}

/** Of 33 bits the last is from the beginning of the SHA-256 of the others (BIP-39). */
function hasChecksum(bits: string): boolean {
  const entropy = Buffer.alloc((bits.length / 33) * 4);
  for (let byte = 0; byte < entropy.length; byte += 1) entropy[byte] = parseInt(bits.slice(byte * 8, byte * 8 + 8), 2);
  const checksum = parseInt(hash('sha256', entropy, 'hex').slice(0, 2), 16)
    .toString(2)
    .padStart(8, '0');
  return checksum.startsWith(bits.slice(entropy.length * 8));
}
