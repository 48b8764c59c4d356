import { describe, expect, it } from '@jest/globals';
import { MEMORY_KINDS, parseKind } from './kind.js';

describe('parseKind', () => {
  it('reads every kind in any case', () => {
    expect(MEMORY_KINDS.map((kind) => parseKind(` ${kind.toUpperCase()} `))).toEqual([...MEMORY_KINDS]);
  });

  it('reads semantic as fact', () => {
    expect(parseKind('semantic')).toBe('fact');
  });

  it.each(['', 'facts', 'toString', '__proto__', null, undefined, 3, {}, ['fact']])('knows no kind %j', (value) => {
    expect(parseKind(value)).toBeUndefined();
  });
});
