import type { Scope } from '../model/scope.js';
import { changedEvent } from './changed-event.js';
import type { MemoryContext } from './memory-context.js';
import { isMemoryId } from './validate-input.js';
import { isExpired } from './write-memories.js';

export interface ForgetOptions {
  /** Drop its earlier states too, so that nothing of it is left to list, recall as of then, or restore. @default false */
  readonly purge?: boolean;
}

/**
 * Forgets one memory: it is gone from every read of the present, its last state stays as a revision unless purged.
 * False for an id that is not in this scope. A purge also finds a memory that was forgotten before.
 */
export async function forget(
  context: MemoryContext,
  scope: Scope,
  id: string,
  { purge = false }: ForgetOptions = {},
): Promise<boolean> {
  if (!isMemoryId(id)) return false;
  const { ended, dropped, stamp } = await context.store.write(scope, async (writer) => {
    const [expired] = purge ? await writer.findExpired({ ids: [id], limit: 1 }) : [];
    const memory = expired ?? (await writer.find(id));
    const endedBy = memory && isExpired(memory, writer.stamp) ? 'expire' : 'forget';
    if (memory) await writer.remove(memory, { endedBy });
    const dropped = purge ? await writer.dropRevisions({ memoryId: id }) : 0;
    return { ended: memory && { memory, endedBy }, dropped, stamp: writer.stamp };
  });
  if (ended) {
    const event = ended.endedBy === 'expire' ? 'memory.expired' : 'memory.forgotten';
    context.events.publish(event, changedEvent(scope, ended.memory, stamp, null));
  }
  return ended !== null || dropped > 0;
}
