import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { InvalidInputError } from 'nestjs-engram';
import type { Message, ScopedMemory } from 'nestjs-engram';
import { extracted, memoryApp } from '../memory/memory-app.js';
import type { MemoryApp } from '../memory/memory-app.js';
import { Gate, GatedEmbedder } from '../support/gate.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

const BEES: Message[] = [{ role: 'user', content: 'I keep bees on the roof.' }];
const DISABLED = { memory: null, rejection: { reason: 'disabled' } };

// Real: the module, its use cases, Postgres. Doubles: embedder, completion, events.
describe('memory that is switched off', () => {
  let database: PostgresStoreUnderTest;
  let app: MemoryApp;
  let embedder: GatedEmbedder;
  let memory: ScopedMemory;

  const open = (): Promise<MemoryApp> =>
    memoryApp({ storage: { adapter: 'postgres', create: () => database.store }, embedder });

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
    app = await open();
    memory = app.of('1', randomUUID());
  });
  afterEach(() => app.close());

  it('says so, once in an event for each turn of the switch', async () => {
    expect(await memory.settings()).toEqual({ enabled: true });
    expect(await memory.setEnabled(false)).toEqual({ enabled: false });
    await memory.setEnabled(false);
    expect(await memory.settings()).toEqual({ enabled: false });
    expect(await memory.setEnabled(true)).toEqual({ enabled: true });
    expect(app.events.of('memory.settings-changed')).toEqual([
      { ...memory.scope, at: expect.any(String), enabled: false, droppedTurns: 0 },
      { ...memory.scope, at: expect.any(String), enabled: true, droppedTurns: 0 },
    ]);
  });

  it.each(['false', 0, null, undefined])('is not switched by %p', async (value) => {
    await memory.setEnabled(false);
    await expect(memory.setEnabled(value as unknown as boolean)).rejects.toThrow(InvalidInputError);
    expect(await memory.settings()).toEqual({ enabled: false });
  });

  it('recalls nothing and asks no provider, and recalls again when it is on', async () => {
    await memory.add('Keeps bees on the roof');
    expect(await memory.recall('bees')).toHaveLength(1);
    await memory.setEnabled(false);
    const { texts } = embedder;
    expect(await memory.recall('bees')).toEqual([]);
    expect(await memory.recall('bees', { mode: 'keyword', asOf: new Date() })).toEqual([]);
    expect(await memory.promptBlock('bees')).toBe('');
    expect(await memory.injectInto('You are helpful.', { query: 'bees' })).toBe('You are helpful.');
    expect(embedder.texts).toBe(texts);
    await memory.setEnabled(true);
    expect(await memory.recall('bees')).toHaveLength(1);
  });

  it('recalls nothing in another process at once, and asks no provider there once that has looked', async () => {
    await memory.add('Keeps bees on the roof');
    const [trusting, fresh] = [await open(), await open()];
    try {
      const { tenantId } = memory.scope;
      await trusting.of('1', tenantId).recall('bees');
      await memory.setEnabled(false);
      expect(await trusting.of('1', tenantId).recall('bees')).toEqual([]);
      const { texts } = embedder;
      expect(await fresh.of('1', tenantId).recall('bees')).toEqual([]);
      expect(embedder.texts).toBe(texts);
    } finally {
      await trusting.module.close();
      await fresh.module.close();
      await database.store.start();
    }
  });

  it('stores nothing: no add, no update, no restore, no turn, and asks no provider', async () => {
    const { memory: known } = await memory.add('Keeps bees on the roof');
    const id = known?.id ?? '';
    await memory.update(id, { content: 'Keeps wasps' });
    await memory.setEnabled(false);
    const { texts } = embedder;
    expect(await memory.add('Owns a boat')).toMatchObject(DISABLED);
    expect(await memory.update(id, { content: 'Keeps cats' })).toMatchObject(DISABLED);
    expect(await memory.restore(id, 1)).toMatchObject(DISABLED);
    expect(await memory.observe(BEES, { turnId: 'a' })).toMatchObject({ status: 'disabled' });
    expect(await memory.observeLater(BEES, { turnId: 'b' })).toMatchObject({ status: 'disabled' });
    expect([await memory.observation('a'), await memory.observation('b')]).toEqual([null, null]);
    expect([embedder.texts, app.completion.requests.length]).toEqual([texts, 0]);
    expect((await memory.list()).memories).toMatchObject([{ content: 'Keeps wasps', version: 2 }]);
  });

  it('can still be seen and forgotten, one by one and whole, and stays off after', async () => {
    const [bees, boat] = await memory.addMany([{ content: 'Keeps bees' }, { content: 'Owns a boat' }]);
    await memory.setEnabled(false);
    expect((await memory.list()).totalCount).toBe(2);
    expect((await memory.list({ search: 'bees' })).totalCount).toBe(1);
    expect(await memory.get(bees?.memory?.id ?? '')).toMatchObject({ content: 'Keeps bees' });
    expect(await memory.stats()).toMatchObject({ total: 2, staleEmbeddings: 0 });
    expect(await memory.forget(boat?.memory?.id ?? '')).toBe(true);
    expect(await memory.history(boat?.memory?.id ?? '')).toHaveLength(1);
    expect(await memory.forgetAll()).toMatchObject({ memories: 1, revisions: 1 });
    expect(await memory.settings()).toEqual({ enabled: false });
    expect(await memory.add('Keeps bees')).toMatchObject(DISABLED);
  });

  it('while an add waits for its embedder keeps nothing of it', async () => {
    const gate = (embedder.gate = new Gate());
    const result = memory.add('Keeps bees on the roof');
    await gate.reached;
    await memory.setEnabled(false);
    gate.open();
    expect(await result).toMatchObject(DISABLED);
    expect((await memory.list()).totalCount).toBe(0);
  });

  it('while a turn is under way ends it as disabled, with its text gone and no second model asked', async () => {
    const gate = new Gate();
    app.completion.answer(async () => gate.pass().then(() => extracted('Keeps bees')));
    await memory.add('Keeps cats');
    const observed = memory.observe(BEES, { turnId: 'a' });
    await gate.reached;
    await memory.setEnabled(false);
    gate.open();
    expect(await observed).toMatchObject({ status: 'disabled', decisions: [] });
    expect((await database.store.turns.find(memory.scope, 'a'))?.messages).toBeNull();
    expect(app.completion.requests).toHaveLength(1);
    expect((await memory.list()).totalCount).toBe(1);
    expect(app.events.of('memory.settings-changed')).toMatchObject([{ droppedTurns: 1 }]);
    expect(app.events.of('observation.failed')).toEqual([]);
  });

  it('does not learn what waited when it is on again', async () => {
    await memory.add('Keeps cats');
    await database.store.turns.insert(memory.scope, {
      turnId: 'waiting',
      messages: BEES,
      messagesHash: Buffer.from('x'),
      occurredAt: null,
      timeZone: null,
      generation: (await database.store.scopeState(memory.scope)).generation,
    });
    await memory.setEnabled(false);
    await memory.setEnabled(true);
    app.completion.answer(extracted('Owns a boat'));
    await memory.observe([{ role: 'user', content: 'I own a boat.' }], { turnId: 'later' });
    expect(app.completion.requests.filter(({ task }) => task === 'extract')).toHaveLength(1);
    expect(await memory.observation('waiting')).toMatchObject({ status: 'disabled' });
  });
});
