import type { DatabaseCall } from '../events/tracing.js';
import type { MemoryContext } from './memory-context.js';

/** A call of the store, seen as one of a database where it is one. */
export function inDatabase<T>(
  { store, tracing }: MemoryContext,
  operation: DatabaseCall['operation'],
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const { databaseSystem } = store;
  return databaseSystem ? tracing.inDatabase({ system: databaseSystem, operation, table }, work) : work();
}
