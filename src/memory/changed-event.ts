import type { MemoryChangedEvent } from '../events/event-map.js';
import type { Memory } from '../model/memory.js';
import type { Scope } from '../model/scope.js';

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
