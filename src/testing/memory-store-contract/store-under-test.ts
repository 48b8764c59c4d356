import assert from 'node:assert/strict';
import type { Memory } from '../../model/memory.js';
import type { Scope } from '../../model/scope.js';
import type { ClaimedTurn, MemoryStore, NewMemory, NewTurn, TurnLog } from '../../storage/memory-store.js';
import { first, newTurn } from './samples.js';

/** The store as the parts of its contract use it, once it is started. */
export class StoreUnderTest {
  private started: MemoryStore | null = null;

  get store(): MemoryStore {
    assert.ok(this.started, 'the store should be started');
    return this.started;
  }

  async start(store: MemoryStore): Promise<void> {
    await store.start();
    this.started = store;
  }

  readonly remember = (scope: Scope, ...memories: NewMemory[]): Promise<Memory[]> =>
    this.store.write(scope, (writer) => writer.insert(memories));

  readonly rememberOne = async (scope: Scope, memory: NewMemory): Promise<Memory> =>
    first(await this.remember(scope, memory));

  readonly handIn = async (scope: Scope, turn: Partial<NewTurn> = {}): ReturnType<TurnLog['insert']> =>
    this.store.turns.insert(scope, newTurn((await this.store.scopeState(scope)).generation, turn));

  readonly claimed = async (scope: Scope, leaseMs = 60_000): Promise<ClaimedTurn> => {
    const turn = await this.store.turns.claim(scope, { leaseMs });
    assert.ok(turn, 'a turn should be due');
    return turn;
  };
}
