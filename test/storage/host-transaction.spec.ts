import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ScopedMemory } from 'nestjs-engram';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';
import { until } from '../support/until.js';

class Undone extends Error {}

const TURN = [{ role: 'user' as const, content: 'I moved to Lisbon.' }];

// Real: Postgres, TypeORM's transactions, the module. One connection for everything: whoever asks for a second one waits
// for itself, and fails after some seconds.
describe('within(entityManager)', () => {
  let app: PostgresApp;
  let dataSource: DataSource;
  let memory: ScopedMemory;
  /** What outsiders have heard so far of the scope; a call to the embedder was made whatever becomes of the transaction. */
  const heard = (): string[] => app.events.events.map(({ name }) => name).filter((name) => name !== 'engram.embed');

  beforeAll(async () => {
    app = await openPostgresApp({ store: { poolSize: 1, connectTimeoutMs: 8_000 } });
    ({ dataSource } = app);
    await dataSource.query('CREATE TABLE public.orders (id int PRIMARY KEY)');
  });

  afterAll(() => app.close());

  beforeEach(async () => {
    memory = app.of(randomUUID());
    await memory.add('Keeps bees.');
    app.events.events.length = 0;
    await dataSource.query('DELETE FROM public.orders');
  });

  const orders = async (): Promise<number> => (await dataSource.query('SELECT FROM public.orders')).length;
  const contents = async (of: ScopedMemory = memory): Promise<string[]> =>
    (await of.list()).memories.map(({ content }) => content).sort();
  const rolledBack = async (work: (manager: EntityManager) => Promise<void>): Promise<void> => {
    await dataSource
      .transaction(async (manager) => {
        await work(manager);
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
  };

  it('stores with what the host stores, and tells of it once that is committed', async () => {
    await dataSource.transaction(async (manager) => {
      await manager.query('INSERT INTO public.orders VALUES (1)');
      const { memory: added } = await memory.within(manager).add('Ordered the blue bicycle.');
      expect(await memory.within(manager).get(added?.id ?? '')).toMatchObject({ content: 'Ordered the blue bicycle.' });
      expect(heard()).toEqual([]);
    });
    expect(await contents()).toEqual(['Keeps bees.', 'Ordered the blue bicycle.']);
    expect(await orders()).toBe(1);
    expect(heard()).toEqual(['memory.added', 'engram.add']);
  });

  it('dates what it stores when it is stored, not when the transaction began', async () => {
    await dataSource.transaction(async (manager) => {
      const [{ began }] = (await manager.query('SELECT now() AS began')) as [{ began: Date }];
      let before = began;
      while (before.getTime() <= began.getTime() + 1)
        [{ before }] = (await manager.query('SELECT clock_timestamp() AS before')) as [{ before: Date }];
      const { memory: added } = await memory.within(manager).add('Ordered the blue bicycle.');
      expect(added?.createdAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
    });
  });

  it('leaves nothing of any call that the host rolls back, and tells of none', async () => {
    const [bees] = (await memory.list()).memories;
    const before = { wakeUps: app.wakeUps.length, stats: await memory.stats() };
    await rolledBack(async (manager) => {
      const joined = memory.within(manager);
      await joined.addMany([{ content: 'Drives a van.' }, { content: 'Likes rain.' }]);
      await joined.update(bees?.id ?? '', { content: 'Keeps ducks.' });
      await joined.forget(bees?.id ?? '');
      await joined.restore(bees?.id ?? '', 1);
      await joined.observeLater(TURN, { turnId: 'moved' });
      expect(await joined.recall('rain')).toMatchObject([{ memory: { content: 'Likes rain.' } }]);
      expect(await joined.history(bees?.id ?? '')).not.toEqual([]);
    });
    expect(await contents()).toEqual(['Keeps bees.']);
    expect(await memory.stats()).toEqual(before.stats);
    expect(await memory.history(bees?.id ?? '')).toEqual([]);
    expect(await memory.observation('moved')).toBeNull();
    expect(app.wakeUps.length).toBe(before.wakeUps);
    expect(heard()).toEqual([]);
  });

  it('makes no scope that a rollback would have to take back', async () => {
    const stranger = app.of(randomUUID());
    await rolledBack(async (manager) => {
      await stranger.within(manager).add('Drives a van.');
    });
    const rows = await dataSource.query('SELECT FROM engram.memory_scopes WHERE scope = $1', [stranger.scope.scope]);
    expect(rows).toHaveLength(0);
  });

  it('wakes the worker of a turn only after the commit', async () => {
    const before = app.wakeUps.length;
    await dataSource.transaction(async (manager) => {
      await memory.within(manager).observeLater(TURN, { turnId: 'moved' });
      expect(app.wakeUps.length).toBe(before);
    });
    expect(app.wakeUps.slice(before)).toEqual([{ ...memory.scope, turnId: 'moved' }]);
    expect(heard()).toContain('observation.queued');
  });

  it('counts what is recalled once the recall has happened for good', async () => {
    const accesses = async (): Promise<number | undefined> => (await memory.list()).memories[0]?.accessCount;
    await dataSource.transaction(async (manager) => {
      expect(await memory.within(manager).recall('bees')).toHaveLength(1);
    });
    // Closing flushes; here the flush of the timer is waited for.
    await until(async () => (await accesses()) !== 0);
    expect(await accesses()).toBe(1);
  });

  describe('in savepoints', () => {
    it('drops what happened in one that is rolled back, and keeps the rest', async () => {
      await dataSource.transaction(async (manager) => {
        await memory.within(manager).add('Drives a van.');
        await manager
          .transaction(async (inner) => {
            await memory.within(inner).add('Likes rain.');
            await inner.transaction(async (innermost) => {
              await memory.within(innermost).add('Likes snow.');
            });
            throw new Undone();
          })
          .catch(() => undefined);
        await memory.within(manager).add('Plays chess.');
      });
      expect(await contents()).toEqual(['Drives a van.', 'Keeps bees.', 'Plays chess.']);
      expect(app.events.of('memory.added')).toHaveLength(2);
    });

    it('tells of what happened in one that is released only after the outermost commit', async () => {
      await dataSource.transaction(async (manager) => {
        await manager.transaction(async (inner) => {
          await memory.within(inner).add('Likes rain.');
        });
        expect(heard()).toEqual([]);
      });
      expect(app.events.of('memory.added')).toHaveLength(1);
    });

    it('keeps what happened in a released one when the next is rolled back', async () => {
      await dataSource.transaction(async (manager) => {
        await manager.transaction(async (inner) => {
          await memory.within(inner).add('Likes rain.');
        });
        await manager
          .transaction(async (inner) => {
            await memory.within(inner).add('Likes snow.');
            throw new Undone();
          })
          .catch(() => undefined);
      });
      expect(await contents()).toEqual(['Keeps bees.', 'Likes rain.']);
      expect(app.events.of('memory.added')).toHaveLength(1);
    });

    it('drops what happened in a released one when the one around it is rolled back', async () => {
      await rolledBack(async (manager) => {
        await manager.transaction(async (inner) => {
          await memory.within(inner).add('Likes rain.');
        });
      });
      expect(heard()).toEqual([]);
    });

    it('knows the one that was made before the first call', async () => {
      await dataSource.transaction(async (manager) => {
        await manager
          .transaction(async (inner) => {
            await memory.within(inner).add('Likes rain.');
            throw new Undone();
          })
          .catch(() => undefined);
      });
      expect(await contents()).toEqual(['Keeps bees.']);
      expect(heard()).toEqual([]);
    });
  });

  it('tells nothing when a commit turns out as a rollback', async () => {
    await dataSource.transaction(async (manager) => {
      await memory.within(manager).add('Drives a van.');
      await manager.query('SELECT 1 / 0').catch(() => undefined);
    });
    expect(await contents()).toEqual(['Keeps bees.']);
    expect(heard()).toEqual([]);
  });

  it('takes a call that throws back whole, and lets the transaction go on', async () => {
    const { memory: hens } = await memory.add('Keeps hens.');
    const twin = { content: 'Keeps bees.' };
    await dataSource.transaction(async (manager) => {
      await manager.query('INSERT INTO public.orders VALUES (1)');
      await expect(memory.within(manager).update(hens?.id ?? '', twin)).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(memory.within(manager).update(randomUUID(), twin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(memory.within(manager).add(' ')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await memory.within(manager).observeLater(TURN, { turnId: 'moved' });
      await expect(
        memory.within(manager).observeLater([{ role: 'user', content: 'No.' }], { turnId: 'moved' }),
      ).rejects.toMatchObject({ code: 'CONFLICT' });
      await memory.within(manager).add('Drives a van.');
    });
    expect(await contents()).toEqual(['Drives a van.', 'Keeps bees.', 'Keeps hens.']);
    expect(await orders()).toBe(1);
  });

  it('survives a statement that the database refuses', async () => {
    await dataSource.query(
      `CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await dataSource.query(
      `CREATE TRIGGER refuse BEFORE INSERT ON engram.memories FOR EACH ROW
       WHEN (NEW.content = 'Likes rain.') EXECUTE FUNCTION public.refuse()`,
    );
    try {
      await dataSource.transaction(async (manager) => {
        await manager.query('INSERT INTO public.orders VALUES (1)');
        await expect(memory.within(manager).add('Likes rain.')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
        await memory.within(manager).add('Drives a van.');
      });
    } finally {
      await dataSource.query('DROP FUNCTION public.refuse() CASCADE');
    }
    expect(await contents()).toEqual(['Drives a van.', 'Keeps bees.']);
    expect(await orders()).toBe(1);
  });

  it('takes calls that are made at once in turn, so that one that fails undoes none beside it', async () => {
    const { memory: hens } = await memory.add('Keeps hens.');
    const facts = Array.from({ length: 12 }, (_, n) => `Owns boat number ${n}.`);
    await dataSource.transaction(async (manager) => {
      const joined = memory.within(manager);
      const results = await Promise.allSettled([
        // Half of them find their conflict in the middle of their writing.
        ...facts.flatMap((fact) => [
          joined.add(fact),
          memory.within(manager).update(hens?.id ?? '', { content: 'Keeps bees.' }),
        ]),
        joined.recall('bees'),
      ]);
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(facts.length);
    });
    expect(await contents()).toEqual(['Keeps bees.', 'Keeps hens.', ...facts].sort());
  });

  it('puts the settings of the host back after each call, good or bad', async () => {
    const settings = (manager: EntityManager): Promise<unknown> =>
      manager.query(
        `SELECT current_setting('lock_timeout') AS lock_timeout, current_user AS role,
                coalesce(current_setting('engram.tenant_id', true), '') AS tenant,
                coalesce(current_setting('engram.scope', true), '') AS scope,
                current_setting('hnsw.ef_search', true) AS ef, current_setting('hnsw.iterative_scan', true) AS scan,
                current_setting('enable_seqscan') AS seqscan, current_setting('enable_indexscan') AS indexscan`,
      );
    await dataSource.transaction(async (manager) => {
      await manager.query(
        `SELECT set_config('lock_timeout', '123ms', true), set_config('engram.scope', 'theirs', true)`,
      );
      const before = await settings(manager);
      const joined = memory.within(manager);
      await joined.add('Drives a van.');
      expect(await settings(manager)).toEqual(before);
      await joined.recall('van');
      expect(await settings(manager)).toEqual(before);
      await joined.update(randomUUID(), { importance: 1 }).catch(() => undefined);
      await joined.observeLater(TURN);
      expect(await settings(manager)).toEqual(before);
    });
  });

  it.each([
    ['observe', (joined: ScopedMemory) => joined.observe(TURN)],
    ['forgetAll', (joined: ScopedMemory) => joined.forgetAll()],
    ['setEnabled', (joined: ScopedMemory) => joined.setEnabled(false)],
    ['rebuildEmbeddings', (joined: ScopedMemory) => joined.rebuildEmbeddings()],
    ['forgetStale', (joined: ScopedMemory) => joined.forgetStale({ olderThan: new Date(), minImportance: 1 })],
    ['export', async (joined: ScopedMemory) => joined.export()],
  ])('refuses %s, names it and the way out, and changes nothing', async (call, run) => {
    await dataSource.transaction(async (manager) => {
      await expect(run(memory.within(manager))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(new RegExp(`^${call} .*memoryService\\.for`)),
      });
    });
    expect(await contents()).toEqual(['Keeps bees.']);
    expect(await memory.stats()).toMatchObject({ pendingTurns: 0 });
  });

  it('refuses to write at another level than READ COMMITTED, says so, and still reads', async () => {
    for (const level of ['REPEATABLE READ', 'SERIALIZABLE'] as const) {
      await dataSource.transaction(level, async (manager) => {
        const joined = memory.within(manager);
        await expect(joined.add('Drives a van.')).rejects.toThrow(
          `READ COMMITTED, and this transaction is at ${level}`,
        );
        expect(await joined.recall('bees')).toHaveLength(1);
        expect((await joined.list()).totalCount).toBe(1);
      });
    }
    expect(await contents()).toEqual(['Keeps bees.']);
  });

  it('refuses a manager without a transaction under way', async () => {
    expect(() => memory.within(dataSource.manager)).toThrow('no active transaction');
    let late: ScopedMemory | undefined;
    let manager: EntityManager | undefined;
    await dataSource.transaction(async (active) => {
      manager = active;
      late = memory.within(active);
      await late.add('Drives a van.');
    });
    await expect(late?.add('Likes rain.')).rejects.toThrow('has ended');
    expect(() => memory.within(manager as EntityManager)).toThrow('no active transaction');
    expect(await contents()).toEqual(['Drives a van.', 'Keeps bees.']);
  });

  it('refuses a store that is not in a database', async () => {
    const { memoryApp } = await import('../memory/memory-app.js');
    const other = await memoryApp();
    await dataSource.transaction(async (manager) => {
      expect(() => other.of('ada').within(manager)).toThrow('hostDataSource()');
    });
    await other.close();
  });

  it('joins one of another DataSource that reaches the tables, whatever it knows of them', async () => {
    const { options } = dataSource;
    const theirs = new DataSource({ ...options, schema: 'public', entities: [], migrations: [] } as typeof options);
    await theirs.initialize();
    try {
      await theirs.transaction(async (manager) => {
        await memory.within(manager).add('Drives a van.');
        expect(heard()).toEqual([]);
      });
      expect(heard()).toEqual(['memory.added', 'engram.add']);
      await theirs.destroy();
      await theirs.initialize();
      await theirs.transaction(async (manager) => {
        await memory.within(manager).add('Likes rain.');
      });
      expect(app.events.of('memory.added')).toHaveLength(2);
    } finally {
      await theirs.destroy();
    }
    expect(await contents()).toEqual(['Drives a van.', 'Keeps bees.', 'Likes rain.']);
  });

  it('refuses one whose database has no tables of ours, without ending its transaction', async () => {
    await dataSource.query('ALTER SCHEMA engram RENAME TO elsewhere');
    const { options } = dataSource;
    const theirs = new DataSource({ ...options, entities: [], migrations: [] } as typeof options);
    try {
      await theirs.initialize();
      await theirs.transaction(async (manager) => {
        await expect(memory.within(manager).add('Drives a van.')).rejects.toThrow('without the tables');
        await manager.query('INSERT INTO public.orders VALUES (1)');
      });
    } finally {
      await theirs.destroy();
      await dataSource.query('ALTER SCHEMA elsewhere RENAME TO engram');
    }
    expect(await orders()).toBe(1);
  });
});
