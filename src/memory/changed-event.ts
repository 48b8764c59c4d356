import type { MemoryChangedEvent } from '../events/event-map.js';
import type { Memory } from '../model/memory.js';
import type { Scope } from '../model/scope.js';
import type { MemoryContext } from './memory-context.js';

/** What an event says of a memory: everything but its text and metadata. */
export function changedEvent(scope: Scope, memory: Memory, at: Date, turnId: string | null): MemoryChangedEvent {
  return {
    tenantId: scope.tenantId,
    scope: scope.scope,
    at: at.toISOString(),
    memoryId: memory.id,
    kind: memory.kind,
    version: memory.version,
    source: memory.source,
    turnId,
  };
}

/** What a transaction made of one memory. */
export interface ChangedMemory {
  readonly memory: Memory;
  /** False where it was so already. */
  readonly changed: boolean;
  /** Memories that were found to have expired, and were closed. */
  readonly expired: readonly Memory[];
  readonly stamp: Date;
}

/** @param outcome null where nothing was done */
export function tellChange(
  context: MemoryContext,
  scope: Scope,
  event: 'memory.updated' | 'memory.restored',
  outcome: ChangedMemory | null,
): void {
  if (!outcome) return;
  const { memory, changed, expired, stamp } = outcome;
  for (const gone of expired) context.events.publish('memory.expired', changedEvent(scope, gone, stamp, null));
  if (changed) context.events.publish(event, changedEvent(scope, memory, stamp, null));
}
