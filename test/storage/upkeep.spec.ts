import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ConflictError, MemoryService } from 'nestjs-engram';
import type { ScopedMemory } from 'nestjs-engram';
import { DeterministicEmbedder } from 'nestjs-engram/testing';
import { memoryApp } from '../memory/memory-app.js';
import type { MemoryApp } from '../memory/memory-app.js';
import { Gate, GatedEmbedder } from '../support/gate.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

const LATER = new Date(Date.now() + 86_400_000);
/** On the embedded database connections take turns: nothing can wait for a lock beside another. */
const onNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;

/** The present model: as the one before it, but of another space. */
class NewModel extends GatedEmbedder {
  override readonly space = 'deterministic:new:64';
}

// Real: the module, its use cases, Postgres, a pool of one connection. Doubles: embedder, completion, events.
describe('upkeep in Postgres', () => {
  let database: PostgresStoreUnderTest;
  let app: MemoryApp;
  let tenantId: string;
  let memory: ScopedMemory;

  beforeAll(async () => {
    database = await openPostgresStore({ ownsDataSource: false, poolSize: 1 });
    await database.dataSource.initialize();
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await database.close();
  });
  const start = (embedder = new DeterministicEmbedder()): Promise<MemoryApp> =>
    memoryApp({ storage: { adapter: 'postgres', create: () => database.store }, embedder });
  beforeEach(async () => {
    app = await start();
    tenantId = randomUUID();
    memory = app.of('1', tenantId);
  });
  afterEach(() => app.close());

  const boats = (count: number): { content: string }[] =>
    Array.from({ length: count }, (_, n) => ({ content: `Owns boat number ${n}` }));

  it('forgets what is stale in several transactions, each last state kept', async () => {
    await memory.addMany(boats(130));
    const neighbour = app.of('10', tenantId);
    await neighbour.addMany(boats(2));
    expect(await memory.forgetStale({ olderThan: 1 })).toBe(0);
    expect(await memory.forgetStale({ olderThan: LATER, minImportance: 0.5 })).toBe(0);
    expect(await memory.forgetStale({ olderThan: LATER, minImportance: 0.6 })).toBe(130);
    const revisions = await database.dataSource.query(
      'SELECT ended_by, count(*)::int AS count FROM engram.memory_revisions WHERE tenant_id = $1 GROUP BY 1',
      [tenantId],
    );
    expect(revisions).toEqual([{ ended_by: 'forget', count: 130 }]);
    expect([(await memory.list()).totalCount, (await neighbour.list()).totalCount]).toEqual([0, 2]);
  });

  onNative('spares a memory whose recall is being counted while it waits for the lock', async () => {
    const host = await openPostgresStore({ ownsDataSource: false });
    await host.dataSource.initialize();
    await host.store.start();
    try {
      const scope = { tenantId, scope: 'user:1' };
      const other = await memoryApp({ storage: { adapter: 'postgres', create: () => host.store } });
      const mine = other.of('1', tenantId);
      const { memory: boat } = await mine.add('Owns a boat');
      if (!boat) throw new Error('nothing was stored');
      const touch = host.dataSource.createQueryRunner();
      await touch.startTransaction();
      await touch.query('SELECT FROM engram.memories WHERE tenant_id = $1 AND scope = $2 AND id = $3 FOR KEY SHARE', [
        scope.tenantId,
        scope.scope,
        boat.id,
      ]);
      await touch.query(
        `INSERT INTO engram.memory_access VALUES ($1, $2, $3, date_trunc('milliseconds', clock_timestamp()) + interval '1 hour', 1)`,
        [scope.tenantId, scope.scope, boat.id],
      );
      const forgotten = mine.forgetStale({ olderThan: new Date(boat.updatedAt.getTime() + 60_000) });
      const waiting = async (): Promise<boolean> =>
        (
          await host.dataSource.query(
            `SELECT FROM pg_catalog.pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE OF m%'`,
          )
        ).length > 0;
      while (!(await waiting())) await new Promise((resolve) => setTimeout(resolve, 10));
      await touch.commitTransaction();
      await touch.release();
      expect(await forgotten).toBe(0);
      expect((await mine.get(boat.id))?.accessCount).toBe(1);
      await other.close();
    } finally {
      await host.dataSource.destroy();
      await host.close();
    }
  });

  it('rebuilds vectors, those of the past too, holding no connection while the embedder works', async () => {
    await memory.addMany(boats(5));
    const [first] = (await memory.list({ search: 'number 0' })).memories;
    if (!first) throw new Error('nothing was stored');
    await memory.update(first.id, { content: 'Sold every ship' });
    const rows = (): Promise<unknown[]> =>
      database.dataSource.query(
        `SELECT id, version, content_hash, valid_from, evidence_at, metadata, search FROM engram.memories
         WHERE tenant_id = $1 ORDER BY id`,
        [tenantId],
      );
    const before = await rows();
    await app.close();

    const model = new NewModel();
    app = await start(model);
    memory = app.of('1', tenantId);
    const byMeaning = async (asOf?: Date): Promise<string | undefined> =>
      (await memory.recall('Owns boat number 0', { mode: 'vector', limit: 1, ...(asOf && { asOf }) })).find(
        ({ distance }) => distance !== null,
      )?.memory.content;
    expect([await byMeaning(), await byMeaning(first.createdAt)]).toEqual([undefined, undefined]);

    const gate = (model.gate = new Gate());
    const rebuilt = memory.rebuildEmbeddings({ batchSize: 4 });
    await gate.reached;
    expect(await database.dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    model.gate = null;
    gate.open();
    expect(await rebuilt).toEqual({ processed: 6, updated: 6, skipped: 0, failed: [] });
    expect(await rows()).toEqual(before);
    expect(await byMeaning()).toMatch(/^Owns boat number [1-4]$/);
    expect(await byMeaning(first.createdAt)).toBe('Owns boat number 0');
    expect((await memory.stats()).staleEmbeddings).toBe(0);
    expect(await memory.rebuildEmbeddings()).toMatchObject({ processed: 0 });
  });

  it('keeps what a rebuild had done when it is ended, and does the rest the next time', async () => {
    await memory.addMany(boats(5));
    await app.close();
    app = await start(new NewModel());
    memory = app.of('1', tenantId);
    const abort = new AbortController();
    const ended = memory.rebuildEmbeddings({ batchSize: 2, signal: abort.signal, onProgress: () => abort.abort() });
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    expect((await memory.stats()).staleEmbeddings).toBe(3);
    expect(await memory.rebuildEmbeddings({ batchSize: 2 })).toMatchObject({ processed: 3, updated: 3 });
  });

  it('exports page by page, holding no connection between them, until the scope is erased', async () => {
    await memory.addMany(boats(450));
    const lines: string[] = [];
    for await (const line of memory.export({ withVectors: true })) {
      if (lines.push(line as string) % 200 === 0) await memory.get(randomUUID());
    }
    const exported = lines.map((line) => JSON.parse(line) as { id: string; vector: { values: number[] } });
    expect(new Set(exported.map(({ id }) => id)).size).toBe(450);
    expect(exported.every(({ vector }) => vector.values.length === 64)).toBe(true);

    const reading = memory.export()[Symbol.asyncIterator]();
    await reading.next();
    await memory.forgetAll();
    await memory.addMany(boats(450));
    const rest = async (): Promise<never> => {
      for (;;) if ((await reading.next()).done) throw new Error('came to its end');
    };
    await expect(rest()).rejects.toBeInstanceOf(ConflictError);
  });

  it('exports each memory once and as it is when it is reached, whatever is written meanwhile', async () => {
    const added = await memory.addMany(boats(450));
    const ids = added.flatMap((one) => one.memory?.id ?? []).sort();
    const [read = '', next = '', gone = ''] = [ids[0], ids[300], ids[301]];
    const lines: { id: string; content: string; version: number }[] = [];
    for await (const line of memory.export()) {
      lines.push(JSON.parse(line as string) as (typeof lines)[number]);
      if (lines.length > 1) continue;
      await memory.update(read, { content: 'Sold the first\u2028boat' });
      await memory.update(next, { content: 'Sold "a"\nboat \ud83d\udea4' });
      await memory.forget(gone);
      await memory.add('Owns a raft');
    }
    const raft = lines.find(({ content }) => content === 'Owns a raft');
    expect(raft).toBeDefined();
    expect(lines.map(({ id }) => id)).toEqual([...ids.filter((id) => id !== gone), raft?.id]);
    expect(lines.filter(({ version }) => version !== 1)).toMatchObject([{ id: next, content: 'Sold "a"\nboat 🚤' }]);
  });

  it('recalls from layers on one connection, each scope asked by itself', async () => {
    const service = app.module.get(MemoryService);
    const team = service.for({ tenantId, scope: 'team:7' });
    await memory.add('Prefers short answers');
    await team.add('Reviews need two approvals');
    await team.add('prefers short answers');
    await service.for({ tenantId, scope: 'team:77' }).add('Reviews need no approvals');
    const found = async (query: string): Promise<[string, string][]> =>
      (await memory.recall(query, { alsoIn: ['team:7', 'team:8'] })).map(({ scope, memory: { content } }) => [
        scope,
        content,
      ]);
    expect(await found('reviews approvals')).toEqual([['team:7', 'Reviews need two approvals']]);
    expect(await found('prefers short answers')).toEqual([['user:1', 'Prefers short answers']]);
    await team.setEnabled(false);
    expect(await found('reviews approvals')).toEqual([]);
  });
});
