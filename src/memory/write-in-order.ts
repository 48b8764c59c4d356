import type { Scope } from '../model/scope.js';
import type { ScopeWriter } from '../storage/memory-store.js';
import type { Place, ScopeLock } from './commit-order.js';
import { inDatabase } from './in-database.js';
import type { MemoryContext } from './memory-context.js';

/**
 * Makes a call of the store that commits, and tells of it when what the scope committed before is told. The call resolves
 * without waiting for that.
 * @param call is given what the store calls once it holds the scope's lock, with another one than `lock` where it got that
 */
export async function tellInOrder<T>(
  context: MemoryContext,
  scope: Scope,
  lock: ScopeLock,
  call: (onLocked: (as?: ScopeLock) => void) => Promise<T>,
  tell: (result: T) => void,
): Promise<T> {
  const own: { place?: Place } = {};
  const enter = (as = lock): Place => (own.place ??= context.commits.enter(scope, as));
  let result: T;
  try {
    const table = lock === 'shared' || lock === 'beside' ? 'memory_turns' : 'memories';
    result = await inDatabase(context, 'TRANSACTION', table, () => call((as) => void enter(as)));
  } catch (error) {
    own.place?.leave();
    throw error;
  }
  // A store that does not say when it holds the lock comes behind whoever holds one by now.
  enter().tell(() => tell(result));
  return result;
}

/** One transaction in the scope, told of in the order of its commits. */
export function writeInOrder<T>(
  context: MemoryContext,
  scope: Scope,
  work: (writer: ScopeWriter) => Promise<T>,
  tell: (result: T) => void,
): Promise<T> {
  return tellInOrder(
    context,
    scope,
    'write',
    (onLocked) =>
      context.store.write(scope, (writer) => {
        onLocked();
        return work(writer);
      }),
    tell,
  );
}
