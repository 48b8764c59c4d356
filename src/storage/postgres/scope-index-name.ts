import { createHash } from 'node:crypto';
import { scopeKey } from '../../model/scope.js';
import type { Scope } from '../../model/scope.js';

/** Longest that names of indexes get here is 54 bytes; Postgres cuts them at 63. */
const SCOPE_DIGITS = 24;
const SPACE_DIGITS = 12;

const digest = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

const scopeDigest = (scope: Scope): string => digest(scopeKey(scope), SCOPE_DIGITS);

/** Start of the names of a scope's nearest-neighbour indexes, one for each space. */
export const nearIndexPrefix = (scope: Scope): string => `memories_near_${scopeDigest(scope)}_`;

/** Name of the index of a scope's vectors in one space. By a digest, because any text may name a scope. */
export const nearIndexName = (scope: Scope, space: string): string =>
  `${nearIndexPrefix(scope)}${digest(space, SPACE_DIGITS)}`;

const WORDS_PREFIX = 'memories_words_';

/** Name of the index of a scope's words. */
export const wordsIndexName = (scope: Scope): string => `${WORDS_PREFIX}${scopeDigest(scope)}`;

/** One of each scope that has indexes. */
export const isOfWords = (name: string): boolean => name.startsWith(WORDS_PREFIX);
