import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { ConflictError } from '../../src/errors/conflict-error.js';
import { EngramError } from '../../src/errors/engram-error.js';
import { InvalidInputError } from '../../src/errors/invalid-input-error.js';
import { InvalidOptionsError } from '../../src/errors/invalid-options-error.js';
import { UnavailableError } from '../../src/errors/unavailable-error.js';
import type { Scope } from '../../src/model/scope.js';
import { searchText } from '../../src/model/search-text.js';
import type { NewMemory, NewTurn, RecallHit } from '../../src/storage/memory-store.js';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { newMemory } from '../support/new-memory.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';
import { sentValues } from '../support/sent-values.js';

const EVERYTHING_BUT_DATE = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'requestIdleCallback',
  'cancelIdleCallback',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

interface RevisionRow {
  version: number;
  content: string;
  has_vector: boolean;
  valid_from: Date;
  valid_to: Date;
  ended_by: string;
  ended_by_turn: string | null;
  merged_into: string | null;
}

// Real: Postgres (embedded or native), the migrations, TypeORM's pool. Nothing is faked.
describe('the protocol of the store in Postgres', () => {
  let subject: PostgresStoreUnderTest;
  let store: PostgresMemoryStore;

  beforeAll(async () => {
    subject = await openPostgresStore();
    store = subject.store;
    await store.start();
  });

  afterAll(() => subject.close());

  const newScope = (): Scope => ({ tenantId: randomUUID(), scope: 'user:42' });

  async function rememberOne(scope: Scope, memory: NewMemory) {
    const [stored] = await store.write(scope, (writer) => writer.insert([memory]));
    if (!stored) throw new Error('nothing was stored');
    return stored;
  }

  function revisionsOf({ tenantId, scope }: Scope): Promise<RevisionRow[]> {
    return subject.dataSource.query(
      `SELECT version, content, embedding IS NOT NULL AS has_vector, valid_from, valid_to, ended_by, ended_by_turn, merged_into
       FROM engram.memory_revisions WHERE tenant_id = $1 AND scope = $2 ORDER BY version`,
      [tenantId, scope],
    );
  }

  function keywords(scope: Scope, words: string): Promise<RecallHit[]> {
    return store.recall(scope, {
      searchText: searchText(words),
      vector: null,
      mode: 'keyword',
      limit: 10,
      denseWeight: 0.5,
      maxDistance: null,
      minCoverage: 0.01,
      minScore: null,
    });
  }

  describe('revisions', () => {
    it('keep each earlier state in a half-open span that meets the next, and the vector only where the text changed', async () => {
      const scope = newScope();
      const first = await rememberOne(scope, newMemory('Is on the Pro plan.'));
      const second = await store.write(scope, (w) =>
        w.update(first, { importance: 1 }, { endedBy: 'update', turnId: 'turn-1' }),
      );
      const { content, contentHash: hash, searchText: words, vector } = newMemory('Is on Enterprise.');
      const third = await store.write(scope, (w) =>
        w.update(second, { text: { content, contentHash: hash, searchText: words, vector } }, { endedBy: 'update' }),
      );
      const target = randomUUID();
      await store.write(scope, (w) => w.remove(third, { endedBy: 'merge', mergedInto: target, turnId: 'turn-2' }));

      const revisions = await revisionsOf(scope);
      expect(
        revisions.map(({ version, content, has_vector, ended_by, ended_by_turn, merged_into }) => [
          version,
          content,
          has_vector,
          ended_by,
          ended_by_turn,
          merged_into,
        ]),
      ).toEqual([
        [1, 'Is on the Pro plan.', false, 'update', 'turn-1', null],
        [2, 'Is on the Pro plan.', true, 'update', null, null],
        [3, 'Is on Enterprise.', true, 'merge', 'turn-2', target],
      ]);
      expect(revisions[0]?.valid_from).toEqual(first.createdAt);
      expect(revisions.map((revision) => revision.valid_to).slice(0, 2)).toEqual([second.updatedAt, third.updatedAt]);
      expect(revisions[1]?.valid_from).toEqual(revisions[0]?.valid_to);
      expect(revisions[2]?.valid_from).toEqual(revisions[1]?.valid_to);
    });

    it('leave out a state that began and ended in one transaction: nobody could see it', async () => {
      const scope = newScope();
      await store.write(scope, async (writer) => {
        const [memory] = await writer.insert([newMemory('Is on the Pro plan.')]);
        if (!memory) throw new Error('nothing was stored');
        const updated = await writer.update(memory, { importance: 1 }, { endedBy: 'update' });
        await writer.remove(updated, { endedBy: 'forget' });
      });
      expect(await revisionsOf(scope)).toEqual([]);
      expect((await store.scopeState(scope)).revision).toBe(1);
    });

    it('are not kept by a call that came to nothing', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('Is on the Pro plan.'));
      await expect(
        store.write(scope, (w) => w.update({ id: memory.id, version: 9 }, { importance: 1 }, { endedBy: 'update' })),
      ).rejects.toThrow(ConflictError);
      expect(await revisionsOf(scope)).toEqual([]);
    });
  });

  describe('the clock of a scope', () => {
    it('goes on from its last stamp even where the server’s clock was set back', async () => {
      const scope = newScope();
      await store.scopeState(scope);
      const ahead = new Date(Date.now() + 3_600_000);
      await subject.dataSource.query('UPDATE engram.memory_scopes SET clock = $2 WHERE tenant_id = $1', [
        scope.tenantId,
        ahead,
      ]);
      const one = await rememberOne(scope, newMemory('One.'));
      const two = await rememberOne(scope, newMemory('Two.'));
      expect(one.createdAt.getTime()).toBe(ahead.getTime() + 1);
      expect(two.createdAt.getTime()).toBe(ahead.getTime() + 2);
    });

    it('keeps whole milliseconds, so that a moment that was shown can be asked for again', async () => {
      const scope = newScope();
      const memory = await rememberOne(scope, newMemory('One.'));
      const rows: unknown[] = await subject.dataSource.query(
        'SELECT 1 FROM engram.memories WHERE tenant_id = $1 AND valid_from = $2 AND created_at = $2 AND evidence_at = $2',
        [scope.tenantId, memory.createdAt],
      );
      expect(rows).toHaveLength(1);
    });
  });

  it('counts documents and words in the scope, through insert, update and removal', async () => {
    const scope = newScope();
    const counters = async (): Promise<unknown> =>
      (
        await subject.dataSource.query('SELECT docs, terms::int FROM engram.memory_scopes WHERE tenant_id = $1', [
          scope.tenantId,
        ])
      )[0];
    const [one] = await store.write(scope, (writer) =>
      writer.insert([newMemory('Alpha bravo charlie.'), newMemory('Delta.')]),
    );
    if (!one) throw new Error('nothing was stored');
    expect(await counters()).toEqual({ docs: 2, terms: 4 });
    const { content, contentHash: hash, searchText: words, vector } = newMemory('Alpha.');
    const updated = await store.write(scope, (w) =>
      w.update(one, { text: { content, contentHash: hash, searchText: words, vector } }, { endedBy: 'update' }),
    );
    expect(await counters()).toEqual({ docs: 2, terms: 2 });
    await store.write(scope, (w) => w.remove(updated, { endedBy: 'forget' }));
    expect(await counters()).toEqual({ docs: 1, terms: 1 });
  });

  it('clears the messages of a turn in every place once it is applied', async () => {
    const scope = newScope();
    const { generation } = await store.scopeState(scope);
    await store.turns.insert(scope, {
      turnId: 'a',
      messages: [{ role: 'user', content: 'sentinel-of-the-turn' }],
      messagesHash: createHash('sha256').update('x').digest(),
      occurredAt: null,
      timeZone: null,
      generation,
    });
    const turn = await store.turns.claim(scope, { leaseMs: 60_000 });
    if (!turn) throw new Error('no turn was due');
    await store.write(scope, (w) => w.finishTurn(turn.claim, 'a', { status: 'nothing', decisions: [] }));
    const rows: { text: string }[] = await subject.dataSource.query(
      'SELECT t::text AS text FROM engram.memory_turns t WHERE tenant_id = $1',
      [scope.tenantId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain('sentinel');
  });

  it.each([
    ['ahead', 86_400_000],
    ['behind', -86_400_000],
  ])('goes by the clock of the database where that of the app is a day %s', async (_, ms) => {
    const scope = newScope();
    const { generation } = await store.scopeState(scope);
    const newTurn = (turnId: string): NewTurn => {
      return { turnId, messages: [], messagesHash: Buffer.from('x'), occurredAt: null, timeZone: null, generation };
    };
    /** Tens of minutes from now, by the database, of each time of the first turn. */
    const times = async (): Promise<unknown> =>
      (
        await subject.dataSource.query(
          `SELECT round(extract(epoch FROM lease_until - clock_timestamp()) / 600)::int AS lease,
                  round(extract(epoch FROM run_after - clock_timestamp()) / 600)::int AS due,
                  round(extract(epoch FROM occurred_at - clock_timestamp()) / 600)::int AS said,
                  round(extract(epoch FROM finished_at - clock_timestamp()) / 600)::int AS finished
           FROM engram.memory_turns WHERE tenant_id = $1 ORDER BY seq LIMIT 1`,
          [scope.tenantId],
        )
      )[0];
    const TEN_MINUTES = 600_000;
    const failure = { errorCode: 'X', delayMs: TEN_MINUTES, dead: false, failures: 1 };
    const claimed = async (leaseMs: number): Promise<string> =>
      (await store.turns.claim(scope, { leaseMs }))?.claim ?? '';

    const now = Date.now() + ms;
    jest.useFakeTimers({ now, doNotFake: [...EVERYTHING_BUT_DATE] });
    try {
      await store.turns.insert(scope, newTurn('a'), { idleMs: TEN_MINUTES, everyTurns: 2 });
      expect(await times()).toEqual({ lease: null, due: 1, said: 0, finished: null });
      expect(await store.turns.claim(scope, { leaseMs: 1 })).toBeNull();
      await store.turns.insert(scope, newTurn('b'), { idleMs: TEN_MINUTES, everyTurns: 2 });
      const claim = await claimed(TEN_MINUTES);
      expect(await times()).toMatchObject({ lease: 1, due: 0 });
      await store.turns.renew(scope, claim, 2 * TEN_MINUTES);
      expect(await times()).toMatchObject({ lease: 2 });
      expect(await store.turns.claim(scope, { leaseMs: 1 })).toBeNull();
      await store.turns.fail(scope, claim, failure);
      expect(await times()).toMatchObject({ lease: null, due: 1 });
      expect(await store.turns.claim(scope, { leaseMs: 1 })).toBeNull();
      await store.turns.retry(scope, 'a');
      expect(await times()).toMatchObject({ due: 0 });
      await store.turns.sweep({ limit: 1_000, holdMs: TEN_MINUTES });
      expect(await times()).toMatchObject({ due: 1 });
      await store.turns.release(scope, await claimed(TEN_MINUTES));
      expect(await times()).toMatchObject({ due: 0 });
      await store.turns.fail(scope, await claimed(TEN_MINUTES), { ...failure, dead: true });
      expect(await times()).toMatchObject({ finished: 0 });
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets one turn of a scope run, whatever a worker tries', async () => {
    const scope = newScope();
    const { generation } = await store.scopeState(scope);
    for (const turnId of ['a', 'b']) {
      await store.turns.insert(scope, {
        turnId,
        messages: [{ role: 'user', content: 'x' }],
        messagesHash: Buffer.from('x'),
        occurredAt: null,
        timeZone: null,
        generation,
      });
    }
    await store.turns.claim(scope, { leaseMs: 60_000 });
    await expect(
      subject.dataSource.query(
        `UPDATE engram.memory_turns SET status = 'running', claim = gen_random_uuid(), batch_no = 0, lease_until = now()
         WHERE tenant_id = $1 AND turn_id = 'b'`,
        [scope.tenantId],
      ),
    ).rejects.toThrow(/one_runner_per_scope|memory_turns_p\d_tenant_id_scope_idx/);
  });

  it('waits for a lock no longer than five seconds in whatever may wait for one', async () => {
    const scope = newScope();
    const { generation } = await store.scopeState(scope);
    const sent: { sql: string; limits: boolean }[] = [];
    const logger = subject.dataSource.logger;
    const spied: typeof logger = Object.create(logger, {
      logQuery: {
        value: (sql: string, parameters: unknown[] = []) => {
          const [names, values] = sentValues(parameters) as string[][];
          sent.push({
            sql,
            limits: sql.includes('set_config') && values?.[names?.indexOf('lock_timeout') ?? -1] === '5s',
          });
        },
      },
    });
    subject.dataSource.logger = spied;
    try {
      const memory = await rememberOne(scope, newMemory('One.'));
      await store.touch(scope, [memory.id]);
      await store.turns.insert(scope, {
        turnId: 'a',
        messages: [{ role: 'user', content: 'x' }],
        messagesHash: Buffer.from('x'),
        occurredAt: null,
        timeZone: null,
        generation,
      });
      const turn = await store.turns.claim(scope, { leaseMs: 60_000 });
      await store.turns.renew(scope, turn?.claim ?? '', 60_000);
      await store.turns.release(scope, turn?.claim ?? '');
      await store.turns.sweep({ limit: 1, holdMs: 1 });
    } finally {
      subject.dataSource.logger = logger;
    }
    let limited = false;
    for (const { sql, limits } of sent) {
      if (/^(?:START|BEGIN|COMMIT|ROLLBACK)/.test(sql)) limited = false;
      else if (limits) limited = true;
      else if (/\b(?:INSERT|UPDATE|DELETE|FOR NO KEY)\b/.test(sql)) expect([sql, limited]).toEqual([sql, true]);
    }
    expect(sent.length).toBeGreaterThan(20);
  });

  describe('words', () => {
    it('are stemmed in the language of the store', async () => {
      const scope = newScope();
      await rememberOne(scope, newMemory('Deploys the billing services on Tuesdays.'));
      expect(await keywords(scope, 'deploying a service')).toHaveLength(1);
      expect((await store.list(scope, { limit: 5, searchText: searchText('deployed service') })).totalCount).toBe(1);
    });

    it('of a query that has only stop words make no keyword leg', async () => {
      const scope = newScope();
      await rememberOne(scope, newMemory('Is what it is.'));
      expect(await keywords(scope, 'what is it')).toEqual([]);
      const [hit] = await store.recall(scope, {
        searchText: searchText('what is it'),
        vector: { space: 'test:plane:2', values: [1, 0] },
        mode: 'hybrid',
        limit: 5,
        denseWeight: 0.3,
        maxDistance: 0.5,
        minCoverage: 0.5,
        minScore: null,
      });
      expect([hit?.score, hit?.coverage, hit?.keywordRank]).toEqual([1, null, null]);
      expect((await store.list(scope, { limit: 5, searchText: searchText('the') })).totalCount).toBe(1);
    });

    it('of Chinese, Japanese and Thai are found inside a sentence', async () => {
      const scope = newScope();
      await rememberOne(scope, newMemory('我喜欢喝绿茶'));
      await rememberOne(scope, newMemory('東京に住んでいます'));
      await rememberOne(scope, newMemory('ฉันชอบกาแฟ'));
      for (const [word, content] of [
        ['绿茶', '我喜欢喝绿茶'],
        ['東京', '東京に住んでいます'],
        ['กาแฟ', 'ฉันชอบกาแฟ'],
      ] as const) {
        expect((await keywords(scope, word)).map((hit) => hit.memory.content)).toEqual([content]);
      }
    });

    it('need a language that the database knows', async () => {
      const other = new PostgresMemoryStore(subject.dataSource, { migrate: false, language: 'klingon' });
      await expect(other.start()).rejects.toThrow(InvalidOptionsError);
    });
  });

  describe('an error of the driver', () => {
    const sentinel = 'sentinel-of-an-error';

    /** Everything that a logger could print of an error. */
    function printed(error: unknown): string {
      const seen: string[] = [];
      for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
        seen.push(inner.message, inner.stack ?? '', JSON.stringify(inner, Object.getOwnPropertyNames(inner)));
      }
      return seen.join('\n');
    }

    for (const [name, memory] of [
      ['a NUL in the text', newMemory(`${sentinel} \u0000`)],
      ['a NUL in the metadata', newMemory(sentinel, { metadata: { note: `${sentinel} \u0000` } })],
      ['half a character in the metadata', newMemory(sentinel, { metadata: { note: `${sentinel} \ud83d` } })],
    ] as const) {
      it(`about ${name} becomes an input error that quotes nothing, and nothing is stored`, async () => {
        const scope = newScope();
        const error: unknown = await rememberOne(scope, memory).catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(InvalidInputError);
        expect(printed(error)).not.toContain(sentinel);
        expect((await store.stats(scope, null)).total).toBe(0);
      });
    }

    it('about a broken rule of the table names its code, not the row', async () => {
      const scope = newScope();
      const error: unknown = await rememberOne(scope, newMemory(sentinel, { importance: 2 })).catch(
        (caught: unknown) => caught,
      );
      expect(error).toBeInstanceOf(EngramError);
      expect((error as EngramError).code).toBe('STORAGE_FAILED');
      expect(printed(error)).toContain('23514');
      expect(printed(error)).not.toContain(sentinel);
    });

    it('about a server that is not there becomes UNAVAILABLE', async () => {
      const dataSource = createPostgresDataSource({ connection: 'postgres://nobody@127.0.0.1:1/none' });
      const other = new PostgresMemoryStore(dataSource, { migrate: true, ownsDataSource: true });
      await expect(other.start()).rejects.toThrow(UnavailableError);
      await expect(other.check()).rejects.toThrow(UnavailableError);
      await expect(other.turns.renew(newScope(), randomUUID(), 1_000)).rejects.toThrow(UnavailableError);
    });
  });
});

