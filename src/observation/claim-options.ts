import type { MemoryContext } from '../memory/memory-context.js';
import type { ClaimOptions } from '../storage/memory-store.js';

/** Most bytes of messages that are asked about in one call: some ten thousand tokens, which any present model takes. */
const MERGED_BYTES_MAX = 40_000;

export function claimOptions({ settings }: MemoryContext): ClaimOptions {
  const { leaseMs, mergeTurns } = settings.observation;
  return { leaseMs, maxTurns: mergeTurns, maxBytes: MERGED_BYTES_MAX };
}
