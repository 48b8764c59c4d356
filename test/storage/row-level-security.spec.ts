import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { Scope } from '../../src/model/scope.js';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { withoutForcedPolicies } from '../../src/storage/postgres/forced-policies.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import type { RowLevelSecurityOptions } from '../../src/storage/postgres/row-level-security.js';
import { revertMigrations, runMigrations } from '../../src/storage/postgres/run-migrations.js';
import { scopeSettings } from '../../src/storage/postgres/row-level-security.js';
import { createScopeIndex } from '../../src/storage/postgres/scope-index.js';
import { TABLES } from '../../src/storage/postgres/statements/scope-tables.js';
import { everythingNear } from '../support/everything-near.js';
import { newMemory } from '../support/new-memory.js';
import { APP, openSecuredStore, SWEEPER } from '../support/secured-store.js';
import type { SecuredStoreUnderTest } from '../support/secured-store.js';

/** Roles that log in are a native server's; whoever connects to the embedded database is its superuser. */
const onNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;

const newScope = (): Scope => ({ tenantId: randomUUID(), scope: 'user:42' });

/** A memory with a past, a count, and a turn: a row in every table. */
async function fill(store: PostgresMemoryStore, scope: Scope): Promise<string> {
  const [memory] = await store.write(scope, (writer) => writer.insert([newMemory('Keeps bees.')]));
  if (!memory) throw new Error('nothing was stored');
  await store.write(scope, (writer) => writer.update(memory, { importance: 1 }, { endedBy: 'update' }));
  await store.touch(scope, [memory.id]);
  const { generation } = await store.scopeState(scope);
  await store.turns.insert(scope, {
    turnId: 'turn',
    messages: [{ role: 'user', content: 'I keep bees.' }],
    messagesHash: Buffer.from('hash'),
    occurredAt: null,
    timeZone: null,
    generation,
  });
  return memory.id;
}

