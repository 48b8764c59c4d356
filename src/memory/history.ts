import type { MemoryRevision } from '../model/revision.js';
import type { Scope } from '../model/scope.js';
import type { StoredRevision } from '../storage/memory-store.js';
import type { MemoryContext } from './memory-context.js';
import { isMemoryId, validateIds } from './validate-input.js';

/** The states of one memory that have ended, oldest first; empty for an id that is not in this scope. */
export async function history(context: MemoryContext, scope: Scope, id: string): Promise<MemoryRevision[]> {
  if (!isMemoryId(id)) return [];
  return (await context.store.history(scope, id)).map(shown);
}

/** Same as `history`, of many memories by one statement. @returns one list for each id, in the order of the ids */
export async function histories(
  context: MemoryContext,
  scope: Scope,
  ids: readonly string[],
): Promise<MemoryRevision[][]> {
  const known = validateIds('ids', ids).filter(isMemoryId);
  const byMemory = new Map<string, MemoryRevision[]>(known.map((id) => [id.toLowerCase(), []]));
  if (known.length > 0) {
    for (const revision of await context.store.histories(scope, known)) {
      byMemory.get(revision.memoryId)?.push(shown(revision));
    }
  }
  return ids.map((id) => byMemory.get(id.toLowerCase()) ?? []);
}

function shown({ source: _source, createdAt: _createdAt, ...revision }: StoredRevision): MemoryRevision {
  return revision;
}
