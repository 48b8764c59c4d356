import type { MemoryKind } from './kind.js';

/** A statement that extraction found in a turn. */
export interface Candidate {
  readonly content: string;
  readonly kind: MemoryKind;
  /** 0-1. */
  readonly importance: number;
  /** Index of the message it came from, in the turn's messages. */
  readonly messageNo: number;
}

export type DecisionAction = 'add' | 'update' | 'forget' | 'noop' | 'merge';

/** What consolidation makes of a candidate. */
export type Decision =
  | { readonly action: 'add'; readonly candidate: Candidate }
  /** `content` replaces the text of memory `memoryId`. */
  | { readonly action: 'update'; readonly candidate: Candidate; readonly memoryId: string; readonly content: string }
  | { readonly action: 'forget'; readonly candidate: Candidate; readonly memoryId: string }
  /** Known already; `memoryId` names what holds it, where one does. */
  | { readonly action: 'noop'; readonly candidate: Candidate; readonly memoryId: string | null };

/** What was done, as kept with the turn and shown to callers: ids only. */
export interface AppliedDecision {
  readonly action: DecisionAction;
  readonly memoryId: string | null;
}
