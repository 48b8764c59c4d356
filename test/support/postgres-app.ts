import { Test } from '@nestjs/testing';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import type { MemoryModuleOptions, ObservationQueue, ScopedMemory, TurnKey } from 'nestjs-engram';
import { DeterministicEmbedder, RecordingEventPublisher, ScriptedCompletion } from 'nestjs-engram/testing';
import type { DataSource } from 'typeorm';
import { MEMORY_CONTEXT } from '../../src/memory.tokens.js';
import type { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { openPostgresStore } from './postgres-store.js';

export interface PostgresApp {
  readonly service: MemoryService;
  readonly store: PostgresMemoryStore;
  readonly dataSource: DataSource;
  readonly events: RecordingEventPublisher;
  /** Wake-ups, in the order they were handed over; nobody works on them. */
  readonly wakeUps: readonly TurnKey[];
  /** Memory of one user of tenant `acme`. */
  of(user: string): ScopedMemory;
  close(): Promise<void>;
}

/** The real module on a real Postgres of its own. Doubles: embedder, completion, events, and a queue that only listens. */
export async function openPostgresApp({
  store: storeOptions = {},
  ...options
}: Partial<MemoryModuleOptions> & {
  store?: Parameters<typeof openPostgresStore>[0];
} = {}): Promise<PostgresApp> {
  const subject = await openPostgresStore(storeOptions);
  const events = new RecordingEventPublisher();
  const wakeUps: TurnKey[] = [];
  const queue: ObservationQueue = {
    adapter: 'listening',
    start: () => Promise.resolve(),
    enqueue: async (key) => void wakeUps.push(key),
    stop: () => Promise.resolve(),
  };
  const module = await Test.createTestingModule({
    imports: [
      MemoryModule.forRoot({
        storage: { adapter: 'postgres', create: () => subject.store },
        queue: { adapter: queue.adapter, create: () => queue },
        embedder: new DeterministicEmbedder(),
        completion: new ScriptedCompletion(),
        events,
        ...options,
        observation: { sweepIntervalMs: 0, ...options.observation },
      }),
    ],
  }).compile();
  // An answer that a test keeps back does not count as lost, however busy the machine is.
  Reflect.set(module.get(MEMORY_CONTEXT).commits, 'longestWaitMs', 600_000);
  await module.init();
  const service = module.get(MemoryService);
  return {
    service,
    store: subject.store,
    dataSource: subject.dataSource,
    events,
    wakeUps,
    of: (user) => service.for({ tenantId: 'acme', scope: `user:${user}` }),
    close: async () => {
      await module.close();
      await subject.close();
    },
  };
}
