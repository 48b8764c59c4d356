import type { MemoryKind } from './kind.js';

/** How much a scope holds, counted and not estimated. */
export interface ScopeStats {
  /** Live memories. */
  readonly total: number;
  readonly byKind: Readonly<Record<MemoryKind, number>>;
  /** Rows without a vector in the present embedder's space. */
  readonly staleEmbeddings: number;
  /** Turns that wait, run, or will be tried again. */
  readonly pendingTurns: number;
  readonly deadTurns: number;
}
