import { describe, expect, it } from '@jest/globals';
import { turnIds } from './locomo-dataset.js';

describe('turnIds', () => {
  it.each([
    [['D8:6; D9:17'], ['D8:6', 'D9:17']],
    [['D9:1 D4:4 D4:6'], ['D9:1', 'D4:4', 'D4:6']],
    [
      ['D:11:26', 'D30:05'],
      ['D11:26', 'D30:5'],
    ],
    [['D'], []],
    [['D10:20'], ['D10:20']],
  ])('reads %j as %j', (written, ids) => {
    expect(turnIds(written)).toEqual(ids);
  });
});
