import type { MemoryEventMap } from '../events/event-map.js';
import type { MemoryKind } from '../model/kind.js';
import type { MemorySource } from '../model/memory.js';
import type { Rejection } from '../model/rejection.js';
import type { Scope } from '../model/scope.js';
import type { MemoryContext } from './memory-context.js';

/** What an event says of something that was not kept: why, never what it said. */
export function rejectedEvent(
  context: MemoryContext,
  scope: Scope,
  { reason }: Rejection,
  { kind, source }: { kind: MemoryKind; source: MemorySource },
): MemoryEventMap['memory.rejected'] {
  return { ...scope, at: context.clock.now().toISOString(), reason, kind, source };
}
