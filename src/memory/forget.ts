import type { Scope } from '../model/scope.js';
import { changedEvent } from './changed-event.js';
import type { MemoryContext } from './memory-context.js';
import { isMemoryId } from './validate-input.js';
import { isExpired } from './write-memories.js';

/** Forgets one memory: it is gone from every read, its last state stays as a revision. False for an id that is not in this scope. */
export async function forget(context: MemoryContext, scope: Scope, id: string): Promise<boolean> {
  if (!isMemoryId(id)) return false;
  const forgotten = await context.store.write(scope, async (writer) => {
    const memory = await writer.find(id);
    if (!memory || isExpired(memory, writer.stamp)) return null;
    await writer.remove(memory, { endedBy: 'forget' });
    return { memory, stamp: writer.stamp };
  });
  if (!forgotten) return false;
  context.events.publish('memory.forgotten', changedEvent(scope, forgotten.memory, forgotten.stamp, null));
  return true;
}
