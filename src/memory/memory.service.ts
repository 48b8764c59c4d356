import type { EventFanOut, MemoryEventListener } from '../events/event-fan-out.js';
import type { Scope } from '../model/scope.js';
import type { CircuitReport } from '../provider/circuit.js';
import type { MemoryContext } from './memory-context.js';
import { ScopedMemory } from './scoped-memory.js';
import { upkeep } from './upkeep.js';
import type { UpkeepSummary } from './upkeep.js';
import { validateScope } from './validate-scope.js';

/** The way in. Nothing can be read or written without saying whose memory it is. */
export class MemoryService {
  constructor(
    private readonly context: MemoryContext,
    private readonly events: EventFanOut,
  ) {}

  /** @throws InvalidScopeError when tenant or scope is missing, empty, too long or not a string */
  for(scope: Scope): ScopedMemory {
    return new ScopedMemory(this.context, validateScope(scope));
  }

  /** Resolves when memories can be read and written. @throws UnavailableError */
  check(): Promise<void> {
    return this.context.store.check();
  }

  /**
   * Closes memories that have expired, as revisions with a `memory.expired` event, and drops revisions that ended longer
   * ago than `retention.days`, in all scopes; gives large scopes their own index with the storage's `indexScopesFrom`.
   * The module does it every `retention.upkeepIntervalMs` by itself, indexes every ten minutes.
   */
  upkeep(signal?: AbortSignal): Promise<UpkeepSummary> {
    return upkeep(this.context, { signal });
  }

  /**
   * Which providers are asked, and which have failed so often that they are left alone: the embedder, its queries, the
   * completion. The same is told by `engram.circuit` events.
   */
  circuits(): readonly CircuitReport[] {
    return this.context.circuits.map((circuit) => circuit.report());
  }

  /**
   * Hears every event of this process, with or without Nest's EventEmitter2: domain events after commit, telemetry as it
   * happens. What the listener throws is logged by its class and harms nobody.
   * @returns what ends the listening
   */
  onEvent(listener: MemoryEventListener): () => void {
    return this.events.listen(listener);
  }

  /** The adapters this app runs on. */
  adapters(): {
    readonly store: string;
    readonly queue: string;
    readonly embedder: string;
    readonly completion: string;
  } {
    const { store, queue, embedder, completion } = this.context;
    return { store: store.adapter, queue: queue.adapter, embedder: embedder.space, completion: completion.name };
  }
}
