/**
 * Turns on their way into the store, and those that `observe()` works on. Who hands one in need not wait for it: what is
 * under way when the app closes is finished first, or told where its turn stands.
 */
export class HandIns {
  private readonly underWay = new Set<Promise<unknown>>();

  /** How many are under way. */
  get size(): number {
    return this.underWay.size;
  }

  /** @returns the same promise */
  track<T>(handIn: Promise<T>): Promise<T> {
    const ended: Promise<unknown> = handIn.then(
      () => this.underWay.delete(ended),
      () => this.underWay.delete(ended),
    );
    this.underWay.add(ended);
    return handIn;
  }

  /** Resolves when none is under way any more, whether they came in or failed. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }
}
