import { InvalidInputError } from '../errors/invalid-input-error.js';
import { unstorableCharacter } from '../model/content.js';
import type { MemoryMetadata } from '../model/memory.js';

/** Deepest nesting of metadata; deeper is refused before recursion can hurt. */
const DEPTH_MAX = 16;

function plainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype as object) === null;
}

function text(value: string, field: string): string {
  const unstorable = unstorableCharacter(value);
  if (unstorable)
    throw new InvalidInputError(field, `${field} contains a ${unstorable}, which Postgres cannot store. Remove it.`);
  return value;
}

/** @param field keys by their place, as `metadata[1][0]`: a key is data and may be text that no error may quote */
function json(value: unknown, field: string, depth: number): unknown {
  if (depth > DEPTH_MAX)
    throw new InvalidInputError('metadata', `metadata is nested deeper than ${DEPTH_MAX} levels. Flatten it.`);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return text(value, field);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new InvalidInputError(field, `${field} is ${value}, which JSON cannot hold. Use a finite number or null.`);
  }
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (Array.isArray(value)) return value.map((item, index) => json(item, `${field}[${index}]`, depth + 1));
  if (typeof value === 'object' && plainObject(value)) {
    // fromEntries defines own properties, so a key named __proto__ stays data.
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item], index) => {
          const place = `${field}[${index}]`;
          return [text(key, `the key of ${place}`), json(item, place, depth + 1)];
        }),
    );
  }
  throw new InvalidInputError(
    field,
    `${field} is a ${typeof value}, which JSON cannot hold. Convert it to a string or leave it out.`,
  );
}

/**
 * A deep copy of plain JSON metadata. Keys are data: none of them (`kind`, `id`, `__proto__`) means anything here.
 * @throws InvalidInputError naming the place at fault: `metadata[1]` is what stands under the second key
 */
export function validateMetadata(value: unknown, maxBytes: number): MemoryMetadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !plainObject(value)) {
    throw new InvalidInputError('metadata', 'metadata must be a plain object of JSON values. Wrap it: { value: ... }.');
  }
  const copy = json(value, 'metadata', 0) as MemoryMetadata;
  const bytes = Buffer.byteLength(JSON.stringify(copy), 'utf8');
  if (bytes > maxBytes) {
    throw new InvalidInputError(
      'metadata',
      `metadata has ${bytes} bytes as JSON, at most ${maxBytes} are allowed. Keep a reference to what is large.`,
    );
  }
  return copy;
}
