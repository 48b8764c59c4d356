import type { Memory } from '../../model/memory.js';

/** A stored memory near a candidate. */
export interface Neighbour {
  readonly memory: Memory;
  /** 0-1, fused. */
  readonly score: number;
  /** Cosine distance 0-2; null where found by words alone. */
  readonly distance: number | null;
}

/** Whether two looks at the neighbours saw the same states. */
export function sameNeighbours(a: readonly Neighbour[], b: readonly Neighbour[]): boolean {
  const states = (list: readonly Neighbour[]): string =>
    list
      .map(({ memory }) => `${memory.id}@${memory.version}`)
      .sort()
      .join(' ');
  return states(a) === states(b);
}
