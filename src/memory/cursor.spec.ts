import { describe, expect, it } from '@jest/globals';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { decodeCursor, encodeCursor } from './cursor.js';

const position = { createdAt: new Date('2026-03-04T05:06:07.089Z'), id: '019a0000-0000-7000-8000-000000000001' };

describe('cursors', () => {
  it('keep a place to the millisecond', () => {
    expect(decodeCursor(encodeCursor(position))).toEqual(position);
  });

  it.each([
    '',
    'x',
    'MTox',
    Buffer.from(`1:${position.id} OR 1=1`).toString('base64url'),
    Buffer.from(`9999999999999999:${position.id}`).toString('base64url'),
    Buffer.from(`-8640000000000000:${position.id}`).toString('base64url'),
    Buffer.from(`8640000000000000:${position.id}`).toString('base64url'),
    null,
    7,
    {},
  ])('refuse %j, which this package did not make', (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(InvalidInputError);
  });
});