// Real: Postgres, its roles and policies, TypeORM's pool of one connection, so that every scope uses the one of the last.
describe('row level security', () => {
  let subject: SecuredStoreUnderTest;
  let store: PostgresMemoryStore;
  let mine: Scope;
  let theirs: Scope;

  beforeAll(async () => {
    subject = await openSecuredStore({ poolSize: 1 });
    store = subject.store;
    await store.start();
    mine = newScope();
    theirs = newScope();
    await fill(store, mine);
    await fill(store, theirs);
  });

  afterAll(() => subject.close());

  /** Statements of one's own on the store's connections, as the role and scope that the store would take. */
  function as<T>(scope: Scope | null, work: (manager: EntityManager) => Promise<T>, role = APP): Promise<T> {
    return subject.dataSource.transaction(async (manager) => {
      const settings = { ...(scope && scopeSettings(scope)), role };
      for (const [name, value] of Object.entries(settings))
        await manager.query('SELECT set_config($1, $2, true)', [name, value]);
      return work(manager);
    });
  }
  const count = async (manager: EntityManager, table: string): Promise<number> =>
    Number((await manager.query(`SELECT count(*) FROM engram.${table}`))[0].count);

  describe.each(TABLES)('on %s', (table) => {
    it('shows the rows of the scope that a transaction names, and no other', async () => {
      expect(await as(mine, (manager) => count(manager, table))).toBe(1);
      const foreign = await as(mine, (manager) =>
        manager.query(`SELECT FROM engram.${table} WHERE tenant_id = $1`, [theirs.tenantId]),
      );
      expect(foreign).toEqual([]);
    });

    it('shows nothing to a connection that another scope has used, unless it names one', async () => {
      await store.list(theirs, { limit: 10 });
      expect(await as(null, (manager) => count(manager, table))).toBe(0);
      const [{ setting }] = await subject.dataSource.query(`SELECT current_setting('engram.scope', true) AS setting`);
      expect(setting ?? '').toBe('');
    });

    it('shows nothing where only the tenant, or only the scope is right', async () => {
      for (const half of [
        { ...mine, scope: `${mine.scope}0` },
        { ...mine, scope: '%' },
        { ...mine, tenantId: theirs.tenantId.slice(1) },
        { ...mine, tenantId: '' },
      ]) {
        expect(await as(half, (manager) => count(manager, table))).toBe(0);
      }
    });

    it('changes and deletes no row of another scope', async () => {
      const changed = await as(mine, async (manager) => {
        const [, updated] = await manager.query(`UPDATE engram.${table} SET scope = scope WHERE tenant_id = $1`, [
          theirs.tenantId,
        ]);
        const [, deleted] = await manager.query(`DELETE FROM engram.${table} WHERE tenant_id = $1`, [theirs.tenantId]);
        return [updated, deleted];
      });
      expect(changed).toEqual([0, 0]);
      expect(await as(theirs, (manager) => count(manager, table))).toBe(1);
    });

    it('writes no row into another scope', async () => {
      const columns: { name: string }[] = await subject.admin.query(
        `SELECT quote_ident(attname) AS name FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attname NOT IN ('tenant_id', 'scope')`,
        [`engram.${table}`],
      );
      const rest = columns.map(({ name }) => name).join(', ');
      const moved = as(mine, (manager) =>
        manager.query(
          `INSERT INTO engram.${table} (tenant_id, scope, ${rest}) SELECT $1, 'user:new', ${rest} FROM engram.${table}`,
          [theirs.tenantId],
        ),
      );
      await expect(moved).rejects.toThrow('row-level security');
    });
  });

  it('holds the scopes of fifty calls at once apart', async () => {
    const busy = await openSecuredStore({ poolSize: 5 });
    await busy.store.start();
    try {
      const scopes = Array.from({ length: 25 }, newScope);
      const ids = await Promise.all(scopes.map((scope) => fill(busy.store, scope)));
      const pages = await Promise.all(
        scopes.flatMap((scope) => [busy.store.list(scope, { limit: 10 }), busy.store.list(scope, { limit: 10 })]),
      );
      expect(pages.map(({ memories }) => memories.map(({ id }) => id))).toEqual(ids.flatMap((id) => [[id], [id]]));
    } finally {
      await busy.close();
    }
  });

  it('lets a scope have its own index, and use it', async () => {
    const large = await openSecuredStore({ hnswFrom: 1 });
    await large.store.start();
    try {
      const scope = newScope();
      await fill(large.store, newScope());
      await fill(large.store, scope);
      await large.store.write(scope, (w) =>
        w.insert(Array.from({ length: 30 }, (_, n) => newMemory(`Owns boat number ${n}.`))),
      );
      const report = await createScopeIndex(large.admin, scope);
      expect(report).toMatchObject({ memories: 31, space: 'test:plane:2' });
      expect(await large.store.recall(scope, { ...everythingNear, limit: 20 })).toHaveLength(20);
      expect(await large.store.recall(newScope(), everythingNear)).toEqual([]);
    } finally {
      await large.close();
    }
  });

  describe('the sweeper', () => {
    it('hands over due turns of every scope, and finds scopes that are due for upkeep', async () => {
      const due = await store.turns.sweep({ limit: 100, holdMs: 0 });
      expect(due).toEqual(
        expect.arrayContaining([
          { ...mine, turnId: 'turn' },
          { ...theirs, turnId: 'turn' },
        ]),
      );
      const soon = new Date(Date.now() + 60_000);
      expect(await store.dueForUpkeep({ revisionsEndedBefore: soon, limit: 100 })).toEqual(
        expect.arrayContaining([mine, theirs]),
      );
    });

    it('is granted keys, times and the stand of turns, and nothing else', async () => {
      const grants: { granted: string }[] = await subject.admin.query(
        `SELECT concat_ws(' ', c.relname, lower(g.privilege_type), string_agg(a.attname, ', ' ORDER BY a.attname)) AS granted
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         CROSS JOIN LATERAL aclexplode(a.attacl) AS g
         WHERE c.relnamespace = 'engram'::regnamespace AND g.grantee = '${SWEEPER}'::regrole
         GROUP BY c.relname, g.privilege_type
         UNION ALL
         SELECT concat_ws(' ', c.relname, lower(g.privilege_type)) FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS g
         WHERE c.relnamespace = 'engram'::regnamespace AND g.grantee IN ('${SWEEPER}'::regrole, 0)
         ORDER BY 1`,
      );
      expect(grants.map(({ granted }) => granted)).toEqual([
        'memories select expires_at, scope, tenant_id',
        'memory_revisions select scope, tenant_id, valid_to',
        'memory_turns select finished_at, lease_until, not_before, run_after, scope, seq, status, tenant_id, turn_id',
        'memory_turns update batch_no, claim, lease_until, run_after, status',
      ]);
    });

    it.each([
      ['messages of turns', 'SELECT messages FROM engram.memory_turns'],
      ['what was said before turns', 'SELECT context FROM engram.memory_turns'],
      ['hashes of turns', 'SELECT messages_hash FROM engram.memory_turns'],
      ['decisions', 'SELECT decisions FROM engram.memory_turns'],
      ['memories', 'SELECT content FROM engram.memories'],
      ['vectors', 'SELECT embedding FROM engram.memories'],
      ['earlier states', 'SELECT content FROM engram.memory_revisions'],
      ['scopes', 'SELECT enabled FROM engram.memory_scopes'],
      ['what is counted', 'SELECT access_count FROM engram.memory_access'],
    ])('may not read %s', async (_what, sql) => {
      await expect(as(null, (manager) => manager.query(sql), SWEEPER)).rejects.toThrow('permission denied');
    });

    it.each([
      ['a message', `UPDATE engram.memory_turns SET messages = '[]'`],
      ['a memory', `UPDATE engram.memories SET content = 'x'`],
      ['an expiry', 'UPDATE engram.memories SET expires_at = NULL'],
      ['a turn away', 'DELETE FROM engram.memory_turns'],
      ['a memory away', 'DELETE FROM engram.memories'],
    ])('may not write %s', async (_what, sql) => {
      await expect(as(null, (manager) => manager.query(sql), SWEEPER)).rejects.toThrow('permission denied');
    });

    it.each(['dead', 'applied', 'failed'])('may not make a turn %s, only due', async (status) => {
      const change = `UPDATE engram.memory_turns SET status = '${status}'`;
      await expect(as(null, (manager) => manager.query(change), SWEEPER)).rejects.toThrow('row-level security');
    });
  });

  it('covers every table of the schema that has rows of scopes', async () => {
    const open = await subject.admin.query(
      `SELECT c.relname FROM pg_class c
       WHERE c.relnamespace = 'engram'::regnamespace AND c.relkind IN ('r', 'p', 'm', 'f')
         AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
    );
    expect(open).toEqual([{ relname: 'engram_migrations' }]);
  });

  it('shows nothing through the leaves of a partitioned table, to the app or to their owner', async () => {
    const parted = await openSecuredStore({ partitions: 4 });
    await parted.store.start();
    try {
      const scope = newScope();
      await fill(parted.store, scope);
      expect((await parted.store.list(scope, { limit: 10 })).totalCount).toBe(1);
      const leaves: { name: string }[] = await parted.admin.query(
        `SELECT format('%I.%I', 'engram', c.relname) AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE c.relnamespace = 'engram'::regnamespace AND c.relkind = 'r'`,
      );
      expect(leaves).toHaveLength(4 * TABLES.length);
      class Undone extends Error {}
      for (const { name } of leaves) {
        await expect(
          parted.admin.transaction(async (manager) => {
            await manager.query(`SET LOCAL ROLE ${APP}`);
            await manager.query(`SELECT FROM ${name}`);
          }),
        ).rejects.toThrow('permission denied');
        const owned = parted.admin.transaction(async (manager) => {
          await manager.query(`ALTER TABLE ${name} OWNER TO ${APP}`);
          await manager.query(`SET LOCAL ROLE ${APP}`);
          for (const setting of Object.entries(scopeSettings(scope)))
            await manager.query('SELECT set_config($1, $2, true)', setting);
          expect(await manager.query(`SELECT FROM ${name}`)).toEqual([]);
          throw new Undone();
        });
        await expect(owned).rejects.toThrow(Undone);
      }
    } finally {
      await parted.close();
    }
  });

  describe('inside a transaction of the host', () => {
    it('tells the policies the scope, takes no role, and leaves the settings as they were', async () => {
      const settings = (manager: EntityManager): Promise<unknown> =>
        manager.query(
          `SELECT current_user, current_setting('engram.tenant_id', true) AS tenant, current_setting('engram.scope', true) AS scope`,
        );
      await as(theirs, async (manager) => {
        const before = await settings(manager);
        const joined = store.within(manager).store;
        expect((await joined.list(mine, { limit: 10 })).totalCount).toBe(1);
        expect(await settings(manager)).toEqual(before);
        await joined.write(mine, (writer) => writer.insert([newMemory('Keeps hens.')]));
        expect(await settings(manager)).toEqual(before);
        expect(await count(manager, 'memories')).toBe(1);
      });
      expect((await store.list(mine, { limit: 10 })).totalCount).toBe(2);
    });
  });

  describe('at boot', () => {
    let other: DataSource | null = null;

    async function boot(user: string, rowLevelSecurity: boolean | RowLevelSecurityOptions): Promise<void> {
      other = createPostgresDataSource({ connection: subject.connectionOf(user), poolSize: 1 });
      const trial = new PostgresMemoryStore(other, { migrate: false, ownsDataSource: true, rowLevelSecurity });
      try {
        await trial.start();
      } finally {
        await trial.stop();
      }
    }
    const refusal = (message: string) =>
      expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringContaining(message) });
    const superuser = async (): Promise<string> => (await subject.admin.query('SELECT current_user AS name'))[0].name;

    it('refuses a superuser', async () => {
      const admin = new PostgresMemoryStore(subject.admin, { migrate: false, rowLevelSecurity: { sweeper: SWEEPER } });
      await expect(admin.start()).rejects.toEqual(refusal(`no policy counts for the role ${await superuser()}`));
    });

    it.each([
      ['BYPASSRLS', 'BYPASSRLS', 'no policy counts for the role'],
      ['no right on the tables', '', 'may not read and write the tables'],
    ])('refuses a role with %s', async (_what, attribute, message) => {
      const role = `engram_test_${randomUUID().slice(0, 8)}`;
      await subject.admin.query(`CREATE ROLE ${role} NOLOGIN ${attribute}`);
      try {
        const trial = new PostgresMemoryStore(subject.admin, {
          migrate: false,
          rowLevelSecurity: { role, sweeper: SWEEPER },
        });
        await expect(trial.start()).rejects.toEqual(refusal(message));
      } finally {
        await subject.admin.query(`DROP ROLE ${role}`);
      }
    });

    it('refuses a role that has the rights of the sweeper without switching to it', async () => {
      const role = `engram_test_${randomUUID().slice(0, 8)}`;
      await subject.admin.query(`CREATE ROLE ${role} NOLOGIN INHERIT`);
      await subject.admin.query(`GRANT USAGE ON SCHEMA engram TO ${role}`);
      await subject.admin.query(`GRANT ALL ON ALL TABLES IN SCHEMA engram TO ${role}`);
      await subject.admin.query(`GRANT ${SWEEPER} TO ${role} WITH INHERIT TRUE`);
      try {
        const trial = new PostgresMemoryStore(subject.admin, {
          migrate: false,
          rowLevelSecurity: { role, sweeper: SWEEPER },
        });
        await expect(trial.start()).rejects.toEqual(refusal(`GRANT "${SWEEPER}" TO "${role}" WITH INHERIT FALSE`));
      } finally {
        await subject.admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      }
    });

    it('refuses roles that do not exist, and names the statement for a missing sweeper', async () => {
      const role = new PostgresMemoryStore(subject.admin, {
        migrate: false,
        rowLevelSecurity: { role: 'nobody_here' },
      });
      await expect(role.start()).rejects.toEqual(refusal('nobody_here, which does not exist'));
      await expect(boot(APP, { role: APP, sweeper: 'nobody_here' })).rejects.toEqual(
        refusal('CREATE ROLE "nobody_here"; GRANT "nobody_here" TO'),
      );
    });

    it('refuses tables without policies', async () => {
      await subject.admin.query('ALTER TABLE engram.memory_access NO FORCE ROW LEVEL SECURITY');
      await subject.admin.query('ALTER POLICY own_scope ON engram.memories RENAME TO another');
      try {
        await expect(boot(APP, subject.rowLevelSecurity)).rejects.toEqual(refusal('memories, memory_access'));
      } finally {
        await subject.admin.query('ALTER TABLE engram.memory_access FORCE ROW LEVEL SECURITY');
        await subject.admin.query('ALTER POLICY another ON engram.memories RENAME TO own_scope');
      }
      await boot(APP, subject.rowLevelSecurity);
    });

    onNative('refuses to run without the option where policies would hide everything', async () => {
      await expect(boot(APP, false)).rejects.toEqual(refusal('hide every row from the role engram_test_app'));
    });
  });

  describe('its migration', () => {
    it('runs later, goes down and up again, and gives the owner no way around', async () => {
      const role = `engram_test_${randomUUID().slice(0, 8)}`;
      await subject.admin.query(`CREATE ROLE ${role} NOLOGIN`);
      const options = { schema: 'later' };
      const secured = { ...options, rowLevelSecurity: { sweeper: SWEEPER } };
      const policies = (): Promise<unknown> =>
        subject.admin.query(
          `SELECT tablename, policyname, roles::text, cmd, qual, with_check FROM pg_policies WHERE schemaname = 'later' ORDER BY 1, 2`,
        );
      try {
        await runMigrations(subject.admin, options);
        expect(await runMigrations(subject.admin, secured)).toEqual(['SecureRows1788000900000']);
        const first = await policies();
        expect(first).toHaveLength(TABLES.length + 4);
        await revertMigrations(subject.admin, secured);
        expect(await policies()).toEqual([]);
        await runMigrations(subject.admin, secured);
        expect(await policies()).toEqual(first);

        await subject.admin.query(
          `INSERT INTO later.memory_scopes (tenant_id, scope, generation) VALUES ('t', 's', gen_random_uuid())`,
        );
        await subject.admin.query(
          `GRANT USAGE ON SCHEMA later TO ${role}; ALTER TABLE later.memory_scopes OWNER TO ${role}`,
        );
        await subject.admin.transaction(async (manager) => {
          await manager.query(`SET LOCAL ROLE ${role}`);
          expect(await manager.query('SELECT FROM later.memory_scopes')).toEqual([]);
        });
      } finally {
        await revertMigrations(subject.admin, secured);
        await subject.admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      }
    });

    it('lets a later migration of the owner change every row, then binds the owner again', async () => {
      const owner = `engram_test_${randomUUID().slice(0, 8)}`;
      await subject.admin.query(`CREATE ROLE ${owner} NOLOGIN`);
      await subject.admin.query(`GRANT USAGE ON SCHEMA engram TO ${owner}`);
      const [{ name: before }] = await subject.admin.query(
        `SELECT tableowner AS name FROM pg_tables WHERE schemaname = 'engram' AND tablename = 'memory_revisions'`,
      );
      for (const table of TABLES) await subject.admin.query(`ALTER TABLE engram.${table} OWNER TO ${owner}`);
      const queryRunner = subject.admin.createQueryRunner();
      const change = 'UPDATE engram.memory_revisions SET importance = 0';
      try {
        await queryRunner.startTransaction();
        await queryRunner.query(`SET LOCAL ROLE ${owner}`);
        // As the protocol has it: a blocked step fails.
        await queryRunner.query('SAVEPOINT blocked');
        await queryRunner.query('SET LOCAL row_security = off');
        await expect(queryRunner.query(change)).rejects.toThrow('row-level security');
        await queryRunner.query('ROLLBACK TO SAVEPOINT blocked');

        let changed = 0;
        await withoutForcedPolicies(queryRunner, 'engram', async () => {
          expect(await queryRunner.query('SHOW row_security')).toEqual([{ row_security: 'off' }]);
          [, changed] = (await queryRunner.query(change)) as [unknown, number];
        });
        expect(changed).toBeGreaterThanOrEqual(2);
        expect((await queryRunner.query(change))[1]).toBe(0);
        expect(await queryRunner.query('SHOW row_security')).toEqual([{ row_security: 'on' }]);
      } finally {
        await queryRunner.rollbackTransaction();
        await queryRunner.release();
        for (const table of TABLES) await subject.admin.query(`ALTER TABLE engram.${table} OWNER TO "${before}"`);
        await subject.admin.query(`DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
      }
    });

    onNative('tells what an administrator has to run where roles may not be made', async () => {
      const owner = `engram_test_${randomUUID().slice(0, 8)}`;
      await subject.admin.query(
        `CREATE ROLE ${owner} LOGIN PASSWORD '${owner}'; CREATE SCHEMA unprivileged AUTHORIZATION ${owner}`,
      );
      const theirs = createPostgresDataSource({ connection: subject.connectionOf(owner), poolSize: 1 });
      await theirs.initialize();
      try {
        const sweeper = `${owner}_sweeper`;
        await expect(runMigrations(theirs, { schema: 'unprivileged', rowLevelSecurity: { sweeper } })).rejects.toThrow(
          `CREATE ROLE "${sweeper}"; GRANT "${sweeper}" TO "${owner}" WITH INHERIT FALSE, SET TRUE;`,
        );
      } finally {
        await theirs.destroy();
        await subject.admin.query(`DROP OWNED BY ${owner} CASCADE; DROP ROLE ${owner}`);
      }
    });

    onNative('lets one who may make roles set everything up, and serve by it', async () => {
      const owner = `engram_test_${randomUUID().slice(0, 8)}`;
      await subject.admin.query(
        `CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${owner}'; CREATE SCHEMA ${owner} AUTHORIZATION ${owner}`,
      );
      const theirs = createPostgresDataSource({ connection: subject.connectionOf(owner), poolSize: 1 });
      const own = new PostgresMemoryStore(theirs, {
        schema: owner,
        migrate: true,
        ownsDataSource: true,
        rowLevelSecurity: true,
      });
      try {
        await own.start();
        const scopes = [newScope(), newScope()] as const;
        for (const scope of scopes) await fill(own, scope);
        expect(await theirs.query(`SELECT FROM ${owner}.memories`)).toEqual([]);
        expect((await own.list(scopes[0], { limit: 10 })).totalCount).toBe(1);
        expect(await own.turns.sweep({ limit: 10, holdMs: 0 })).toHaveLength(2);
      } finally {
        await own.stop();
        await subject.admin.query(`DROP OWNED BY ${owner}_sweeper CASCADE; DROP ROLE ${owner}_sweeper`);
        await subject.admin.query(`DROP OWNED BY ${owner} CASCADE; DROP ROLE ${owner}`);
      }
    });
  });
});
