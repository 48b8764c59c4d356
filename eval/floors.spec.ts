import { describe, expect, it } from '@jest/globals';
import { missedFloors } from './floors.js';

describe('missedFloors', () => {
  const floors = [{ metric: 'recall@5', least: 0.85, why: 'promised' }];

  it('is empty when a floor is just reached', () => {
    expect(missedFloors(floors, { 'recall@5': 0.85 })).toEqual([]);
  });

  it('names what fell below, and by how much', () => {
    expect(missedFloors(floors, { 'recall@5': 0.84 })).toEqual([{ ...floors[0], measured: 0.84 }]);
  });

  it('takes a figure that was not measured for a miss', () => {
    expect(missedFloors(floors, {})).toHaveLength(1);
  });
});
