import type { MemoryKind } from './kind.js';

/** How a memory came to be. */
export type MemorySource = 'manual' | 'observed' | 'imported';

/** What ended an earlier state. */
export type RevisionEnd = 'update' | 'forget' | 'expire' | 'merge' | 'restore';

/** Plain JSON, as the caller gave it. Never read for owner, kind, id or version. */
export type MemoryMetadata = Record<string, unknown>;

/** One remembered statement: a short third-person sentence about whoever the scope belongs to. */
export interface Memory {
  /** uuid v7, unique within its scope. */
  readonly id: string;
  readonly content: string;
  readonly kind: MemoryKind;
  /** 0-1. */
  readonly importance: number;
  readonly metadata: MemoryMetadata;
  readonly source: MemorySource;
  /** Starts at 1, one more at each change. */
  readonly version: number;
  readonly createdAt: Date;
  /** When the present state began to hold. */
  readonly updatedAt: Date;
  readonly expiresAt: Date | null;
  readonly lastAccessedAt: Date | null;
  readonly accessCount: number;
}

/** A memory that recall found. */
export interface RecalledMemory {
  readonly memory: Memory;
  /** Whose memory it is: the scope that was asked, or the one of `alsoIn` that it came from. */
  readonly scope: string;
  /** 0-1, higher is closer; 1 for equal text unless importance or recency were given weight. */
  readonly score: number;
  /** Cosine distance 0-2, null where the memory was found by words alone. */
  readonly distance: number | null;
  /** Share 0-1 of the query's weight in words that the memory has, null without a keyword leg. */
  readonly coverage: number | null;
  /** 1-based rank within each leg, null where that leg did not find it. */
  readonly keywordRank: number | null;
  readonly vectorRank: number | null;
}

export type RecallMode = 'hybrid' | 'vector' | 'keyword';
