import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { StorageError } from '../../src/errors/storage-error.js';
import type { Memory } from '../../src/model/memory.js';
import type { Scope } from '../../src/model/scope.js';
import type { NewMemory } from '../../src/storage/memory-store.js';
import { eraseScope } from '../../src/storage/postgres/erase-scope.js';
import type { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { Session } from '../../src/storage/postgres/session.js';
import { SCOPE_TABLES } from '../../src/storage/postgres/statements/scope-tables.js';
import { switchMemory } from '../../src/storage/postgres/switch-memory.js';
import { openDiskOrderStore } from '../support/disk-order-store.js';
import { newMemory } from '../support/new-memory.js';
import { inTransaction, waitsForLock } from '../support/open-transaction.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

/** On the embedded database connections take turns, a transaction each: nothing can be waited for inside one. */
const onNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;

// Real: Postgres (embedded or native), the migrations, TypeORM's pool. Nothing is faked.
describe('an erasure in Postgres', () => {
  let subject: PostgresStoreUnderTest;
  let store: PostgresMemoryStore;

  beforeAll(async () => {
    subject = await openPostgresStore();
    store = subject.store;
    await store.start();
  });
  afterAll(() => subject.close());

  const newScope = (): Scope => ({ tenantId: randomUUID(), scope: 'user:42' });

  const remember = (scope: Scope, ...memories: NewMemory[]): Promise<Memory[]> =>
    store.write(scope, (writer) => writer.insert(memories));

  const handIn = async (scope: Scope, turnId: string) =>
    store.turns.insert(scope, {
      turnId,
      messages: [{ role: 'user', content: 'I keep bees.' }],
      messagesHash: Buffer.from('x'),
      occurredAt: null,
      timeZone: null,
      generation: (await store.scopeState(scope)).generation,
    });

  async function rowsOf({ tenantId }: Scope): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of SCOPE_TABLES) {
      const [row] = await subject.dataSource.query(`SELECT count(*) FROM engram.${table} WHERE tenant_id = $1`, [
        tenantId,
      ]);
      counts[table] = Number(row.count);
    }
    return counts;
  }

  /** Something in every table: two states of one memory, an expired one, an access, a turn. */
  async function lived(scope: Scope): Promise<void> {
    const [one] = await remember(
      scope,
      newMemory('Keeps bees.'),
      newMemory('Is in Rome.', { expiresAt: new Date('2020-01-01') }),
    );
    if (!one) throw new Error('nothing was stored');
    const { content, contentHash: hash, searchText: words, vector } = newMemory('Keeps wasps.');
    await store.write(scope, (writer) =>
      writer.update(one, { text: { content, contentHash: hash, searchText: words, vector } }, { endedBy: 'update' }),
    );
    await store.touch(scope, [one.id]);
    await handIn(scope, 'a');
  }

  it('knows every table that holds rows of a scope', async () => {
    const tables: { name: string }[] = await subject.dataSource.query(
      `SELECT c.relname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'engram' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')`,
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(['memory_scopes', ...SCOPE_TABLES].sort());
  });

  it('counts what went in each table, ended and expired rows too, and resets the counters of the scope', async () => {
    const scope = newScope();
    await lived(scope);
    expect(await rowsOf(scope)).toEqual({ memories: 2, memory_revisions: 1, memory_access: 1, memory_turns: 1 });
    expect(await store.erase(scope)).toMatchObject({ memories: 2, revisions: 1, accesses: 1, turns: 1 });
    expect(await rowsOf(scope)).toEqual({ memories: 0, memory_revisions: 0, memory_access: 0, memory_turns: 0 });
    expect(
      await subject.dataSource.query('SELECT docs, terms::int FROM engram.memory_scopes WHERE tenant_id = $1', [
        scope.tenantId,
      ]),
    ).toEqual([{ docs: 0, terms: 0 }]);
  });

  it.each(SCOPE_TABLES)('that finds rows left in %s gives no receipt and erases nothing', async (table) => {
    const scope = newScope();
    await lived(scope);
    const before = [await rowsOf(scope), await store.scopeState(scope)];
    // A host's trigger that keeps rows: the delete reports success, and the rows stay.
    await subject.dataSource.query(
      `CREATE FUNCTION engram.keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    );
    await subject.dataSource.query(
      `CREATE TRIGGER keep BEFORE DELETE ON engram.${table} FOR EACH ROW EXECUTE FUNCTION engram.keep()`,
    );
    try {
      await expect(store.erase(scope)).rejects.toThrow(StorageError);
      await expect(store.erase(scope)).rejects.toThrow(table);
    } finally {
      await subject.dataSource.query('DROP FUNCTION engram.keep() CASCADE');
    }
    expect([await rowsOf(scope), await store.scopeState(scope)]).toEqual(before);
    await store.erase(scope);
  });

  it.each(['REPEATABLE READ', 'SERIALIZABLE'] as const)('and a switch refuse to run at %s', async (level) => {
    const scope = newScope();
    await lived(scope);
    for (const change of [eraseScope, (session: Session, at: Scope) => switchMemory(session, at, false)]) {
      const queryRunner = subject.dataSource.createQueryRunner();
      await queryRunner.startTransaction(level);
      try {
        const session = new Session(queryRunner, { schema: 'engram', extension: 'public' }, 'english');
        await expect(change(session, scope)).rejects.toThrow(level);
      } finally {
        await queryRunner.rollbackTransaction();
        await queryRunner.release();
      }
    }
    expect((await rowsOf(scope))['memories']).toBe(2);
  });

  it('among many that hand turns in leaves none of the old generation', async () => {
    const scope = newScope();
    await store.scopeState(scope);
    const handedIn = Promise.allSettled(Array.from({ length: 20 }, (_, n) => handIn(scope, `turn ${n}`)));
    const { id } = await store.erase(scope);
    await handedIn;
    expect(
      await subject.dataSource.query(
        'SELECT turn_id FROM engram.memory_turns WHERE tenant_id = $1 AND generation <> $2',
        [scope.tenantId, id],
      ),
    ).toEqual([]);
  });

  describe('beside a transaction that is still open', () => {
    onNative.each([
      ['an erasure', (scope: Scope) => store.erase(scope)],
      ['a switch-off', (scope: Scope) => store.setEnabled(scope, false)],
    ])('%s waits for its turn, and takes it along', async (_, change) => {
      const scope = newScope();
      const { generation } = await store.scopeState(scope);
      await inTransaction(subject.dataSource, async (open, commit) => {
        await open.query(
          `INSERT INTO engram.memory_turns
             (tenant_id, scope, turn_id, generation, messages, messages_hash, occurred_at, status, run_after, created_at)
           VALUES ($1, $2, 'open', $3, '[]', '', now(), 'pending', now(), now())`,
          [scope.tenantId, scope.scope, generation],
        );
        const changed = change(scope);
        expect(await waitsForLock(subject.dataSource, changed)).toBe(true);
        await commit();
        await changed;
      });
      const left = await store.turns.find(scope, 'open');
      expect([left?.status, left?.messages]).not.toEqual(['pending', []]);
      expect(await store.turns.claim(scope, { leaseMs: 1_000 })).toBeNull();
    });

    type Change = (on: PostgresMemoryStore, scope: Scope, ids: readonly string[]) => Promise<unknown>;
    const past = new Date('2020-01-01');
    const changes: [string, string, Date | null, Change][] = [
      ['an erasure', 'FOR KEY SHARE', null, (on, scope) => on.erase(scope)],
      ['a touch', 'FOR UPDATE', null, (on, scope, ids) => on.touch(scope, ids)],
      [
        'a close of what has expired',
        'FOR KEY SHARE',
        past,
        (on, scope) => on.write(scope, (writer) => writer.findExpired({ limit: 10 })),
      ],
      [
        'a look for what is stale',
        'FOR KEY SHARE',
        null,
        (on, scope) =>
          on.write(scope, (writer) =>
            writer.findStale({ idleSince: new Date('2100-01-01'), importanceBelow: null, limit: 10 }),
          ),
      ],
    ];
    onNative.each(changes)(
      '%s locks memories in the order of their ids, and so never deadlocks',
      async (_, held, expiresAt, change) => {
        const scope = newScope();
        const [low, high] = [randomUUID(), randomUUID()].sort() as [string, string];
        // On the disk the other way round.
        await remember(scope, newMemory('Came first.', { id: high, expiresAt }));
        await remember(scope, newMemory('Came second.', { id: low, expiresAt }));
        const lock = (runner: QueryRunner, id: string): Promise<unknown> =>
          runner.query(`SELECT FROM engram.memories WHERE tenant_id = $1 AND id = $2 ${held}`, [scope.tenantId, id]);
        const reading = await openDiskOrderStore(subject.dataSource);
        try {
          await inTransaction(subject.dataSource, async (open, commit) => {
            await lock(open, low);
            const changed = change(reading, scope, [high, low]);
            expect(await waitsForLock(subject.dataSource, changed)).toBe(true);
            await lock(open, high);
            await commit();
            await changed;
          });
        } finally {
          await reading.stop();
        }
      },
    );
  });
});
