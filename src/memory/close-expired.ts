import type { Scope } from '../model/scope.js';
import type { ScopeWriter } from '../storage/memory-store.js';
import { changedEvent } from './changed-event.js';
import type { MemoryContext } from './memory-context.js';
import { writeInOrder } from './write-in-order.js';

/** Makes a revision of a memory that has expired, as upkeep would in a while. False where there is none such. */
export async function closeExpired(context: MemoryContext, scope: Scope, id: string): Promise<boolean> {
  const write = async (writer: ScopeWriter) => {
    const [expired] = await writer.findExpired({ ids: [id], limit: 1 });
    if (expired) await writer.remove(expired, { endedBy: 'expire' });
    return { expired, stamp: writer.stamp };
  };
  const { expired } = await writeInOrder(context, scope, write, (closed) => {
    if (closed.expired)
      context.events.publish('memory.expired', changedEvent(scope, closed.expired, closed.stamp, null));
  });
  return expired !== undefined;
}
