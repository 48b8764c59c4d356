import { createHash } from 'node:crypto';
import { foldedCase } from './case-folding.js';

/** Default longest memory, in code points. */
export const CONTENT_MAX = 500;

/** Length as Postgres' `char_length` counts it: code points, not UTF-16 units. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The first `max` code points; never half an emoji's surrogate pair. */
export function truncateCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  let index = 0;
  let taken = 0;
  for (const point of text) {
    if (taken === max) return text.slice(0, index);
    taken += 1;
    index += point.length;
  }
  return text;
}

/** The text without what Postgres cannot store of it: for words that came from elsewhere and are not worth an error. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/** Text that Postgres cannot store: NUL bytes, and lone surrogates, which are no characters at all. */
export function unstorableCharacter(text: string): 'NUL' | 'lone surrogate' | null {
  if (text.includes('\u0000')) return 'NUL';
  return text.isWellFormed() ? null : 'lone surrogate';
}

/** Show nothing and say nothing: soft hyphens, zero-width blanks, word joiners, the choice between an emoji's two looks. */
const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]|\uFE0E|\uFE0F/gu;

/**
 * The form in which two texts are one memory: NFKC, case-folded, blanks collapsed, without what cannot be seen. Joiners
 * stay: Persian and Hindi need them.
 */
export function canonicalContent(content: string): string {
  return foldedCase(content.replace(INVISIBLE, '').normalize('NFKC')).replace(/\s+/gu, ' ').trim();
}

/** 128 bits of SHA-256 over the canonical form, written as a uuid (8-4-4-4-12 hex digits). */
export function contentHash(content: string): string {
  const hex = createHash('sha256').update(canonicalContent(content)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
