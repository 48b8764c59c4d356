import { describe, expect, it } from '@jest/globals';
import { Injectable, Logger, Module } from '@nestjs/common';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Test } from '@nestjs/testing';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import type { MemoryChangedEvent, MemoryModuleOptions } from 'nestjs-engram';
import { DeterministicEmbedder, inMemoryStorage, ScriptedCompletion } from 'nestjs-engram/testing';

const ports = { embedder: new DeterministicEmbedder(), completion: new ScriptedCompletion() };
const boot = async (options: unknown): Promise<MemoryService> => {
  const module = await Test.createTestingModule({
    imports: [MemoryModule.forRoot({ storage: inMemoryStorage(), ...(options as MemoryModuleOptions) })],
  }).compile();
  await module.init();
  const service = module.get(MemoryService);
  await module.close();
  return service;
};

describe('MemoryModule', () => {
  it('boots with an embedder and a completion', async () => {
    expect((await boot(ports)).adapters()).toEqual({
      store: 'in-memory',
      queue: 'in-process',
      embedder: 'deterministic:words:64',
      completion: 'scripted:answers',
    });
  });

  it.each([
    ['embedder', { completion: ports.completion }],
    ['embedder', { ...ports, embedder: {} }],
    ['embedder', { ...ports, embedder: new DeterministicEmbedder(16_001) }],
    ['embedder', { ...ports, embedder: new DeterministicEmbedder(0) }],
    ['embedder', { ...ports, embedder: Object.assign(new DeterministicEmbedder(), { space: 'mine' }) }],
    ['completion', { embedder: ports.embedder }],
    ['embedder', { ...ports, embedder: Object.assign(new DeterministicEmbedder(), { calibration: undefined }) }],
    [
      'embedder',
      { ...ports, embedder: Object.assign(new DeterministicEmbedder(), { calibration: { maxDistance: 1 } }) },
    ],
    ['completion', { ...ports, completion: { name: 'mine', complete: () => Promise.resolve({ text: '' }) } }],
    ['policy', { ...ports, policy: { check: () => null } }],
    ['redactor', { ...ports, redactor: (text: string) => text }],
    ['events', { ...ports, events: {} }],
    ['clock', { ...ports, clock: () => new Date() }],
    ['tokenCounter', { ...ports, tokenCounter: null }],
    ['scopeIdentifier', { ...ports, scopeIdentifier: 'user' }],
    ['embeder', { ...ports, embeder: 1 }],
    ['recall', { ...ports, recall: 5 }],
    ['recall.limit', { ...ports, recall: { limit: 0 } }],
    ['recall.limits', { ...ports, recall: { limits: 5 } }],
    ['recall.mode', { ...ports, recall: { mode: 'fuzzy' } }],
    ['recall.maxDistance', { ...ports, recall: { maxDistance: NaN } }],
    ['limits.contentLength', { ...ports, limits: { contentLength: '500' } }],
    ['circuit.failures', { ...ports, circuit: { failures: 0 } }],
    ['circuit.openMs', { ...ports, circuit: { openMs: '5s' } }],
    ['circuit.maxOpenMs', { ...ports, circuit: { openMs: 70_000, maxOpenMs: 60_000 } }],
    ['circuit.retries', { ...ports, circuit: { retries: 1 } }],
    ['observation.leaseMs', { ...ports, observation: { leaseMs: 10 } }],
    ['observation.modelTimeoutMs', { ...ports, observation: { leaseMs: 5_000, modelTimeoutMs: 5_000 } }],
    [
      'observation.consolidation',
      {
        ...ports,
        completion: new ScriptedCompletion([], { tasks: ['extract'] }),
        observation: { consolidation: 'llm' },
      },
    ],
    ['storage', { ...ports, storage: { adapter: 'x' } }],
    ['storage', { ...ports, storage: () => undefined }],
    ['queue', { ...ports, queue: 'redis' }],
  ])('refuses to boot on a wrong %s and names it', async (option, options) => {
    await expect((async () => boot(options))()).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      option,
      message: expect.stringContaining(option),
    });
  });

  it('takes values from an async factory and structure from beside it', async () => {
    const module = await Test.createTestingModule({
      imports: [MemoryModule.forRootAsync({ storage: inMemoryStorage(), useFactory: () => Promise.resolve(ports) })],
    }).compile();
    expect(module.get(MemoryService).adapters().store).toBe('in-memory');
    await module.close();
  });

  it.each([[undefined], [null]])('says what is missing where the async factory returns %s', async (values) => {
    const module = Test.createTestingModule({
      imports: [
        MemoryModule.forRootAsync({
          storage: inMemoryStorage(),
          useFactory: () => Promise.resolve(values as unknown as typeof ports),
        }),
      ],
    });
    await expect(module.compile()).rejects.toMatchObject({ code: 'INVALID_OPTIONS', option: 'options' });
  });

  it('refuses structure that the factory returns, instead of ignoring it', async () => {
    const late = Test.createTestingModule({
      imports: [
        MemoryModule.forRootAsync({
          storage: inMemoryStorage(),
          useFactory: () => ({ ...ports, isGlobal: false }) as never,
        }),
      ],
    }).compile();
    await expect(late).rejects.toMatchObject({
      option: 'isGlobal',
      message: expect.stringContaining('beside useFactory'),
    });
  });

  it('is seen by every module, and with isGlobal false only by those that import it', async () => {
    @Injectable()
    class Chat {
      constructor(readonly memories: MemoryService) {}
    }
    @Module({ providers: [Chat] })
    class ChatModule {}
    const withMemory = (isGlobal: boolean): Promise<unknown> =>
      Test.createTestingModule({
        imports: [MemoryModule.forRoot({ ...ports, storage: inMemoryStorage(), isGlobal }), ChatModule],
      }).compile();
    await expect(withMemory(true)).resolves.toBeDefined();
    await expect(withMemory(false)).rejects.toThrow(/Chat/);
  });

  it('names the missing DataSource when no storage is given and the app has none', async () => {
    await expect(Test.createTestingModule({ imports: [MemoryModule.forRoot(ports)] }).compile()).rejects.toMatchObject({
      option: 'storage',
      message: expect.stringContaining('embeddedPostgres'),
    });
  });

  it("publishes on Nest's event emitter, and a listener that throws harms nobody", async () => {
    const heard: MemoryChangedEvent[] = [];
    @Injectable()
    class Listener {
      @OnEvent('memory.added', { suppressErrors: false })
      fail(): void {
        throw new Error('listener');
      }

      @OnEvent('memory.added')
      hear(event: MemoryChangedEvent): void {
        heard.push(event);
      }
    }
    const module = await Test.createTestingModule({
      imports: [EventEmitterModule.forRoot(), MemoryModule.forRoot({ ...ports, storage: inMemoryStorage() })],
      providers: [Listener],
    }).compile();
    Logger.overrideLogger(false);
    await module.init();
    const { memory } = await module.get(MemoryService).for({ tenantId: 'acme', scope: 'user:1' }).add('Is vegetarian');
    expect(heard).toEqual([expect.objectContaining({ memoryId: memory?.id, scope: 'user:1' })]);
    await module.close();
  });

  it.each([
    undefined,
    null,
    {},
    { tenantId: 'acme' },
    { scope: 'user:1' },
    { tenantId: '', scope: 'user:1' },
    { tenantId: 'acme', scope: 7 },
  ])('gives no memory without a scope: %j', async (scope) => {
    const service = await boot(ports);
    expect(() => service.for(scope as never)).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }));
  });
});
