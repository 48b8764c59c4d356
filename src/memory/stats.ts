import type { ScopeStats } from '../model/scope-stats.js';
import type { Scope } from '../model/scope.js';
import type { MemoryContext } from './memory-context.js';

/** Counted now, against the space of the present embedder. */
export function stats(context: MemoryContext, scope: Scope): Promise<ScopeStats> {
  return context.store.stats(scope, context.embedder.space);
}
