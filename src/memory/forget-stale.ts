import { InvalidInputError } from '../errors/invalid-input-error.js';
import type { Memory } from '../model/memory.js';
import type { Scope } from '../model/scope.js';
import type { ScopeWriter } from '../storage/memory-store.js';
import { changedEvent } from './changed-event.js';
import type { MemoryContext } from './memory-context.js';
import { validateDate, validateImportance, validateNumber } from './validate-input.js';
import { writeInOrder } from './write-in-order.js';

/** Memories of one transaction: the scope's lock is held for moments only. */
const ROWS_A_TRANSACTION = 100;
/** Most days of `olderThan`. */
export const STALE_DAYS_MAX = 36_500;
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface ForgetStaleInput {
  /** A moment, or days before now, 0-36,500. */
  readonly olderThan: Date | number;
  /** Memories of this importance or more stay, however old they are; 0-1. @default none: importance keeps nothing */
  readonly minImportance?: number;
}

/**
 * Forgets what has been of no use: memories whose last change (`updatedAt`) and last recall (`lastAccessedAt`) both lie
 * before `olderThan`, by the database's clock, and whose importance is below `minImportance`. Their last states stay as
 * revisions, as after `forget`. In batches: a throw on the way leaves those before it forgotten.
 *
 * @returns how many
 * @throws InvalidInputError naming the option at fault
 */
export async function forgetStale(context: MemoryContext, scope: Scope, input: ForgetStaleInput): Promise<number> {
  const { olderThan, importanceBelow } = validate(input);
  // Recalls of the last second may not be counted in the store yet.
  await context.access.flush();
  let idleSince = typeof olderThan === 'number' ? null : olderThan;
  let count = 0;
  for (;;) {
    const write = async (writer: ScopeWriter): Promise<{ forgotten: readonly Memory[]; stamp: Date }> => {
      const since = (idleSince ??= new Date(writer.stamp.getTime() - Number(olderThan) * DAY_MS));
      const stale: readonly Memory[] = await writer.findStale({
        idleSince: since,
        importanceBelow,
        limit: ROWS_A_TRANSACTION,
      });
      for (const memory of stale) await writer.remove(memory, { endedBy: 'forget' });
      return { forgotten: stale, stamp: writer.stamp };
    };
    const { forgotten } = await writeInOrder(context, scope, write, (batch) => {
      for (const memory of batch.forgotten)
        context.events.publish('memory.forgotten', changedEvent(scope, memory, batch.stamp, null));
    });
    if (forgotten.length === 0) return count;
    count += forgotten.length;
  }
}

function validate(input: ForgetStaleInput | undefined): { olderThan: Date | number; importanceBelow: number | null } {
  const olderThan: unknown = input?.olderThan;
  const minImportance: unknown = input?.minImportance;
  if (typeof olderThan !== 'number' && !(olderThan instanceof Date)) {
    throw new InvalidInputError(
      'olderThan',
      'olderThan must be a Date or a number of days. There is no default age at which memories are forgotten.',
    );
  }
  return {
    olderThan:
      typeof olderThan === 'number'
        ? validateNumber('olderThan', olderThan, 0, STALE_DAYS_MAX)
        : validateDate('olderThan', olderThan),
    importanceBelow:
      minImportance === undefined || minImportance === null ? null : validateImportance('minImportance', minImportance),
  };
}
