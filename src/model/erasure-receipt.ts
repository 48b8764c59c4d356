/** What one erasure removed: counts, and no content. */
export interface ErasureReceipt {
  /** The scope's new generation, so that the row of the scope says which erasure was its last. */
  readonly id: string;
  /** Later than everything that was erased. A turn said before it is not learned any more. */
  readonly erasedAt: Date;
  /** Live and expired memories, each with its vector. */
  readonly memories: number;
  /** Earlier states. */
  readonly revisions: number;
  /** Turns in whatever status, with their messages. */
  readonly turns: number;
  /** Memories whose recalls were counted. */
  readonly accesses: number;
}
