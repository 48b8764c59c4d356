import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import type {
  Completion,
  CompletionRequest,
  MemoryModuleOptions,
  Observation,
  QueueDefinition,
  ScopedMemory,
  TurnHandler,
} from 'nestjs-engram';
import { DeterministicEmbedder, InMemoryMemoryStore, inMemoryStorage } from 'nestjs-engram/testing';
import { extracted } from '../memory/memory-app.js';
import { Gate } from '../support/gate.js';
import { until } from '../support/until.js';
import { brokers } from './queue-under-test.js';
import type { Broker } from './queue-under-test.js';

/** As a database, it outlives the processes that use it. */
class SharedStore extends InMemoryMemoryStore {
  override stop(): Promise<void> {
    return Promise.resolve();
  }
}

/** A model that learns each turn's own words, and is told by them when to wait or to break down. */
class ObedientModel implements Completion {
  readonly name = 'obedient:model';
  readonly tasks = ['extract'] as const;
  /** What was said, in the order in which it was asked about. */
  readonly asked: string[] = [];
  readonly waits = new Map<string, Gate>();
  readonly signals: (AbortSignal | undefined)[] = [];
  atOnce = 0;
  mostAtOnce = 0;

  async complete({ input, signal }: CompletionRequest): Promise<{ text: string }> {
    const said = 'messages' in input ? (input.messages.at(-1)?.content ?? '') : '';
    this.asked.push(said);
    this.signals.push(signal);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      await this.waits.get(said)?.pass();
      await sleep(1);
      if (said.includes('poison')) throw new Error('broken');
      return { text: extracted(`Said ${said}`) };
    } finally {
      this.atOnce -= 1;
    }
  }

  waitAt(said: string): Gate {
    const gate = new Gate();
    this.waits.set(said, gate);
    return gate;
  }
}

