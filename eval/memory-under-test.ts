import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { LocalCompletion } from '../src/completion/local/local-completion.js';
import type { Embedder } from '../src/embedding/embedder.js';
import { MemoryModule } from '../src/memory.module.js';
import type { MemoryValues } from '../src/memory.options.js';
import { MEMORY_STORE } from '../src/memory.tokens.js';
import { MemoryService } from '../src/memory/memory.service.js';
import { embeddedPostgres } from '../src/storage/embedded/embedded-storage.js';
import type { MemoryStore } from '../src/storage/memory-store.js';

/** The product as a host gets it: the module, the embedded database in an empty folder, the local adapters. */
export interface MemoryUnderTest {
  readonly service: MemoryService;
  /** For what the public surface does not show: distance and coverage of every memory, let in or not. */
  readonly store: MemoryStore;
  close(): Promise<void>;
}

export async function startMemory(embedder: Embedder, values: Partial<MemoryValues> = {}): Promise<MemoryUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engram-eval-'));
  const app = await NestFactory.createApplicationContext(
    MemoryModule.forRoot({
      storage: embeddedPostgres({ dataDir }),
      embedder,
      completion: new LocalCompletion(),
      // A slow machine shall measure the same as a fast one.
      recall: { embedTimeoutMs: 60_000 },
      ...values,
    }),
    { logger: ['error', 'warn'] },
  );
  return {
    service: app.get(MemoryService),
    store: app.get<MemoryStore>(MEMORY_STORE),
    close: async () => {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
