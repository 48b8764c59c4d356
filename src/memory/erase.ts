import type { ErasureReceipt } from '../model/erasure-receipt.js';
import type { Scope } from '../model/scope.js';
import type { MemoryContext } from './memory-context.js';
import { tellInOrder } from './write-in-order.js';

/** Erases the scope in the store, and drops what this process still has in mind of it: ids, never texts. */
export async function forgetAll(context: MemoryContext, scope: Scope): Promise<ErasureReceipt> {
  // Before the erasure: a wake-up that is lost for nothing is found by the sweeper, one of a turn that comes after the
  // erasure must not be taken along.
  await context.queue.discard?.(scope);
  return tellInOrder(
    context,
    scope,
    'alone',
    async (onLocked) => {
      const receipt = await context.store.erase(scope, onLocked);
      context.access.discard(scope);
      context.switches.forget(scope);
      return receipt;
    },
    ({ id, erasedAt, ...counts }) =>
      context.events.publish('memory.erased', { ...scope, at: erasedAt.toISOString(), receiptId: id, ...counts }),
  );
}
