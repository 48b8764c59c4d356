import { InMemoryMemoryStore } from './in-memory-store.js';
import { memoryStoreContract } from './memory-store-contract.js';

memoryStoreContract('InMemoryMemoryStore', async () => ({ store: new InMemoryMemoryStore() }));
