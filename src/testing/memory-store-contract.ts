import type { MemoryStore } from '../storage/memory-store.js';
import { erasureContract } from './memory-store-contract/erasure.js';
import { exportsContract } from './memory-store-contract/exports.js';
import { figuresContract } from './memory-store-contract/figures.js';
import { listsContract } from './memory-store-contract/lists.js';
import { pastContract } from './memory-store-contract/past.js';
import { reEmbeddingContract } from './memory-store-contract/re-embedding.js';
import { readsByIdContract } from './memory-store-contract/reads-by-id.js';
import { recallContract } from './memory-store-contract/recall.js';
import { removalsContract } from './memory-store-contract/removals.js';
import { scopesContract } from './memory-store-contract/scopes.js';
import { staleMemoriesContract } from './memory-store-contract/stale-memories.js';
import { switchContract } from './memory-store-contract/switch.js';
import { touchesContract } from './memory-store-contract/touches.js';
import { turnLogContract } from './memory-store-contract/turn-log.js';
import { updatesContract } from './memory-store-contract/updates.js';
import { writesContract } from './memory-store-contract/writes.js';
import { StoreUnderTest } from './memory-store-contract/store-under-test.js';
import { testRunner } from './test-runner.js';

/** What the contract needs of the store under test. */
export interface MemoryStoreSubject {
  /** Not started yet. */
  readonly store: MemoryStore;
  /** Called last, after `store.stop()`. */
  close?(): Promise<void>;
}

/**
 * Declares the tests that an own `MemoryStore` must pass, with the runner's global `describe`, `it`, `beforeAll` and
 * `afterAll` (jest, vitest). The store may hold other data; every test takes a tenant of its own.
 *
 * @example memoryStoreContract('MyStore', async () => ({ store: new MyStore() }));
 */
export function memoryStoreContract(name: string, createSubject: () => Promise<MemoryStoreSubject>): void {
  const { describe, beforeAll, afterAll } = testRunner();

  describe(`${name} keeps the contract of a memory store`, () => {
    const subject = new StoreUnderTest();
    let close: MemoryStoreSubject['close'];

    beforeAll(async () => {
      const created = await createSubject();
      close = created.close?.bind(created);
      await subject.start(created.store);
    });

    afterAll(async () => {
      await subject.store.stop();
      await close?.();
    });

    scopesContract(subject);
    writesContract(subject);
    updatesContract(subject);
    removalsContract(subject);
    readsByIdContract(subject);
    listsContract(subject);
    recallContract(subject);
    staleMemoriesContract(subject);
    reEmbeddingContract(subject);
    exportsContract(subject);
    touchesContract(subject);
    turnLogContract(subject);
    switchContract(subject);
    erasureContract(subject);
    pastContract(subject);
    figuresContract(subject);
  });
}
