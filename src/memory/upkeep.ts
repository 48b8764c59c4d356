import type { Memory } from '../model/memory.js';
import { scopeKey } from '../model/scope.js';
import type { Scope } from '../model/scope.js';
import type { OldTurns, ScopeWriter } from '../storage/memory-store.js';
import { changedEvent } from './changed-event.js';
import type { MemoryContext } from './memory-context.js';
import { writeInOrder } from './write-in-order.js';

/** Scopes of one round, and rows of each kind that one transaction of a scope takes: its lock is held for moments only. */
const SCOPES_A_ROUND = 100;
const ROWS_A_TRANSACTION = 100;
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface UpkeepSummary {
  /** Memories whose expiry had passed and that are revisions now. */
  readonly expired: number;
  /** Revisions that went because they ended longer ago than `retention.days`. */
  readonly dropped: number;
  /** Turns that were dropped, or whose messages were, since they ended longer ago than `observation` keeps them. */
  readonly turns: number;
  /** Large scopes that have their own index now, where the storage's `indexScopesFrom` asks for it. */
  readonly indexed: number;
  /** Scopes that could not be done now: another writer held them for too long, or their index could not be made. A later call finds them again. */
  readonly failed: number;
}

export interface UpkeepOptions {
  readonly signal?: AbortSignal;
  /** Look for large scopes without an index too; this reads the row of every scope. @default true */
  readonly indexes?: boolean;
}

/**
 * Closes what has expired and drops what is older than it is kept, in all scopes, in short transactions, until
 * nothing is left to do; then gives large scopes their index, where the storage has that. Reads hide expired memories
 * without it. Several processes may do it at once.
 */
export async function upkeep(
  context: MemoryContext,
  { signal, indexes = true }: UpkeepOptions = {},
): Promise<UpkeepSummary> {
  const total = { expired: 0, dropped: 0, turns: 0 };
  const failed = new Set<string>();
  const { days } = context.settings.retention;
  const { keepFailedTurns, keepTurns } = context.settings.observation;
  const daysAgo = (count: number | null): Date | null =>
    count === null ? null : new Date(context.clock.now().getTime() - count * DAY_MS);
  const endedBefore = daysAgo(days);
  const turns: OldTurns = { deadBefore: daysAgo(keepFailedTurns), endedBefore: daysAgo(keepTurns) };
  for (let progress = true; progress && !signal?.aborted;) {
    progress = false;
    const due = await context.store.dueForUpkeep({ revisionsEndedBefore: endedBefore, turns, limit: SCOPES_A_ROUND });
    for (const scope of due) {
      const key = scopeKey(scope);
      if (failed.has(key)) continue;
      if (signal?.aborted) break;
      try {
        const done = await tidy(context, scope, endedBefore);
        total.expired += done.expired;
        total.dropped += done.dropped;
        const old = await context.store.turns.dropOld(scope, { ...turns, limit: ROWS_A_TRANSACTION });
        total.turns += old;
        progress ||= done.expired + done.dropped + old > 0;
      } catch {
        failed.add(key);
      }
    }
  }
  const large = indexes && !signal?.aborted ? await context.store.indexLargeScopes?.(signal) : undefined;
  return { ...total, indexed: large?.indexed ?? 0, failed: failed.size + (large?.failed ?? 0) };
}

interface Tidied {
  readonly expired: readonly Memory[];
  /** Revisions. */
  readonly dropped: number;
  readonly stamp: Date;
}

async function tidy(
  context: MemoryContext,
  scope: Scope,
  endedBefore: Date | null,
): Promise<{ expired: number; dropped: number }> {
  const write = async (writer: ScopeWriter): Promise<Tidied> => {
    const expired: readonly Memory[] = await writer.findExpired({ limit: ROWS_A_TRANSACTION });
    for (const memory of expired) await writer.remove(memory, { endedBy: 'expire' });
    const dropped = endedBefore ? await writer.dropRevisions({ endedBefore, limit: ROWS_A_TRANSACTION }) : 0;
    return { expired, dropped, stamp: writer.stamp };
  };
  const { expired, dropped } = await writeInOrder(context, scope, write, (done) => {
    for (const memory of done.expired)
      context.events.publish('memory.expired', changedEvent(scope, memory, done.stamp, null));
  });
  return { expired: expired.length, dropped };
}
