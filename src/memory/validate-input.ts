import { validate as isUuid } from 'uuid';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { codePointLength, unstorableCharacter } from '../model/content.js';
import { storableImportance } from '../model/importance.js';
import { MEMORY_KINDS, parseKind } from '../model/kind.js';
import type { MemoryKind } from '../model/kind.js';

/** A string that Postgres can store. @throws InvalidInputError */
export function validateText(field: string, value: unknown): string {
  if (typeof value !== 'string') {
    throw new InvalidInputError(field, `${field} must be a string, got ${value === null ? 'null' : typeof value}.`);
  }
  const unstorable = unstorableCharacter(value);
  if (unstorable)
    throw new InvalidInputError(field, `${field} contains a ${unstorable}, which Postgres cannot store. Remove it.`);
  return value;
}

/** An object of options or fields, whatever they are. @throws InvalidInputError */
export function validateOptions<T extends object>(field: string, options: T): T {
  const given: unknown = options;
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return options;
  const what = Array.isArray(given) ? 'a list' : given === null ? 'null' : typeof given;
  throw new InvalidInputError(field, `${field} must be an object, got ${what}.`);
}

/** Memory text: trimmed, not blank, at most `max` code points. @throws InvalidInputError */
export function validateContent(value: unknown, max: number, field = 'content'): string {
  const content = validateText(field, value).trim();
  // Format characters, fillers, selectors and marks alone show nothing and mean nothing; U+2800 is the blank of Braille.
  if (!/[^\s\p{Cf}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(content))
    throw new InvalidInputError(field, `${field} is blank. Give one short sentence.`);
  const length = codePointLength(content);
  if (length > max) {
    throw new InvalidInputError(
      field,
      `${field} has ${length} characters, at most ${max} are allowed. Split it into several memories.`,
    );
  }
  return content;
}

/** @throws InvalidInputError for an unknown kind */
export function validateKind(value: unknown, field = 'kind'): MemoryKind {
  const kind = parseKind(value);
  if (!kind) throw new InvalidInputError(field, `${field} is unknown. Use one of ${MEMORY_KINDS.join(', ')}.`);
  return kind;
}

/** A filter of kinds; absent or empty means no filter. @throws InvalidInputError */
export function validateKinds(value: unknown): readonly MemoryKind[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new InvalidInputError('kinds', 'kinds must be a list of kinds, or absent for all.');
  if (value.length === 0) return undefined;
  return [...new Set(Array.from(value, (kind, index) => validateKind(kind, `kinds[${index}]`)))];
}

/** @throws InvalidInputError unless a finite number within the bounds */
export function validateNumber(field: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < min || value > max) {
    throw new InvalidInputError(field, `${field} must be a number from ${min} to ${max}.`);
  }
  return value;
}

/** An importance, 0-1. @throws InvalidInputError */
export function validateImportance(field: string, value: unknown): number {
  return storableImportance(validateNumber(field, value, 0, 1));
}

/** @throws InvalidInputError unless a whole number within the bounds */
export function validateWhole(field: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new InvalidInputError(field, `${field} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

/** Within the years that `timestamptz` and four digits both hold; false for an invalid date. */
export function isStorableDate(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** A point in time that `timestamptz` holds. @throws InvalidInputError */
export function validateDate(field: string, value: unknown): Date {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw new InvalidInputError(field, `${field} must be a valid Date.`);
  }
  if (!isStorableDate(value)) throw new InvalidInputError(field, `${field} lies outside the years 1 to 9999.`);
  return new Date(value.getTime());
}

/** An IANA time zone name. @throws InvalidInputError */
export function validateTimeZone(value: unknown): string {
  const timeZone = validateText('timeZone', value);
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    // Without the cause, which quotes what was given.
    throw new InvalidInputError('timeZone', 'timeZone is not a known IANA name. Use one like "Europe/Berlin".');
  }
}

/** Most ids of one call. */
const IDS_MAX = 1_000;

/** @throws InvalidInputError unless a list of at most 1,000 strings; what they are is no matter */
export function validateIds(field: string, ids: unknown): readonly string[] {
  if (!Array.isArray(ids) || ids.length > IDS_MAX || !ids.every((id) => typeof id === 'string')) {
    throw new InvalidInputError(field, `${field} must be a list of at most ${IDS_MAX} ids.`);
  }
  return ids;
}

/** As it is stored, in small letters; null for what cannot be an id of ours: it then reads like one that does not exist. */
export function toMemoryId(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null;
}
