import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import type { MemoryModuleOptions, ScopedMemory } from 'nestjs-engram';
import {
  DeterministicEmbedder,
  InMemoryMemoryStore,
  inMemoryStorage,
  RecordingEventPublisher,
  ScriptedCompletion,
} from 'nestjs-engram/testing';
import { contentHash as hashOf } from '../../src/model/content.js';
import { newMemory } from '../support/new-memory.js';

/** A fixed evening, so that "now" is the same in every run. */
export const NOW = new Date('2026-03-05T18:30:00.000Z');

const embedder = new DeterministicEmbedder();

export interface MemoryApp {
  readonly module: TestingModule;
  readonly store: InMemoryMemoryStore;
  readonly events: RecordingEventPublisher;
  readonly completion: ScriptedCompletion;
  /** Memory of one user of tenant `acme`. */
  of(user: string, tenantId?: string): ScopedMemory;
  close(): Promise<void>;
}

/** The real module and use cases on doubles of every port: what is tested here are the rules above the ports. */
export async function memoryApp(options: Partial<MemoryModuleOptions> = {}): Promise<MemoryApp> {
  const store = new InMemoryMemoryStore();
  const events = new RecordingEventPublisher();
  const completion = new ScriptedCompletion();
  const module = await Test.createTestingModule({
    imports: [
      MemoryModule.forRoot({
        storage: inMemoryStorage(store),
        embedder,
        completion,
        events,
        clock: { now: () => NOW },
        ...options,
        observation: { sweepIntervalMs: 0, ...options.observation },
      }),
    ],
  }).compile();
  await module.init();
  const service = module.get(MemoryService);
  return {
    module,
    store,
    events,
    completion,
    of: (user, tenantId = 'acme') => service.for({ tenantId, scope: `user:${user}` }),
    close: () => module.close(),
  };
}

/** Changes a text as a turn of before does: nothing that is said later stands behind it. */
export async function changeFromBefore(
  { store }: MemoryApp,
  { scope }: ScopedMemory,
  from: string,
  to: string,
): Promise<void> {
  const values = await embedder.embedQuery(to);
  const { content, contentHash, searchText, vector } = newMemory(to, { vector: { space: embedder.space, values } });
  await store.write(scope, async (writer) => {
    const [memory] = await writer.findByHashes([hashOf(from)]);
    if (!memory) throw new Error(`There is no memory "${from}".`);
    const text = { content, contentHash, searchText, vector };
    await writer.update(memory, { text }, { endedBy: 'update', turnId: 'of before' });
  });
}

/** An extraction answer as a model would give it. */
export function extracted(...memories: (string | Record<string, unknown>)[]): string {
  return JSON.stringify({
    memories: memories.map((memory) =>
      typeof memory === 'string' ? { content: memory, kind: 'fact', importance: 0.5, message: 0 } : memory,
    ),
  });
}

export function decided(action: string, memory: string | null = null, content: string | null = null): string {
  return JSON.stringify({ action, memory, content });
}
