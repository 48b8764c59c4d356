import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import type { LoggerService } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { MemoryModule, MemoryService, OnMemoryEvent } from 'nestjs-engram';
import type { MemoryEventMap, MemoryModuleOptions } from 'nestjs-engram';
import { DeterministicEmbedder, inMemoryStorage, ScriptedCompletion } from 'nestjs-engram/testing';

/** What a listener knows may be in what it throws. */
const TOLD = 'the listener knew of the blue bicycle';

class ListenerFault extends Error {
  override readonly name = 'ListenerFault';
}

@Injectable()
class Listeners {
  readonly heard: string[] = [];

  @OnMemoryEvent('memory.added')
  throwing(): void {
    throw new ListenerFault(TOLD);
  }

  @OnMemoryEvent('memory.added')
  async rejecting(): Promise<void> {
    await Promise.resolve();
    throw new ListenerFault(TOLD);
  }

  @OnMemoryEvent('memory.added')
  hanging(): Promise<void> {
    return new Promise(() => undefined);
  }

  @OnMemoryEvent('memory.added')
  async hearing({ memoryId }: MemoryEventMap['memory.added']): Promise<void> {
    this.heard.push(memoryId);
  }

  // @ts-expect-error -- the payload is not that of this event
  @OnMemoryEvent('memory.erased')
  mistyped({ memoryId }: MemoryEventMap['memory.added']): void {
    this.heard.push(memoryId);
  }
}

/** What Nest's logger was given, as one text. */
class Lines implements LoggerService {
  readonly lines: string[] = [];
  private readonly keep = (...parts: unknown[]): void => void this.lines.push(parts.map(String).join(' '));
  readonly log = this.keep;
  readonly error = this.keep;
  readonly warn = this.keep;
  readonly debug = this.keep;
  readonly verbose = this.keep;
}

describe('listeners of events', () => {
  let module: TestingModule;
  let lines: Lines;
  const unhandled = jest.fn();

  beforeEach(() => {
    unhandled.mockClear();
    process.on('unhandledRejection', unhandled);
    lines = new Lines();
  });
  afterEach(async () => {
    process.off('unhandledRejection', unhandled);
    Logger.overrideLogger(false);
    await module.close();
  });

  const boot = async (
    options: Partial<MemoryModuleOptions> = {},
    emitter: Parameters<typeof EventEmitterModule.forRoot>[0] = {},
  ): Promise<void> => {
    module = await Test.createTestingModule({
      imports: [
        EventEmitterModule.forRoot(emitter),
        MemoryModule.forRoot({
          storage: inMemoryStorage(),
          embedder: new DeterministicEmbedder(),
          completion: new ScriptedCompletion(),
          ...options,
        }),
      ],
      providers: [Listeners],
    })
      .setLogger(lines)
      .compile();
    await module.init();
    lines.lines.length = 0;
  };
  const add = async (): Promise<string | undefined> => {
    const { memory } = await module.get(MemoryService).for({ tenantId: 'acme', scope: 'user:1' }).add('Owns a bicycle');
    // A rejection that nobody handles is told once the microtasks are done.
    await new Promise(setImmediate);
    return memory?.id;
  };
  const failures = (): string[] => lines.lines.filter((line) => line.includes('failed with ListenerFault'));

  it('that throw, reject or never end keep nobody from hearing, nor the call from resolving', async () => {
    await boot();
    const id = await add();
    expect(module.get(Listeners).heard).toEqual([id]);
    expect(failures()).toHaveLength(2);
    expect(lines.lines.join()).not.toContain(TOLD);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it.each([
    ['by name', {}, (emitter: EventEmitter2, hear: () => unknown) => emitter.on('memory.added', hear)],
    ['by pattern', { wildcard: true }, (emitter: EventEmitter2, hear: () => unknown) => emitter.on('memory.*', hear)],
    ['to everything', {}, (emitter: EventEmitter2, hear: () => unknown) => emitter.onAny(hear)],
    ['once', {}, (emitter: EventEmitter2, hear: () => unknown) => emitter.once('memory.added', hear)],
  ] as const)('on the emitter itself, %s, do neither', async (_, options, listen) => {
    await boot({}, options);
    const emitter = module.get(EventEmitter2);
    const second = jest.fn();
    listen(emitter, () => {
      throw new ListenerFault(TOLD);
    });
    listen(emitter, async () => {
      throw new ListenerFault(TOLD);
    });
    listen(emitter, second);
    const id = await add();
    expect(second.mock.calls.flat()).toContainEqual(expect.objectContaining({ memoryId: id }));
    expect(module.get(Listeners).heard).toEqual([id]);
    expect(lines.lines.join()).not.toContain(TOLD);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('know which event it is where they hear several', async () => {
    await boot({}, { wildcard: true });
    const emitter = module.get(EventEmitter2);
    const names: unknown[] = [];
    emitter.on('memory.*', function (this: { event?: string }) {
      names.push(this.event);
    });
    await add();
    expect(names).toEqual(['memory.added']);
  });

  it('of the service do neither', async () => {
    await boot();
    const service = module.get(MemoryService);
    const names: string[] = [];
    service.onEvent(() => {
      throw new ListenerFault(TOLD);
    });
    service.onEvent(async () => {
      throw new ListenerFault(TOLD);
    });
    service.onEvent(({ name }) => void names.push(name));
    await add();
    expect(names).toEqual(['engram.embed', 'memory.added', 'engram.add']);
    expect(failures()).toHaveLength(8);
    expect(lines.lines.join()).not.toContain(TOLD);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("need not fear a publisher of the app's own that fails", async () => {
    const publish = async (): Promise<void> => {
      throw new ListenerFault(TOLD);
    };
    await boot({ events: { publish } });
    const second = jest.fn<() => void>();
    module.get(MemoryService).onEvent(second);
    await add();
    expect(second).toHaveBeenCalledTimes(3);
    expect(lines.lines.join()).not.toContain(TOLD);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
