import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CompletionRequest, MemoryModuleOptions, Message, ScopedMemory } from 'nestjs-engram';
import { changeFromBefore, decided, extracted, memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const turn = (content: string): Message[] => [{ role: 'user', content }];

describe('between a look at the memories and the lock on them', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  const start = async (options: Partial<MemoryModuleOptions> = {}): Promise<void> => {
    app = await memoryApp(options);
    memory = app.of('1');
  };
  beforeEach(() => start());
  afterEach(() => app.close());

  const contents = async (): Promise<string[]> => (await memory.list()).memories.map(({ content }) => content).sort();
  const change = (from: string, to: string): Promise<void> => changeFromBefore(app, memory, from, to);
  const asked = (): number => app.completion.requests.filter(({ task }) => task === 'consolidate').length;

  it('what moves again and again is weighed by a model three times, then decided by the rules', async () => {
    const homes = ['Lives in Berlin', 'Lives in Munich', 'Lives in Rome', 'Lives in Oslo'] as const;
    await memory.add(homes[0]);
    app.completion.answer(
      extracted('Lives in Porto'),
      ...homes.slice(1).map((home, before) => async (): Promise<string> => {
        await change(homes[before] ?? '', home);
        return decided('add');
      }),
    );
    const observed = await memory.observe(turn('I live in Porto now'));
    expect(observed).toMatchObject({ status: 'applied', decisions: [{ action: 'update' }] });
    expect(asked()).toBe(3);
    expect(await contents()).toEqual(['Lives in Porto']);
  });

  it('only what moved is weighed again', async () => {
    await app.close();
    await start({ observation: { neighbours: 1 } });
    await memory.add('Is on the Pro plan');
    await memory.add('Owns a blue boat');
    app.completion.answer(
      extracted('Is on the Enterprise plan', 'Sold the blue boat'),
      async () => {
        await change('Is on the Pro plan', 'Is on the Team plan');
        return decided('update', '1', 'Is on the Enterprise plan');
      },
      decided('update', '1', 'Sold the blue boat'),
      decided('update', '1', 'Is on the Enterprise plan'),
    );
    await memory.observe(turn('I switched to the Enterprise plan and sold the blue boat'));
    expect(asked()).toBe(3);
    expect(await contents()).toEqual(['Is on the Enterprise plan', 'Sold the blue boat']);
  });

  it('a change between the look and the first answer is seen too', async () => {
    await memory.add('Is on the Pro plan');
    const { recall } = app.store;
    app.store.recall = async (...query) => {
      app.store.recall = recall;
      const found = await recall.apply(app.store, query);
      await change('Is on the Pro plan', 'Is on the Team plan');
      return found;
    };
    const seen: string[] = [];
    app.completion.answer(
      extracted('Is on the Enterprise plan'),
      ...[1, 2].map(() => (request: CompletionRequest): string => {
        seen.push(...(request.task === 'consolidate' ? request.input.neighbours : []).map(({ content }) => content));
        return decided('update', '1', 'Is on the Enterprise plan');
      }),
    );
    await memory.observe(turn('I switched to the Enterprise plan'));
    expect(seen).toEqual(['Is on the Pro plan', 'Is on the Team plan']);
  });

  it('a turn that is lost to another worker asks no model any more, whatever moved', async () => {
    const { claim } = app.store.turns;
    const claims: string[] = [];
    app.store.turns.claim = async (...given) => {
      const claimed = await claim.apply(app.store.turns, given);
      if (claimed) claims.push(claimed.claim);
      return claimed;
    };
    await memory.add('Is on the Pro plan');
    app.completion.answer(extracted('Is on the Enterprise plan'), async () => {
      await change('Is on the Pro plan', 'Is on the Team plan');
      await app.store.turns.release(memory.scope, claims[0] ?? '');
      await app.store.turns.claim(memory.scope, { leaseMs: 60_000 });
      return decided('update', '1', 'Is on the Enterprise plan');
    });
    await memory.observeLater(turn('I switched to the Enterprise plan'), { turnId: 'a' });
    while (app.events.of('engram.turn').length === 0) await sleep(5);
    expect(asked()).toBe(1);
    expect(await contents()).toEqual(['Is on the Team plan']);
    expect((await memory.observation('a'))?.status).toBe('running');
  });

  it('a memory that is known from later is not forgotten by a turn of before', async () => {
    await memory.add('Owns a boat');
    app.completion.answer(extracted('Does not own a boat any more'), decided('forget', '1'));
    const observed = await memory.observe(turn('I sold my boat'), { occurredAt: new Date('2020-01-01') });
    expect(observed).toMatchObject({ decisions: [{ action: 'noop' }] });
    expect(await contents()).toEqual(['Owns a boat']);
  });

  it('the claim is kept alive while a model takes its time', async () => {
    await app.close();
    await start({ observation: { leaseMs: 3_000, modelTimeoutMs: 2_900 } });
    const { renew } = app.store.turns;
    const renewed = new Promise<readonly [unknown, string, number]>((resolve) => {
      app.store.turns.renew = (...given) => {
        resolve(given);
        return renew.apply(app.store.turns, given);
      };
    });
    app.completion.answer(() => renewed.then(() => extracted('Owns a boat')));
    expect(await memory.observe(turn('I own a boat'))).toMatchObject({ status: 'applied' });
    const [scope, , leaseMs] = await renewed;
    expect([scope, leaseMs]).toEqual([memory.scope, 3_000]);
  });
});
