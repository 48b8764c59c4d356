import { describe, expect, it } from '@jest/globals';
import { float16Bits, halfVectorBytes, halfVectorLiteral } from './half-vector.js';

/** All positive finite float16 numbers, by their bits: what they are worth is written by the standard's own formula. */
function worth(bits: number): number {
  const exponent = bits >>> 10;
  return exponent === 0 ? (bits / 1024) * 2 ** -14 : (1 + (bits & 0x3ff) / 1024) * 2 ** (exponent - 15);
}
const FINITE = Array.from({ length: 0x7c00 }, (_, bits) => bits);

describe('float16Bits', () => {
  it('gives every finite float16 number its own bits, of both signs', () => {
    expect(FINITE.filter((bits) => float16Bits(worth(bits)) !== bits)).toEqual([]);
    expect(FINITE.filter((bits) => float16Bits(-worth(bits)) !== (bits | 0x8000))).toEqual([]);
  });

  it('rounds what lies between two numbers to the nearer one, and a tie to the even one', () => {
    const between = FINITE.slice(0, -1).map((bits) => {
      const [low, high] = [worth(bits), worth(bits + 1)];
      return {
        bits,
        nearLow: float16Bits(low + (high - low) * 0.49),
        nearHigh: float16Bits(low + (high - low) * 0.51),
        tie: float16Bits((low + high) / 2),
      };
    });
    expect(between.filter(({ bits, nearLow, nearHigh }) => nearLow !== bits || nearHigh !== bits + 1)).toEqual([]);
    expect(between.filter(({ bits, tie }) => tie !== bits + (bits & 1))).toEqual([]);
  });
});

describe('halfVectorLiteral', () => {
  it('prints numbers that read back as the same float16 numbers', () => {
    const values = FINITE.map((bits) => (bits % 2 === 0 ? worth(bits) : -worth(bits)));
    const printed = JSON.parse(halfVectorLiteral({ space: `test:all:${values.length}`, values })) as number[];
    expect(printed.map(float16Bits)).toEqual(values.map(float16Bits));
  });
});

describe('halfVectorBytes', () => {
  it('writes the count, two unused bytes, and each number big-endian', () => {
    expect(halfVectorBytes({ space: 'test:three:3', values: [1, -2, 0.5] }).toString('hex')).toBe(
      '00030000' + '3c00' + 'c000' + '3800',
    );
  });

  it('refuses what is no vector of its space', () => {
    expect(() => halfVectorBytes({ space: 'test:three:3', values: [1, 2] })).toThrow(/has 2 numbers/);
  });
});
