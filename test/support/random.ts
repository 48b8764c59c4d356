/** A sequence of its seed: a run that found something can be had again. */
export class Random {
  constructor(private state: number) {}

  /** 0 to 1. (mulberry32) */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
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
