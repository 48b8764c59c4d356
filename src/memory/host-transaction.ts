import { InvalidInputError } from '../errors/invalid-input-error.js';
import type { TransactionManager } from '../storage/memory-store.js';
import type { MemoryContext } from './memory-context.js';
import { wakeUp } from './wake-up.js';

/**
 * The same ports, seen from inside the host's transaction: the store is on its connection, and everything that others
 * hear of (events, wake-ups, counts of recalls) waits for its commit.
 *
 * @throws InvalidInputError where the manager has no active transaction, or the store cannot join one
 */
export function joinTransaction(context: MemoryContext, manager: TransactionManager): MemoryContext {
  const outside = context.outside ?? context;
  const joined = outside.store.within?.(manager);
  if (!joined) {
    throw new InvalidInputError(
      'entityManager',
      `The ${outside.store.adapter} store cannot join a transaction of yours. Keep memories in your database with hostDataSource(), or call without within().`,
    );
  }
  const { store, afterCommit } = joined;
  const { events, commits, queue, access } = outside;
  return {
    ...outside,
    outside,
    store,
    events: { publish: (name, payload) => afterCommit(() => events.publish(name, payload)) },
    commits: {
      enter: (scope, lock) => {
        const place = commits.enter(scope, lock);
        const leave = (): void => place.leave();
        return { tell: (publish) => afterCommit(() => place.tell(publish), leave), leave };
      },
    },
    queue: {
      adapter: queue.adapter,
      start: (handler) => queue.start(handler),
      enqueue: async (key) => afterCommit(() => wakeUp(outside, key, key.turnId)),
      stop: () => queue.stop(),
    },
    access: {
      record: (scope, ids) => afterCommit(() => access.record(scope, ids)),
      discard: (scope) => access.discard(scope),
      flush: () => access.flush(),
    },
  };
}

/** @throws InvalidInputError for a call that must not be part of a transaction of the host */
export function refuseInTransaction(context: MemoryContext, call: string): void {
  if (!context.outside) return;
  throw new InvalidInputError(
    'entityManager',
    `${call} takes transactions of its own and cannot be part of yours. Call it on memoryService.for(scope), after your commit.`,
  );
}
