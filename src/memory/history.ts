import type { MemoryRevision } from '../model/revision.js';
import type { Scope } from '../model/scope.js';
import type { StoredRevision } from '../storage/memory-store.js';
import type { MemoryContext } from './memory-context.js';
import { isMemoryId } from './validate-input.js';

/** The states of one memory that have ended, oldest first; empty for an id that is not in this scope. */
export async function history(context: MemoryContext, scope: Scope, id: string): Promise<MemoryRevision[]> {
  if (!isMemoryId(id)) return [];
  return (await context.store.history(scope, id)).map(shown);
}

function shown({ source: _source, createdAt: _createdAt, ...revision }: StoredRevision): MemoryRevision {
  return revision;
}
