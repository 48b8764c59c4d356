import { scopeKey } from '../model/scope.js';
import type { Scope } from '../model/scope.js';

/** Longest that events wait for those of an earlier commit, in milliseconds: its answer may have been lost on the way. */
const LONGEST_WAIT_MS = 5_000;

/**
 * How a transaction holds its scope: `shared` beside `shared` and `write`, `write` beside `shared`, `alone` beside none;
 * `beside` as `write`, but beside one other that may be at work.
 */
export type ScopeLock = 'shared' | 'write' | 'alone' | 'beside';

/** A transaction's place among those of its scope, by the order in which they held the lock. It has to be given up by one of the two. */
export interface Place {
  /** It committed: `publish` is called once the earlier ones are told, at once where there are none. */
  tell(publish: () => void): void;
  /** It came to nothing, and there is nothing to tell. */
  leave(): void;
}

/** Locks that are held for as long as their transaction works. */
const HOLDING: readonly ScopeLock[] = ['write', 'alone'];

interface Entry {
  readonly lock: ScopeLock;
  /** Null: not ended yet. */
  publish: (() => void) | null;
  /** Given up by those behind it. */
  passedOver: boolean;
  /** Waits, with an end to it. */
  timed: boolean;
}

/**
 * Lets the events of one scope out in the order of its commits. The answers to two commits come on two connections, and
 * the later one may come first. Who holds a lock knows that whoever held one before that excludes it has ended, so its
 * events wait for no transaction that is still at work.
 */
export class CommitOrder {
  private readonly lines = new Map<string, Entry[]>();

  constructor(private readonly longestWaitMs: number = LONGEST_WAIT_MS) {}

  /** Called while the lock is held. */
  enter(scope: Scope, lock: ScopeLock): Place {
    const key = scopeKey(scope);
    const line = this.lines.get(key) ?? [];
    this.lines.set(key, line);
    const entry: Entry = { lock, publish: null, passedOver: false, timed: false };
    line.push(entry);
    return {
      tell: (publish) => this.end(key, entry, publish),
      leave: () => this.end(key, entry, () => undefined),
    };
  }

  private end(key: string, entry: Entry, publish: () => void): void {
    if (entry.passedOver) {
      publish();
      return;
    }
    entry.publish = publish;
    this.advance(key);
  }

  /** Tells what need not wait any more. */
  private advance(key: string): void {
    const line = this.lines.get(key);
    if (!line) return;
    for (;;) {
      const index = line.findIndex((entry, place) => entry.publish && blockersOf(line, place).length === 0);
      const [next] = index < 0 ? [] : line.splice(index, 1);
      if (!next) break;
      next.publish?.();
    }
    if (line.length === 0) this.lines.delete(key);
    const waiting = line.find(({ publish }) => publish);
    if (!waiting || waiting.timed) return;
    waiting.timed = true;
    setTimeout(() => this.passOver(key, waiting), this.longestWaitMs).unref();
  }

  private passOver(key: string, waiting: Entry): void {
    const line = this.lines.get(key);
    const place = line?.indexOf(waiting) ?? -1;
    if (!line || place < 0) return;
    for (const blocker of blockersOf(line, place)) {
      blocker.passedOver = true;
      line.splice(line.indexOf(blocker), 1);
    }
    this.advance(key);
  }
}

function blockersOf(line: readonly Entry[], place: number): Entry[] {
  const { lock } = line[place] ?? { lock: 'shared' };
  const earlier = line.slice(0, place);
  // Those before the last one have ended, or it would not have got the lock.
  const atWork = lock === 'beside' ? earlier.findLast((entry) => HOLDING.includes(entry.lock)) : undefined;
  return earlier.filter((entry) => entry !== atWork && excludes(entry.lock, lock));
}

function excludes(one: ScopeLock, other: ScopeLock): boolean {
  return one === 'alone' || other === 'alone' || (one !== 'shared' && other !== 'shared');
}
