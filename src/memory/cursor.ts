import { validate as isUuid } from 'uuid';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import type { MemoryPosition } from '../storage/memory-store.js';
import { isStorableDate } from './validate-input.js';

/** Opaque, but no secret: it holds a place in the order, never whose memory it is, so a forged one cannot widen a scope. */
export function encodeCursor(position: MemoryPosition): string {
  return Buffer.from(`${position.createdAt.getTime()}:${position.id}`, 'utf8').toString('base64url');
}

/** @throws InvalidInputError for anything that `encodeCursor` did not make */
export function decodeCursor(cursor: unknown): MemoryPosition {
  if (typeof cursor === 'string') {
    const [, time, id] = /^(-?\d{1,16}):([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
    const createdAt = new Date(Number(time));
    if (time && id && isUuid(id) && isStorableDate(createdAt)) return { createdAt, id };
  }
  throw new InvalidInputError(
    'after',
    'after is not a cursor of this list. Use one that an earlier page returned, or leave it out.',
  );
}
