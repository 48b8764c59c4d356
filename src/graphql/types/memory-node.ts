import type { Memory } from '../../model/memory.js';

/** A memory with the name of the scope that it was read in, which its own fields ask about; no field shows it. */
export interface MemoryNode extends Memory {
  readonly scope: string;
}

export function toNode(scope: string, memory: Memory): MemoryNode {
  return { ...memory, scope };
}

/** Same, where there may be none. */
export function toNodeOrNull(scope: string, memory: Memory | null): MemoryNode | null {
  return memory && toNode(scope, memory);
}
