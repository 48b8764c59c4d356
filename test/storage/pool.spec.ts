import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { ScopedMemory } from 'nestjs-engram';
import type { EmbedOptions, Memory } from 'nestjs-engram';
import { DeterministicEmbedder, ScriptedCompletion } from 'nestjs-engram/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';

const TURN = [{ role: 'user' as const, content: 'I moved to Lisbon.' }];

const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { master: Pool }).master;

/** Connections that somebody holds, or waits for. */
const busy = (pool: Pool): number => pool.totalCount - pool.idleCount + pool.waitingCount;

/** Counts the busy connections each time that a provider is called. */
class WatchingEmbedder extends DeterministicEmbedder {
  pool: Pool | null = null;
  readonly seen: number[] = [];

  async watch(): Promise<void> {
    // A connection that is given back a moment later was held during the call.
    await nextTick();
    if (this.pool) this.seen.push(busy(this.pool));
  }

  override async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    await this.watch();
    return super.embedDocuments(texts, options);
  }
}

// Real: Postgres, TypeORM's pool, the module. One connection: whoever asks for a second one while the first is held waits
// for itself, and fails after two seconds.
describe('a pool of one connection', () => {
  const embedder = new WatchingEmbedder();
  const completion = new ScriptedCompletion();
  const tried = new Set<string>();
  let app: PostgresApp;
  let memory: ScopedMemory;
  let bees: Memory;

  beforeAll(async () => {
    app = await openPostgresApp({
      // What a call waits for that holds the one connection itself.
      store: { poolSize: 1, connectTimeoutMs: 8_000 },
      embedder,
      completion,
      // Counts of recalls are written a second later, when another test watches the pool.
      recall: { touch: false },
    });
    embedder.pool = poolOf(app.dataSource);
  });

  afterAll(() => app.close());

  beforeEach(async () => {
    memory = app.of(randomUUID());
    const { memory: added } = await memory.add('Keeps bees.');
    if (!added) throw new Error('nothing was stored');
    bees = added;
    embedder.seen.length = 0;
  });

  async function learn(): Promise<unknown> {
    const extracted = { content: 'Keeps many bees.', kind: 'fact', importance: 0.5, message: 0 };
    completion.answer(
      async () => {
        await embedder.watch();
        return JSON.stringify({ memories: [extracted] });
      },
      async () => {
        await embedder.watch();
        return JSON.stringify({ action: 'update', memory: '1', content: 'Keeps very many bees.' });
      },
    );
    const observation = await memory.observe(TURN);
    expect(observation).toMatchObject({ status: 'applied', decisions: [{ action: 'update', memoryId: bees.id }] });
    return observation;
  }

  const calls: Record<Exclude<keyof ScopedMemory, 'scope' | 'limits'>, () => Promise<unknown>> = {
    add: () => memory.add('Drives a van.'),
    addMany: () => memory.addMany([{ content: 'Drives a van.' }, { content: 'Likes rain.' }]),
    recall: () => memory.recall('bees', { alsoIn: ['team:7'] }),
    promptBlock: () => memory.promptBlock('bees'),
    injectInto: () => memory.injectInto('Answer.', { query: 'bees' }),
    observe: learn,
    observeLater: () => memory.observeLater(TURN),
    observation: () => memory.observation('turn'),
    retryObservation: async () => {
      completion.answer(() => Promise.reject(new Error('down')));
      const { turnId } = await memory.observe(TURN);
      return memory.retryObservation(turnId);
    },
    list: () => memory.list({ search: 'bees' }),
    get: () => memory.get(bees.id),
    getMany: () => memory.getMany([bees.id, randomUUID()]),
    update: () => memory.update(bees.id, { content: 'Keeps ducks.' }),
    forget: () => memory.forget(bees.id),
    history: () => memory.history(bees.id),
    histories: () => memory.histories([bees.id, randomUUID()]),
    restore: async () => {
      await memory.update(bees.id, { content: 'Keeps ducks.' });
      return memory.restore(bees.id, 1);
    },
    forgetStale: () => memory.forgetStale({ olderThan: new Date(), minImportance: 1 }),
    rebuildEmbeddings: () => memory.rebuildEmbeddings({ staleOnly: false }),
    export: async () => {
      const lines: unknown[] = [];
      for await (const line of memory.export()) lines.push(line);
      return lines;
    },
    forgetAll: () => memory.forgetAll(),
    settings: () => memory.settings(),
    setEnabled: () => memory.setEnabled(false),
    stats: () => memory.stats(),
    within: () =>
      app.dataSource.transaction(async (manager) => {
        embedder.pool = null;
        await memory.within(manager).add('Drives a van.');
        embedder.pool = poolOf(app.dataSource);
      }),
  };

  it.each(Object.entries(calls))('is enough for %s, and is free while a model works', async (name, call) => {
    tried.add(name);
    await call();
    expect(embedder.seen.filter((held) => held > 0)).toEqual([]);
    expect(busy(poolOf(app.dataSource))).toBe(0);
  });

  it('is tried with every call that there is', () => {
    const known = Object.getOwnPropertyNames(ScopedMemory.prototype).filter(
      (name) => !['constructor', 'limits'].includes(name),
    );
    expect([...tried].sort()).toEqual(known.sort());
  });

  it('sees the model called in those that need one', async () => {
    await memory.add('Drives a van.');
    await memory.recall('van');
    expect(embedder.seen).toHaveLength(2);
    await learn();
    expect(embedder.seen.length).toBeGreaterThanOrEqual(5);
  });

  it('is enough for many calls at once, and for upkeep beside them', async () => {
    // They wait for each other, on a slow machine for long; for themselves they would wait for ever.
    const patient = await openPostgresApp({ store: { poolSize: 1 } });
    const many = patient.of('ada');
    try {
      const results = await Promise.allSettled([
        ...Array.from({ length: 10 }, (_, n) => many.add(`Owns boat number ${n}.`)),
        ...Array.from({ length: 10 }, () => many.recall('boat')),
        ...Array.from({ length: 5 }, (_, n) => many.observeLater(TURN, { turnId: `turn ${n}` })),
        patient.service.upkeep(),
        patient.service.check(),
        patient.store.turns.sweep({ limit: 10, holdMs: 1 }),
      ]);
      expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
      expect((await many.list()).totalCount).toBe(10);
    } finally {
      await patient.close();
    }
  });

  it('hangs nothing for good where the host holds it: the call fails as unavailable', async () => {
    await app.dataSource.transaction(async () => {
      await expect(memory.list()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
    expect((await memory.list()).totalCount).toBe(1);
  });
});
