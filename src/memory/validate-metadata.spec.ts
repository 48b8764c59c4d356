import { describe, expect, it } from '@jest/globals';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { validateMetadata } from './validate-metadata.js';

const validate = (value: unknown): unknown => validateMetadata(value, 1_000);

describe('validateMetadata', () => {
  it('copies plain JSON and drops undefined', () => {
    const given = { id: 1, kind: 'x', tags: ['a', { b: null }], off: undefined, at: new Date(0) };
    expect(validate(given)).toEqual({ id: 1, kind: 'x', tags: ['a', { b: null }], at: '1970-01-01T00:00:00.000Z' });
    expect(validate(given)).not.toBe(given);
  });

  it('keeps __proto__ and constructor as data', () => {
    const copy = validate(JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}')) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor']);
    expect(copy['admin']).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('admin');
  });

  it('tells 1 from "1"', () => {
    expect(validate({ a: 1, b: '1' })).toEqual({ a: 1, b: '1' });
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['a string', 'x'],
    ['a map', new Map()],
    ['a class instance', new URL('https://example.com')],
    ['a bigint', { a: 1n }],
    ['a function', { a: () => 1 }],
    ['NaN', { a: NaN }],
    ['infinity', { a: { b: Infinity } }],
    ['NUL in a value', { a: ['x\u0000'] }],
    ['NUL in a key', { 'a\u0000': 1 }],
    ['a lone surrogate', { a: '\ud800' }],
    ['an invalid date', { a: new Date(NaN) }],
    ['too much', { a: 'x'.repeat(1_000) }],
  ])('refuses %s', (_, value) => {
    expect(() => validate(value)).toThrow(InvalidInputError);
  });

  it('tells the place of a fault by numbers: a key may be text that somebody said', () => {
    const said = { first: 1, second: { 'Is in debt': [true, () => 1] } };
    expect(() => validate(said)).toThrow(/^metadata\[1\]\[0\]\[1\] is a function/);
  });

  it('refuses what is nested without end', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => validate(circle)).toThrow(/nested deeper/);
  });
});
