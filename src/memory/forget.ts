import { contentHash } from '../model/content.js';
import type { Memory } from '../model/memory.js';
import type { Scope } from '../model/scope.js';
import type { ScopeWriter } from '../storage/memory-store.js';
import { changedEvent } from './changed-event.js';
import type { MemoryContext } from './memory-context.js';
import { toMemoryId } from './validate-input.js';
import { writeInOrder } from './write-in-order.js';
import { isExpired } from './write-memories.js';

export interface ForgetOptions {
  /**
   * Drop its earlier states too, so that nothing of it is left to list, recall as of then, or restore; and let no turn that
   * was handed in before teach any of its wordings again. @default false
   */
  readonly purge?: boolean;
}

interface Forgotten {
  /** Its last state; null where there was none. */
  readonly memory: Memory | null;
  readonly endedBy: 'expire' | 'forget';
  /** Revisions that a purge dropped. */
  readonly dropped: number;
  readonly stamp: Date;
}

/** No revision tells a turn that waits what was forgotten for good: it is noted with the turn itself. */
async function barTexts(writer: ScopeWriter, id: string, memory: Memory | null): Promise<void> {
  const texts = [...(await writer.history(id)), ...(memory ? [memory] : [])].map(({ content }) => contentHash(content));
  if (texts.length > 0) await writer.barFromTurns([...new Set(texts)]);
}

/**
 * Forgets one memory: it is gone from every read of the present, its last state stays as a revision unless purged.
 * False for an id that is not in this scope. A purge also finds a memory that was forgotten before.
 */
export async function forget(
  context: MemoryContext,
  scope: Scope,
  givenId: string,
  { purge = false }: ForgetOptions = {},
): Promise<boolean> {
  const id = toMemoryId(givenId);
  if (id === null) return false;
  const write = async (writer: ScopeWriter): Promise<Forgotten> => {
    const [expired] = purge ? await writer.findExpired({ ids: [id], limit: 1 }) : [];
    const memory = expired ?? (await writer.find(id));
    const endedBy = memory && isExpired(memory, writer.stamp) ? 'expire' : 'forget';
    if (purge) await barTexts(writer, id, memory);
    if (memory) await writer.remove(memory, { endedBy });
    const dropped = purge ? await writer.dropRevisions({ memoryId: id }) : 0;
    return { memory, endedBy, dropped, stamp: writer.stamp };
  };
  const { memory, dropped } = await writeInOrder(context, scope, write, (forgotten) => {
    if (!forgotten.memory) return;
    const event = forgotten.endedBy === 'expire' ? 'memory.expired' : 'memory.forgotten';
    context.events.publish(event, changedEvent(scope, forgotten.memory, forgotten.stamp, null));
  });
  return memory !== null || dropped > 0;
}
