import type { MemoryKind } from './kind.js';
import type { MemoryMetadata, RevisionEnd } from './memory.js';

/** A state of a memory that has ended, and the span in which it held. */
export interface MemoryRevision {
  readonly memoryId: string;
  /** The memory's version in that state; unique within the memory, with gaps where retention has dropped some. */
  readonly version: number;
  readonly content: string;
  readonly kind: MemoryKind;
  /** 0-1. */
  readonly importance: number;
  readonly metadata: MemoryMetadata;
  readonly expiresAt: Date | null;
  /** First millisecond in which it held. */
  readonly validFrom: Date;
  /** First millisecond in which it no longer held. */
  readonly validTo: Date;
  readonly endedBy: RevisionEnd;
  /** The turn that ended it, null for a call. */
  readonly turnId: string | null;
  /** The memory that said the same already, where `endedBy` is `merge`. */
  readonly mergedInto: string | null;
}
