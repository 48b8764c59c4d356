import type { MemoryRevision } from '../model/revision.js';
import type { Scope } from '../model/scope.js';
import type { StoredRevision } from '../storage/memory-store.js';
import type { MemoryContext } from './memory-context.js';
import { toMemoryId, validateIds } from './validate-input.js';

/** The states of one memory that have ended, oldest first; empty for an id that is not in this scope. */
export async function history(context: MemoryContext, scope: Scope, id: string): Promise<MemoryRevision[]> {
  const memoryId = toMemoryId(id);
  return memoryId === null ? [] : (await context.store.history(scope, memoryId)).map(shown);
}

/** Same as `history`, of many memories by one statement. @returns one list for each id, in the order of the ids */
export async function histories(
  context: MemoryContext,
  scope: Scope,
  ids: readonly string[],
): Promise<MemoryRevision[][]> {
  const wanted = validateIds('ids', ids).map(toMemoryId);
  const known = wanted.filter((id) => id !== null);
  const byMemory = new Map<string, MemoryRevision[]>(known.map((id) => [id, []]));
  if (known.length > 0) {
    for (const revision of await context.store.histories(scope, known)) {
      byMemory.get(revision.memoryId)?.push(shown(revision));
    }
  }
  return wanted.map((id) => (id !== null && byMemory.get(id)) || []);
}

function shown({ source: _source, createdAt: _createdAt, ...revision }: StoredRevision): MemoryRevision {
  return revision;
}
