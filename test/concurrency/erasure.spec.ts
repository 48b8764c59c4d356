import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ConflictError } from 'nestjs-engram';
import type { Memory, Message, ObservationQueue, ScopedMemory } from 'nestjs-engram';
import { decided, extracted, memoryApp } from '../memory/memory-app.js';
import type { MemoryApp } from '../memory/memory-app.js';
import { Gate, GatedEmbedder } from '../support/gate.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

const BEES: Message[] = [{ role: 'user', content: 'I keep bees on the roof.' }];

// Real: the module, its use cases, Postgres. Doubles: embedder, completion, events.
describe('forgetting everything', () => {
  let database: PostgresStoreUnderTest;
  let app: MemoryApp;
  let embedder: GatedEmbedder;
  let memory: ScopedMemory;

  beforeAll(async () => {
    database = await openPostgresStore({ ownsDataSource: false });
    await database.dataSource.initialize();
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await database.close();
  });
  beforeEach(async () => {
    embedder = new GatedEmbedder();
    app = await memoryApp({ storage: { adapter: 'postgres', create: () => database.store }, embedder });
    memory = app.of('1', randomUUID());
  });
  afterEach(() => app.close());

  const added = async (content: string): Promise<Memory> => {
    const { memory: stored } = await memory.add(content);
    if (!stored) throw new Error('nothing was stored');
    return stored;
  };
  const total = async (of = memory): Promise<number> => (await of.list()).totalCount;
  const heldAtGate = async <T>(call: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> => {
    const gate = (embedder.gate = new Gate());
    const result = call();
    await gate.reached;
    await meanwhile();
    gate.open();
    return result;
  };
  const outcome = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

  it('returns a receipt with counts and no content, and says so in an event', async () => {
    const { id } = await added('Keeps bees');
    await memory.update(id, { content: 'Keeps wasps' });
    await added('Owns a boat');
    app.completion.answer(extracted());
    await memory.observe(BEES);
    const receipt = await memory.forgetAll();
    expect(receipt).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      erasedAt: expect.any(Date),
      memories: 2,
      revisions: 1,
      turns: 1,
      accesses: 0,
    });
    const { erasedAt, id: receiptId, ...counts } = receipt;
    expect(app.events.of('memory.erased')).toEqual([
      { ...memory.scope, at: erasedAt.toISOString(), receiptId, ...counts },
    ]);
    expect(await total()).toBe(0);
    expect(await memory.recall('bees')).toEqual([]);
    expect(await memory.promptBlock('bees')).toBe('');
  });

  it('lets what is said afterwards be learned, the same words and the same turn too', async () => {
    app.completion.answer(extracted('Keeps bees'), extracted('Keeps bees'));
    await memory.observe(BEES, { turnId: 'a' });
    await memory.forgetAll();
    expect(await memory.observe(BEES, { turnId: 'a' })).toMatchObject({ status: 'applied', duplicate: false });
    expect((await memory.recall('bees')).map(({ memory: { content } }) => content)).toEqual(['Keeps bees']);
  });

  it('rejects a turn that was said before, without writing it down or asking a model', async () => {
    const { erasedAt } = await memory.forgetAll();
    const before = { turnId: 'old', occurredAt: new Date(erasedAt.getTime() - 1) };
    for (const call of ['observe', 'observeLater'] as const)
      expect(await memory[call](BEES, before)).toMatchObject({ status: 'rejected', duplicate: false });
    expect(await memory.observation('old')).toBeNull();
    expect(app.completion.requests).toEqual([]);
    app.completion.answer(extracted('Keeps bees'));
    expect(await memory.observe(BEES, { turnId: 'new', occurredAt: erasedAt })).toMatchObject({ status: 'applied' });
  });

  it('leaves twenty adds either erased, refused, or after it', async () => {
    await memory.settings();
    const adds = Promise.allSettled(Array.from({ length: 20 }, (_, n) => memory.add(`Owns boat number ${n}`)));
    const receipt = await memory.forgetAll();
    const results = await adds;
    const stored = results.filter((result) => result.status === 'fulfilled').length;
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ConflictError);
    const { memories } = await memory.list();
    expect(receipt.memories + memories.length).toBe(stored);
    for (const { createdAt } of memories) expect(createdAt.getTime()).toBeGreaterThan(receipt.erasedAt.getTime());
  });

  it('stops an add that waits for its embedder', async () => {
    const result = await outcome(
      heldAtGate(
        () => memory.add('Keeps bees'),
        () => memory.forgetAll(),
      ),
    );
    expect(result).toBeInstanceOf(ConflictError);
    expect(await total()).toBe(0);
  });

  it('stops an update that waits for its embedder', async () => {
    const { id } = await added('Keeps bees');
    const result = await outcome(
      heldAtGate(
        () => memory.update(id, { content: 'Keeps wasps' }),
        () => memory.forgetAll(),
      ),
    );
    expect(result).toBeInstanceOf(ConflictError);
    expect(await total()).toBe(0);
  });

  it('stops a restore that waits for its embedder', async () => {
    const { id } = await added('Keeps bees');
    await memory.update(id, { content: 'Keeps wasps' });
    await database.dataSource.query(
      'UPDATE engram.memory_revisions SET embedding = NULL, space = NULL WHERE tenant_id = $1',
      [memory.scope.tenantId],
    );
    const result = await outcome(
      heldAtGate(
        () => memory.restore(id, 1),
        () => memory.forgetAll(),
      ),
    );
    expect(result).toBeInstanceOf(ConflictError);
    expect(await total()).toBe(0);
  });

  describe('while a turn is under way', () => {
    /** Erases while the answer number `held` of the model is awaited. */
    async function erasedDuring(held: number, ...answers: string[]): Promise<unknown> {
      const gate = new Gate();
      app.completion.answer(
        ...answers.map((answer, index) =>
          index === held ? async (): Promise<string> => gate.pass().then(() => answer) : answer,
        ),
      );
      const observed = outcome(memory.observe(BEES, { turnId: 'a' }));
      await gate.reached;
      await memory.forgetAll();
      gate.open();
      return observed;
    }

    async function nothingIsKnown(): Promise<void> {
      expect(await total()).toBe(0);
      expect(await memory.observation('a')).toBeNull();
      expect(await memory.stats()).toMatchObject({ total: 0, pendingTurns: 0, deadTurns: 0 });
      const after = app.events.events.slice(app.events.events.findIndex(({ name }) => name === 'memory.erased') + 1);
      expect(after.filter(({ name }) => !name.startsWith('engram.'))).toEqual([]);
    }

    it('in extraction, nothing of it is written', async () => {
      const result = await erasedDuring(0, extracted('Owns a boat and bees'));
      expect(result).toBeInstanceOf(ConflictError);
      await nothingIsKnown();
    });

    it('in extraction, no second model sees it, not even beside what came after', async () => {
      const gate = new Gate();
      app.completion.answer(async () => gate.pass().then(() => extracted('Owns a boat and bees')), decided('add'));
      const observed = outcome(memory.observe(BEES, { turnId: 'a' }));
      await gate.reached;
      await memory.forgetAll();
      await added('Owns a boat');
      gate.open();
      expect(await observed).toBeInstanceOf(ConflictError);
      expect(app.completion.requests).toHaveLength(1);
      expect((await memory.list()).memories.map(({ content }) => content)).toEqual(['Owns a boat']);
    });

    it('in consolidation, nothing of it is written', async () => {
      await added('Owns a boat');
      const result = await erasedDuring(1, extracted('Owns a boat and bees'), decided('add'));
      expect(app.completion.requests).toHaveLength(2);
      expect(result).toBeInstanceOf(ConflictError);
      await nothingIsKnown();
    });

    it('in its failure, the failure is not written either', async () => {
      const result = await erasedDuring(0, 'no json');
      expect(result).toBeInstanceOf(ConflictError);
      await nothingIsKnown();
    });
  });

  it('of turns in the background leaves none to be learned', async () => {
    const gate = new Gate();
    app.completion.answer(async () => gate.pass().then(() => extracted('Keeps bees')));
    for (let n = 0; n < 3; n += 1) await memory.observeLater(BEES, { turnId: `turn ${n}` });
    await gate.reached;
    expect((await memory.forgetAll()).turns).toBe(3);
    gate.open();
    // The worker is through with it when the app has stopped.
    await app.close();
    app = await memoryApp({ storage: { adapter: 'postgres', create: () => database.store } });
    expect(await total(app.of('1', memory.scope.tenantId))).toBe(0);
  });

  it('drops the recalls that were to be counted', async () => {
    const { id } = await added('Keeps bees');
    await memory.recall('bees');
    await memory.forgetAll();
    const touched: string[] = [];
    const touch = database.store.touch.bind(database.store);
    database.store.touch = async (scope, ids) => {
      touched.push(...ids);
      await touch(scope, ids);
    };
    try {
      await app.close();
    } finally {
      database.store.touch = touch;
    }
    expect(touched).not.toContain(id);
    await database.store.start();
    app = await memoryApp({ storage: { adapter: 'postgres', create: () => database.store } });
  });

  it('drops the wake-ups that wait for the scope', async () => {
    const discarded: unknown[] = [];
    const queue: ObservationQueue = {
      adapter: 'recording',
      start: async () => undefined,
      enqueue: async () => undefined,
      discard: async (scope) => void discarded.push(scope),
      stop: async () => undefined,
    };
    const other = await memoryApp({
      storage: { adapter: 'postgres', create: () => database.store },
      queue: { adapter: 'recording', create: () => queue },
    });
    await other.of('1', memory.scope.tenantId).forgetAll();
    expect(discarded).toEqual([memory.scope]);
    await other.close();
    await database.store.start();
  });

  it('is done twice at once, and both are told', async () => {
    await added('Keeps bees');
    const receipts = await Promise.all([memory.forgetAll(), memory.forgetAll()]);
    expect(receipts.map(({ memories }) => memories).sort()).toEqual([0, 1]);
    expect(app.events.of('memory.erased')).toHaveLength(2);
  });

  it('leaves the memory of similar names, and of other tenants, as it was', async () => {
    const { tenantId } = memory.scope;
    const others = [app.of('10', tenantId), app.of('1 ', tenantId), app.of('1', randomUUID()), app.of('%', tenantId)];
    for (const one of [memory, ...others]) await one.add('Keeps bees');
    const seen = () => Promise.all(others.map((one) => one.list()));
    const before = await seen();
    expect(await memory.forgetAll()).toMatchObject({ memories: 1 });
    expect(await seen()).toEqual(before);
  });
});