describe.each(brokers)('turns on the queue %s', (_name, openBroker) => {
  let broker: Broker;
  let store: InMemoryMemoryStore;
  let model: ObedientModel;
  let apps: TestingModule[];

  beforeEach(async () => {
    broker = await openBroker();
    store = new SharedStore();
    model = new ObedientModel();
    apps = [];
  });
  afterEach(async () => {
    for (const gate of model.waits.values()) gate.open();
    for (const app of apps) await app.close();
  });

  /** One process on the broker and the store. */
  async function boot({
    concurrency = 4,
    queue = broker.queue({ concurrency }),
    observation = {},
    ...options
  }: Partial<MemoryModuleOptions> & { concurrency?: number } = {}): Promise<{
    app: TestingModule;
    of: (scope: string) => ScopedMemory;
  }> {
    const app = await Test.createTestingModule({
      imports: [
        ...broker.imports,
        MemoryModule.forRoot({
          storage: inMemoryStorage(store),
          queue,
          embedder: new DeterministicEmbedder(),
          completion: model,
          observation: { sweepIntervalMs: 100, retryDelayMs: 1, ...observation },
          ...options,
        }),
      ],
    }).compile();
    apps.push(app);
    await app.init();
    const service = app.get(MemoryService);
    return { app, of: (scope) => service.for({ tenantId: 'acme', scope }) };
  }

  const say = (memory: ScopedMemory, said: string): Promise<Observation> =>
    memory.observeLater([{ role: 'user', content: said }], { turnId: said });

  async function ended(memory: ScopedMemory, turnId: string): Promise<Observation> {
    let turn: Observation | null = null;
    await until(async () => {
      turn = await memory.observation(turnId);
      return turn !== null && !['pending', 'running', 'failed'].includes(turn.status);
    }, `The end of ${turnId}`);
    return turn as unknown as Observation;
  }

  it('are learned in order within a scope, and not more scopes at once than the process may', async () => {
    const { of } = await boot({ concurrency: 3 });
    const scopes = ['a', 'b', 'c', 'd', 'e'];
    for (let turn = 0; turn < 8; turn += 1) for (const scope of scopes) await say(of(scope), `${scope} ${turn}`);
    for (const scope of scopes) {
      await ended(of(scope), `${scope} 7`);
      expect(model.asked.filter((said) => said.startsWith(scope))).toEqual(
        Array.from({ length: 8 }, (_, turn) => `${scope} ${turn}`),
      );
    }
    expect(model.mostAtOnce).toBeLessThanOrEqual(3);
    expect(model.mostAtOnce).toBeGreaterThan(1);
  });

  it('of a scope that has very many let other scopes pass', async () => {
    // No sweeper, which would find what the queue forgets.
    const { of } = await boot({ concurrency: 1, observation: { sweepIntervalMs: 0 } });
    const gate = model.waitAt('busy 0');
    for (let turn = 0; turn < 60; turn += 1) await say(of('busy'), `busy ${turn}`);
    await gate.reached;
    await say(of('quick'), 'quick');
    gate.open();
    await ended(of('quick'), 'quick');
    expect(model.asked.indexOf('quick')).toBeLessThan(15);
    await ended(of('busy'), 'busy 59');
  });

  it('that break the model again and again do not stop those of other scopes', async () => {
    const { of } = await boot({ concurrency: 1, observation: { maxFailures: 3 } });
    await say(of('ill'), 'poison');
    await say(of('ill'), 'behind it');
    for (const scope of ['a', 'b', 'c']) await say(of(scope), `${scope} is well`);
    for (const scope of ['a', 'b', 'c'])
      expect(await ended(of(scope), `${scope} is well`)).toMatchObject({ status: 'applied' });
    expect(await ended(of('ill'), 'poison')).toMatchObject({ status: 'dead' });
    expect(await ended(of('ill'), 'behind it')).toMatchObject({ status: 'applied' });
  });

  it('are learned once, however often their wake-up is delivered', async () => {
    const queue = broker.queue({ concurrency: 4 });
    const twice: QueueDefinition = {
      ...queue,
      create: async (...dependencies) => {
        const made = await queue.create(...dependencies);
        const { start } = made;
        return Object.assign(made, {
          start: (handler: TurnHandler) =>
            start.call(made, async (key) => {
              await Promise.all([handler(key), handler(key), handler(key)]);
              await handler(key);
            }),
        });
      },
    };
    const { of } = await boot({ queue: twice });
    for (let turn = 0; turn < 10; turn += 1) await say(of('a'), `a ${turn}`);
    await ended(of('a'), 'a 9');
    expect(model.asked).toEqual(Array.from({ length: 10 }, (_, turn) => `a ${turn}`));
  });

  it('that are under way when the app stops may end', async () => {
    const { app, of } = await boot();
    const gate = model.waitAt('a');
    await say(of('s'), 'a');
    await gate.reached;
    const closing = app.close();
    await sleep(100);
    gate.open();
    await closing;
    expect(await store.turns.find({ tenantId: 'acme', scope: 's' }, 'a')).toMatchObject({ status: 'applied' });
  });

  it('that do not end within the grace are given back, and learned by another process at once', async () => {
    const { app, of } = await boot({ observation: { shutdownGraceMs: 200 } });
    const gate = model.waitAt('a');
    await say(of('s'), 'a');
    await gate.reached;
    await app.close();
    expect(model.signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect(await store.turns.find({ tenantId: 'acme', scope: 's' }, 'a')).toMatchObject({ status: 'pending' });
    model.waits.clear();

    // Its lease would hold for a minute.
    const other = await boot();
    expect(await Promise.race([ended(other.of('s'), 'a'), sleep(30_000, undefined, { ref: false })])).toMatchObject({
      status: 'applied',
    });
    gate.open();
    await sleep(50);
    expect((await other.of('s').list()).memories.map(({ content }) => content)).toEqual(['Said a']);
  });

  it('that an observe() is at when the app stops are given back too, and it says that they wait', async () => {
    const { app, of } = await boot({ observation: { shutdownGraceMs: 200 } });
    const gate = model.waitAt('a');
    const observing = of('s').observe([{ role: 'user', content: 'a' }], { turnId: 'a' });
    await gate.reached;
    await app.close();
    expect(await observing).toMatchObject({ status: 'pending', duplicate: false });
    model.waits.clear();
    const other = await boot();
    expect(await Promise.race([ended(other.of('s'), 'a'), sleep(30_000, undefined, { ref: false })])).toMatchObject({
      status: 'applied',
    });
  });

  it('are only handed in by a process without a worker', async () => {
    const handsIn = await boot({ worker: false });
    await say(handsIn.of('s'), 'a');
    await sleep(500);
    expect(model.asked).toEqual([]);
    const works = await boot();
    expect(await ended(works.of('s'), 'a')).toMatchObject({ status: 'applied' });
    expect(await handsIn.of('s').observe([{ role: 'user', content: 'b' }])).toMatchObject({ status: 'applied' });
  });
});
