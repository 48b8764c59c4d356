import { randomNumbers } from '../../bench/topical-vectors.js';

/** A sequence of its seed: a run that found something can be had again. */
export class Random {
  /** 0 to 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomNumbers(seed);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** 0 to `max`. */
  upTo(max: number): number {
    return Math.floor(this.next() * (max + 1));
  }

  of<T>(items: readonly T[]): T {
    return items[this.upTo(items.length - 1)] as T;
  }
}
