import { describe, expect, it } from '@jest/globals';
import { storableImportance } from './importance.js';

describe('storableImportance', () => {
  it.each([1e-46, 1e-50, Number.MIN_VALUE, -0])('makes %d zero, which a real would refuse or show as such', (value) => {
    expect(storableImportance(value)).toBe(0);
  });

  it.each([1e-40, 0.1, 0.8, 1])('leaves %d as it was given', (value) => {
    expect(storableImportance(value)).toBe(value);
  });
});
