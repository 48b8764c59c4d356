import { performance } from 'node:perf_hooks';
import { scopeKey } from '../model/scope.js';
import type { Scope } from '../model/scope.js';
import type { MemoryStore } from '../storage/memory-store.js';

/** How long a scope that was seen on is taken to be on, in milliseconds. */
const TRUSTED_MS = 5_000;

/** Scopes kept in mind, some hundred bytes each; past it all are looked up again. */
const SCOPES_MAX = 10_000;

/**
 * Says whether memory is on before a query is sent to a provider, without a round trip for each recall: a scope that was
 * seen on is trusted for some seconds, one that is off never. A switch that is turned in this process counts at once. One
 * turned by another process counts at once for what is recalled, because the recall statement asks too; only that the
 * query still reaches the embedder can last for those seconds.
 */
export class ScopeSwitches {
  private readonly trustedUntil = new Map<string, number>();
  private turns = 0;

  /** @param now monotonic, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @param store the one of the call: in a transaction of the host, no second connection may be asked for */
  async isOn(store: Pick<MemoryStore, 'settings'>, scope: Scope): Promise<boolean> {
    const key = scopeKey(scope);
    if ((this.trustedUntil.get(key) ?? 0) > this.now()) return true;
    const { turns } = this;
    const { enabled } = await store.settings(scope);
    // An answer that was under way while a switch was turned may be the one from before.
    if (enabled && turns === this.turns) {
      if (this.trustedUntil.size >= SCOPES_MAX) this.trustedUntil.clear();
      this.trustedUntil.set(key, this.now() + TRUSTED_MS);
    }
    return enabled;
  }

  /** Its switch was turned, or its owner is to leave no trace: look it up again. */
  forget(scope: Scope): void {
    this.turns += 1;
    this.trustedUntil.delete(scopeKey(scope));
  }
}
