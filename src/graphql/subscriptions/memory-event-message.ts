import { createHash } from 'node:crypto';
import type { MemoryEvent } from '../../events/event-map.js';
import { scopeKey } from '../../model/scope.js';
import type { Scope } from '../../model/scope.js';

/** What subscribers hear of: the domain event `memory.<action>`. */
export const MEMORY_EVENT_ACTIONS = ['added', 'updated', 'forgotten', 'restored', 'expired', 'erased'] as const;
export type MemoryEventAction = (typeof MEMORY_EVENT_ACTIONS)[number];

/** What travels over the bus: JSON and nothing but, no text, dates as ISO strings. */
export interface MemoryEventMessage extends Scope {
  readonly action: MemoryEventAction;
  /** Null for an erasure. */
  readonly memoryId: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** Null for an event that subscribers do not hear of. */
export function toMessage({ name, payload }: MemoryEvent): MemoryEventMessage | null {
  const action = MEMORY_EVENT_ACTIONS.find((known) => name === `memory.${known}`);
  if (action === undefined || !('tenantId' in payload)) return null;
  const { tenantId, scope, at } = payload;
  return { action, memoryId: 'memoryId' in payload ? payload.memoryId : null, tenantId, scope, at };
}

/** A message as a bus delivered it: another process may have written it, of another version. Null where it is none. */
export function readMessage(value: unknown): MemoryEventMessage | null {
  if (typeof value !== 'object' || value === null) return null;
  const { action, memoryId, tenantId, scope, at } = value as Record<keyof MemoryEventMessage, unknown>;
  const known = MEMORY_EVENT_ACTIONS.find((name) => name === action);
  if (known === undefined || typeof tenantId !== 'string' || typeof scope !== 'string') return null;
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return null;
  if (memoryId !== null && typeof memoryId !== 'string') return null;
  return { action: known, memoryId, tenantId, scope, at };
}

/** What travels where events could not: whoever follows the scope must read again. A process of an earlier version drops it. */
export function missedMessage({ tenantId, scope }: Scope): object {
  return { missed: true, tenantId, scope };
}

export function isMissedMessage(value: unknown, { tenantId, scope }: Scope): boolean {
  const { missed, ...of } = Object(value) as Partial<Record<'missed' | keyof Scope, unknown>>;
  return missed === true && of.tenantId === tenantId && of.scope === scope;
}

/** Where a scope's events travel: a hash, so that no name of a tenant or scope can be made to mean another's topic. */
export function topicOf(scope: Scope): string {
  const hash = createHash('sha256').update(scopeKey(scope));
  return `engram:${hash.digest('hex')}`;
}
