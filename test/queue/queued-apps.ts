import type { LoggerService, ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import type { MemoryModuleOptions, QueueDefinition, ScopedMemory } from 'nestjs-engram';
import { DeterministicEmbedder, InMemoryMemoryStore, inMemoryStorage, ScriptedCompletion } from 'nestjs-engram/testing';
import { extracted } from '../memory/memory-app.js';
import { until } from '../support/until.js';

/** Apps on one queue whose server comes and goes; the memories are elsewhere, and stay. */
export class QueuedApps {
  readonly store = new InMemoryMemoryStore();
  readonly logged: string[] = [];
  private readonly apps: TestingModule[] = [];

  constructor(
    private readonly queue: () => QueueDefinition,
    private readonly imports: () => NonNullable<ModuleMetadata['imports']> = () => [],
  ) {}

  async boot(options: Partial<MemoryModuleOptions> = {}): Promise<ScopedMemory> {
    const keep = (message: unknown): void => void this.logged.push(String(message));
    const logger: LoggerService = { log: keep, warn: keep, error: keep };
    const app = await Test.createTestingModule({
      imports: [
        ...this.imports(),
        MemoryModule.forRoot({
          storage: inMemoryStorage(this.store),
          queue: this.queue(),
          embedder: new DeterministicEmbedder(),
          completion: new ScriptedCompletion(Array<string>(100).fill(extracted('Is vegetarian')), {
            tasks: ['extract'],
          }),
          // The grace of what hangs is longer than what a test lets the end of an app take.
          observation: { sweepIntervalMs: 100, shutdownGraceMs: 60_000 },
          ...options,
        }),
      ],
    })
      .setLogger(logger)
      .compile();
    this.apps.push(app);
    await app.init();
    return app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:42' });
  }

  /** What was logged of the queue. */
  ofQueue(): string[] {
    return this.logged.filter((line) => line.includes(`The queue ${this.queue().adapter}`));
  }

  async learned(memory: ScopedMemory, turnId: string): Promise<void> {
    let status: string | undefined;
    await until(
      async () => {
        status = (await memory.observation(turnId))?.status;
        return status === 'applied' || status === 'nothing';
      },
      () => `${turnId} is ${status}\n${this.logged.join('\n')}\nThe end of it`,
    );
  }

  async closeLast(): Promise<void> {
    await this.apps.pop()?.close();
  }

  async close(): Promise<void> {
    for (const app of this.apps.splice(0)) await app.close();
  }
}

export function say(memory: ScopedMemory, turnId: string): ReturnType<ScopedMemory['observeLater']> {
  return memory.observeLater([{ role: 'user', content: `I am vegetarian, ${turnId}` }], { turnId });
}
