import type { Memory } from '../model/memory.js';
import type { Scope } from '../model/scope.js';
import type { ScopeWriter } from '../storage/memory-store.js';
import { changedEvent } from './changed-event.js';
import type { MemoryContext } from './memory-context.js';

/** Makes revisions of memories that have expired, and returns them. */
export async function closeExpired(
  writer: ScopeWriter,
  which: { ids?: readonly string[]; limit: number },
): Promise<readonly Memory[]> {
  const expired = await writer.findExpired(which);
  for (const memory of expired) await writer.remove(memory, { endedBy: 'expire' });
  return expired;
}

/** Tells of them, once that is committed. */
export function tellExpired(
  context: MemoryContext,
  scope: Scope,
  { expired, stamp }: { readonly expired: readonly Memory[]; readonly stamp: Date },
): void {
  for (const memory of expired) context.events.publish('memory.expired', changedEvent(scope, memory, stamp, null));
}
