import { scopeKey } from '../model/scope.js';
import type { Scope } from '../model/scope.js';
import type { MemoryStore } from '../storage/memory-store.js';

/** How long accesses gather before they are written, in milliseconds. */
const FLUSH_AFTER_MS = 1_000;

/**
 * Counts recalled memories off the hot path: accesses gather in memory and are written in one batch a scope.
 * Accesses of the last second are lost when the process is killed; they are statistics, not memories.
 */
export class AccessRecorder {
  private gathered = new Map<string, { scope: Scope; ids: Set<string> }>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<MemoryStore, 'touch'>,
    private readonly onError: (error: unknown) => void,
  ) {}

  record(scope: Scope, ids: readonly string[]): void {
    if (ids.length === 0) return;
    const key = scopeKey(scope);
    const entry = this.gathered.get(key) ?? { scope, ids: new Set<string>() };
    for (const id of ids) entry.ids.add(id);
    this.gathered.set(key, entry);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Drops what has gathered of one scope. What is being written already finds its memories gone, and passes them over. */
  discard(scope: Scope): void {
    this.gathered.delete(scopeKey(scope));
  }

  /** Writes what has gathered; resolves when it is in the store. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const batch = [...this.gathered.values()];
    this.gathered = new Map();
    this.writing = this.writing.then(async () => {
      for (const { scope, ids } of batch) {
        try {
          await this.store.touch(scope, [...ids]);
        } catch (error) {
          this.onError(error);
        }
      }
    });
    return this.writing;
  }
}
