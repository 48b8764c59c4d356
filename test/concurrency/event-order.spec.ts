import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MemoryEventMap, MemoryStore, ScopedMemory } from 'nestjs-engram';
import { onServer } from '../faults/native.js';
import { Gate } from '../support/gate.js';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';

/** The embedded database has one session, which a transaction of the host keeps. */
const itOnServer = onServer ? it : it.skip;

const DOMAIN = /^(memory|observation)\./;

// Real: Postgres, TypeORM's transactions, the module. The answers to commits come late where a test says so.
describe('events of one scope', () => {
  let app: PostgresApp;
  let memory: ScopedMemory;

  beforeAll(async () => {
    app = await openPostgresApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    memory = app.of(randomUUID());
    app.events.events.length = 0;
  });

  const heard = (): string[] => app.events.events.map(({ name }) => name).filter((name) => DOMAIN.test(name));
  /** Their stamps, in the order of the events. */
  const stamps = (): number[] =>
    app.events.events
      .filter(({ name }) => DOMAIN.test(name))
      .map(({ payload }) => Date.parse((payload as MemoryEventMap['memory.added']).at));
  const idOf = async (content: string, of = memory): Promise<string> => {
    const { memory: added } = await of.add(content);
    if (!added) throw new Error('nothing was stored');
    return added.id;
  };
  /** Transactions that have committed are answered when `answer` resolves. */
  const answered = async (answer: () => Promise<unknown>, work: () => Promise<void>): Promise<void> => {
    const { store } = app;
    const own = store.write;
    store.write = async function <T>(...[scope, write]: Parameters<MemoryStore['write']>): Promise<T> {
      const result = await own.call(store, scope, write);
      await answer();
      return result as T;
    };
    try {
      await work();
    } finally {
      store.write = own;
    }
  };
  /** Only the first one waits. */
  const firstHeld = (gate: Gate, work: () => Promise<void>): Promise<void> => {
    let calls = 0;
    return answered(async () => {
      calls += 1;
      if (calls === 1) await gate.pass();
    }, work);
  };

  it('go out in the order of the commits, however many calls there are at once', async () => {
    const ids: string[] = [];
    for (let no = 0; no < 20; no += 1) ids.push(await idOf(`Visited ${no} countries`));
    app.events.events.length = 0;
    let answers = 0;
    const late = (): Promise<unknown> => sleep([0, 30, 5][answers++ % 3]);
    await answered(late, async () => {
      const calls: Promise<unknown>[] = [];
      for (let no = 0; no < 10; no += 1) {
        calls.push(memory.update(ids[no] ?? '', { importance: 0.9 }));
        calls.push(memory.forget(ids[10 + no] ?? ''));
        calls.push(memory.add(`Owns ${no} bicycles`));
        calls.push(memory.addMany([{ content: `Has read book ${no}` }, { content: `Has seen film ${no}` }]));
        calls.push(
          app.dataSource.transaction(async (manager) => {
            await memory.within(manager).add(`Ordered bicycle ${no}`);
            await memory.within(manager).add(`Returned bicycle ${no}`);
          }),
        );
      }
      await Promise.all(calls);
    });
    const order = stamps();
    expect(order).toHaveLength(70);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(order).size).toBe(60);
  });

  it('wait for those of an earlier commit, while the calls themselves do not', async () => {
    const gate = new Gate();
    await firstHeld(gate, async () => {
      const first = memory.add('Keeps bees');
      await gate.reached;
      await expect(memory.add('Owns a boat')).resolves.toMatchObject({ rejection: null });
      expect(heard()).toEqual([]);
      await app.of(randomUUID()).add('Is of another scope');
      expect(heard()).toEqual(['memory.added']);
      app.events.events.length = 0;
      gate.open();
      await first;
    });
    const contents = await Promise.all(
      app.events.of('memory.added').map(async ({ memoryId }) => (await memory.get(memoryId))?.content),
    );
    expect(contents).toEqual(['Keeps bees', 'Owns a boat']);
  });

  it('wait for those of a host that has committed, and does not know yet that it has', async () => {
    const runner = app.dataSource.createQueryRunner();
    const gate = new Gate();
    try {
      await runner.startTransaction();
      const first = await idOf('Ordered the blue bicycle', memory.within(runner.manager));
      const query = runner.query.bind(runner);
      runner.query = async (...args: Parameters<typeof query>) => {
        if (args[0].includes('pg_xact_status')) await gate.pass();
        return query(...args);
      };
      const committed = runner.commitTransaction();
      await gate.reached;
      const second = await idOf('Owns a boat');
      expect(heard()).toEqual([]);
      gate.open();
      await committed;
      expect(app.events.of('memory.added').map(({ memoryId }) => memoryId)).toEqual([first, second]);
    } finally {
      await runner.release();
    }
  });

  it('do not wait for what a host rolled back, as a whole or to a savepoint', async () => {
    const undone = app.dataSource.transaction(async (manager) => {
      await memory.within(manager).add('Ordered the blue bicycle');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await memory.add('Owns a boat');
    expect(heard()).toEqual(['memory.added']);

    const runner = app.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await memory.within(runner.manager).list();
      await runner.startTransaction();
      await memory.within(runner.manager).add('Ordered the red bicycle');
      await runner.rollbackTransaction();
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }
    await memory.add('Keeps bees');
    expect(heard()).toEqual(['memory.added', 'memory.added']);
  });

  it('do not wait for a call that failed under the lock', async () => {
    const id = await idOf('Owns a boat');
    await memory.add('Keeps bees');
    await expect(memory.update(id, { content: 'Keeps bees' })).rejects.toThrow('has that text already');
    await memory.forget(id);
    expect(heard()).toEqual(['memory.added', 'memory.added', 'memory.forgotten']);
  });

  // Nobody has scripted an answer: the model is a fault.
  const fails = (): Promise<unknown> => memory.observe([{ role: 'user', content: 'I keep bees.' }]);

  it('tell of a turn that failed before what was committed after that', async () => {
    const gate = new Gate();
    const { turns } = app.store;
    const fail = turns.fail.bind(turns);
    turns.fail = async (...args) => {
      const failed = await fail(...args);
      await gate.pass();
      return failed;
    };
    try {
      const failed = fails();
      await gate.reached;
      await memory.add('Owns a boat');
      expect(heard()).toEqual([]);
      gate.open();
      await failed;
    } finally {
      turns.fail = fail;
    }
    expect(heard()).toEqual(['observation.failed', 'memory.added']);
  });

  it('tell of a turn that failed after what was committed before that', async () => {
    const gate = new Gate();
    await firstHeld(gate, async () => {
      const first = memory.add('Owns a boat');
      await gate.reached;
      await fails();
      expect(heard()).toEqual([]);
      gate.open();
      await first;
    });
    expect(heard()).toEqual(['memory.added', 'observation.failed']);
  });

  itOnServer('tell of a turn that failed while a host is still at work, and before what it commits', async () => {
    await memory.add('Owns a boat');
    app.events.events.length = 0;
    await app.dataSource.transaction(async (manager) => {
      await memory.within(manager).add('Ordered the blue bicycle');
      await fails();
      expect(heard()).toEqual(['observation.failed']);
    });
    expect(heard()).toEqual(['observation.failed', 'memory.added']);
  });

  it('tell of a turn before the erasure that took it away', async () => {
    const gate = new Gate();
    const { turns } = app.store;
    const insert = turns.insert.bind(turns);
    turns.insert = async (...args) => {
      const inserted = await insert(...args);
      await gate.pass();
      return inserted;
    };
    try {
      const handedIn = memory.observeLater([{ role: 'user', content: 'I keep bees.' }]);
      await gate.reached;
      expect(await memory.forgetAll()).toMatchObject({ turns: 1 });
      expect(heard()).toEqual([]);
      gate.open();
      await handedIn;
    } finally {
      turns.insert = insert;
    }
    expect(heard()).toEqual(['observation.queued', 'memory.erased']);
  });
});
