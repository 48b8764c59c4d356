import type { MemoryKind } from '../../src/model/kind.js';

/** A made-up user, or team, of one app: what the app remembers of them, and what they come back with. */
export interface Persona {
  readonly name: string;
  /** Content by a short label that questions refer to. */
  readonly memories: Readonly<Record<string, { readonly content: string; readonly kind: MemoryKind }>>;
  readonly questions: readonly Question[];
  /** Questions such a person would ask that no memory answers: nothing must be recalled. */
  readonly unknown: readonly string[];
}

export interface Question {
  readonly ask: string;
  /** Labels of all memories that help to answer. */
  readonly expect: readonly string[];
  /** Label of a similar memory about something else, which must not rank above the right one. */
  readonly distractor?: string;
}

/** Writes a persona's memories one per line. */
export function remembered<const L extends string>(
  entries: Readonly<Record<L, readonly [MemoryKind, string]>>,
): Record<L, { readonly content: string; readonly kind: MemoryKind }> {
  return Object.fromEntries(
    Object.entries<readonly [MemoryKind, string]>(entries).map(([label, [kind, content]]) => [
      label,
      { kind, content },
    ]),
  ) as Record<L, { readonly content: string; readonly kind: MemoryKind }>;
}
