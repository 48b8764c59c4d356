/**
 * What one subscriber has yet to be sent. Not a generator: `return` must end a wait for the next item at once, else a
 * subscriber that went away would be held until something happens.
 */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private taker: ((result: IteratorResult<T>) => void) | null = null;
  private ended = false;

  /**
   * @param max most items that may wait
   * @param onOverflow called once, when one more comes; the queue has ended then
   * @param onEnd called once, whatever ended it
   */
  constructor(
    private readonly max: number,
    private readonly onOverflow: () => void,
    private readonly onEnd: () => void,
  ) {}

  push(item: T): void {
    if (this.ended) return;
    if (this.taker) {
      this.taker({ value: item, done: false });
      this.taker = null;
    } else if (this.waiting.length < this.max) {
      this.waiting.push(item);
    } else {
      this.end();
      this.onOverflow();
    }
  }

  /** What waits is dropped. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.waiting.length = 0;
    this.taker?.({ value: undefined, done: true });
    this.taker = null;
    this.onEnd();
  }

  next(): Promise<IteratorResult<T>> {
    const [item] = this.waiting.splice(0, 1);
    if (item !== undefined) return Promise.resolve({ value: item, done: false });
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.taker = resolve;
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  throw(): Promise<IteratorResult<T>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
