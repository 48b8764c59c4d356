import { describe, expect, it } from '@jest/globals';
import { foldedCase } from './case-folding.js';

describe('foldedCase', () => {
  it.each([
    ['STRASSE', 'straße'],
    ['GROẞE', 'große'],
    ['ΟΔΟΣ', 'οδος'],
    ['İSTANBUL', 'istanbul'],
    ['ÉCOLE', 'école'],
  ])('takes %j and %j as equal', (a, b) => {
    expect(foldedCase(a)).toBe(foldedCase(b));
  });

  it.each([
    ['Maße', 'Mase'],
    ['ısı', 'isi'],
    ['öl', 'ol'],
  ])('tells %j from %j', (a, b) => {
    expect(foldedCase(a)).not.toBe(foldedCase(b));
  });
});
