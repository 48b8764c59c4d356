/** Milliseconds for which a list is believed. A new index is used after that at the latest; without one that went, recall is slower and still right. */
const BELIEVED_MS = 60_000;

/**
 * Which indexes of single scopes there are. Read once a minute for all of them (they are some dozens), so
 * that recall in a scope without one costs nothing more.
 */
export class ScopeIndexes {
  private names: ReadonlySet<string> = new Set();
  private readAt = -Infinity;

  /** At the next question: some were made here. */
  readAgain(): void {
    this.readAt = -Infinity;
  }

  /**
   * @param nameOf name of the index asked for, null for none; a digest, so only asked for where there are indexes at all
   * @param list reads the names of all of them
   */
  async has(nameOf: () => string | null, list: () => Promise<string[]>): Promise<boolean> {
    const now = performance.now();
    if (now - this.readAt > BELIEVED_MS) {
      // Before the query: others meanwhile go by the old list and do not ask too.
      this.readAt = now;
      this.names = new Set(await list());
    }
    if (this.names.size === 0) return false;
    const name = nameOf();
    return name !== null && this.names.has(name);
  }
}