describe('a pool', () => {
  it('of one connection is enough, also for many at once', async () => {
    const { store, close } = await openPostgresStore({ poolSize: 1 });
    try {
      await store.start();
      await manyWriters(store, 10);
    } finally {
      await close();
    }
  });

  it('carries fifty writers without losing one', async () => {
    const { store, close } = await openPostgresStore({ poolSize: 8 });
    try {
      await store.start();
      await manyWriters(store, 50);
    } finally {
      await close();
    }
  });

  /** The session of the embedded database has begun long before, with its own level. */
  const onNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip;

  onNative('writes at READ COMMITTED, whatever level its server would begin a transaction at', async () => {
    const { store, dataSource, close } = await openPostgresStore({ poolSize: 8 });
    dataSource.setOptions({ extra: { options: '-c default_transaction_isolation=serializable' } });
    try {
      await store.start();
      expect(await dataSource.query('SHOW transaction_isolation')).toEqual([{ transaction_isolation: 'serializable' }]);
      await manyWriters(store, 20);
      expect(await store.erase({ tenantId: 'many', scope: 'writers' })).toMatchObject({ memories: 20 });
    } finally {
      await close();
    }
  });

  async function manyWriters(store: PostgresMemoryStore, writers: number): Promise<void> {
    const scope = { tenantId: 'many', scope: 'writers' };
    await Promise.all(
      Array.from({ length: writers }, async (_, n) => {
        await store.write(scope, async (writer) => {
          const memory = newMemory(`Sentence ${n}.`, { vector: null });
          await writer.insert([memory]);
          await writer.find(memory.id);
        });
        await store.list(scope, { limit: 1 });
      }),
    );
    expect((await store.stats(scope, null)).total).toBe(writers);
    expect((await store.scopeState(scope)).revision).toBe(writers);
  }
});
