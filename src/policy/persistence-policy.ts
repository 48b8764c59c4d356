import type { MemoryKind } from '../model/kind.js';
import type { MemorySource } from '../model/memory.js';
import type { Message } from '../model/message.js';
import type { Rejection } from '../model/rejection.js';

/** What is about to be stored. */
export interface PolicySubject {
  readonly content: string;
  readonly kind: MemoryKind;
  readonly source: MemorySource;
}

/** Decides what may be kept. Asked on add, update, merge and import before anything is embedded, and again at recall. */
export interface PersistencePolicy {
  /** Null: may be kept. */
  check(subject: PolicySubject): Promise<Rejection | null>;
  /**
   * Whether a stored text holds a secret: recall asks it of each memory that it would show, and shows none that does.
   * Absent: `check` is asked, and its `secret` counts.
   */
  holdsSecret?(content: string): boolean | Promise<boolean>;
  /** Replaces every secret in a turn's messages by a mask, before the turn is written anywhere. */
  mask(messages: readonly Message[]): Promise<Message[]>;
}
