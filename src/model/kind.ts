/** What sort of statement a memory is. */
export const MEMORY_KINDS = ['fact', 'preference', 'goal', 'instruction', 'episodic'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** Reads a kind as people and models write it; `semantic` is the field's older word for `fact`. Undefined when unknown. */
export function parseKind(value: unknown): MemoryKind | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.trim().toLowerCase();
  if (name === 'semantic') return 'fact';
  return MEMORY_KINDS.find((kind) => kind === name);
}
