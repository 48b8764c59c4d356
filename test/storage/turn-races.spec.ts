import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../src/model/scope.js';
import type { ClaimedTurn, HoldBack } from '../../src/storage/memory-store.js';
import type { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';
import { describeOnServer } from '../faults/native.js';
import { openDiskOrderStore } from '../support/disk-order-store.js';
import { newMemory } from '../support/new-memory.js';
import { inTransaction, waitsForLock } from '../support/open-transaction.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

const MINUTE = 60_000;

// Real: Postgres, its locks and sessions. The embedded database has one session: nothing can meet in it.
describeOnServer('turns on which two sessions meet', () => {
  let subject: PostgresStoreUnderTest;
  let store: PostgresMemoryStore;

  beforeAll(async () => {
    subject = await openPostgresStore();
    store = subject.store;
    await store.start();
  });
  afterAll(() => subject.close());

  const newScope = (): Scope => ({ tenantId: randomUUID(), scope: 'user:42' });

  async function handIn(scope: Scope, turnId: string, holdBack?: HoldBack): Promise<void> {
    const { generation } = await store.scopeState(scope);
    await store.turns.insert(
      scope,
      {
        turnId,
        messages: [{ role: 'user', content: 'I keep bees.' }],
        messagesHash: Buffer.from('x'),
        occurredAt: null,
        timeZone: null,
        generation,
      },
      holdBack,
    );
  }

  async function claimed(scope: Scope, leaseMs = MINUTE, maxTurns = 1): Promise<ClaimedTurn> {
    const turn = await store.turns.claim(scope, { leaseMs, maxTurns });
    if (!turn) throw new Error('no turn was due');
    return turn;
  }

  it('cannot be claimed anew between the lock of an apply and its end', async () => {
    const scope = newScope();
    await handIn(scope, 'a');
    const late = await claimed(scope, 0);
    let claim: Promise<ClaimedTurn | null> = Promise.resolve(null);
    await store.write(scope, async (writer) => {
      expect(await writer.lockClaimedTurns(late.claim)).toHaveLength(1);
      claim = store.turns.claim(scope, { leaseMs: MINUTE });
      expect(await waitsForLock(subject.dataSource, claim)).toBe(true);
      await writer.insert([newMemory('Keeps bees.')]);
      await writer.finishTurn(late.claim, 'a', { status: 'applied', decisions: [] });
    });
    expect(await claim).toBeNull();
    expect((await store.turns.find(scope, 'a'))?.status).toBe('applied');
  });

  it('are handed in, claimed, renewed, given back and swept while a writer holds the scope', async () => {
    const scope = newScope();
    await handIn(scope, 'a');
    await store.write(scope, async () => {
      await handIn(scope, 'b', { idleMs: 0, everyTurns: 1 });
      const { claim } = await claimed(scope);
      expect(await store.turns.renew(scope, claim, MINUTE)).toBe(true);
      expect(await store.turns.release(scope, claim)).toBe(true);
      const again = await claimed(scope);
      const failure = { errorCode: 'X', delayMs: 0, dead: false, failures: 1 };
      expect(await store.turns.fail(scope, again.claim, failure)).toBe(true);
      const swept = await store.turns.sweep({ limit: 1_000, holdMs: 1 });
      expect(swept.filter(({ tenantId }) => tenantId === scope.tenantId)).toEqual([{ ...scope, turnId: 'a' }]);
    });
  });

  it('are passed over by a sweep where another has one of them in hand', async () => {
    const [held, free] = [newScope(), newScope()];
    for (const scope of [held, free]) await handIn(scope, 'a');
    await inTransaction(subject.dataSource, async (open) => {
      await open.query('SELECT FROM engram.memory_turns WHERE tenant_id = $1 FOR UPDATE', [held.tenantId]);
      const sweep = store.turns.sweep({ limit: 1_000, holdMs: MINUTE });
      expect(await waitsForLock(subject.dataSource, sweep)).toBe(false);
      const tenants = (await sweep).map(({ tenantId }) => tenantId);
      expect([held, free].map(({ tenantId }) => tenants.includes(tenantId))).toEqual([false, true]);
    });
  });

  it('are claimed by nobody else while a claim of the scope waits for one of them', async () => {
    const scope = newScope();
    for (const turnId of ['a', 'b']) await handIn(scope, turnId);
    await inTransaction(subject.dataSource, async (open, commit) => {
      await open.query(
        `UPDATE engram.memory_turns SET status = 'running', claim = gen_random_uuid(), batch_no = 0,
           lease_until = clock_timestamp() + interval '1 minute'
         WHERE tenant_id = $1 AND turn_id = 'a'`,
        [scope.tenantId],
      );
      const claims = [1, 2].map((maxTurns) => store.turns.claim(scope, { leaseMs: MINUTE, maxTurns }));
      expect(await waitsForLock(subject.dataSource, Promise.race(claims))).toBe(true);
      await commit();
      expect(await Promise.all(claims)).toEqual([null, null]);
    });
    expect((await store.turns.find(scope, 'b'))?.status).toBe('pending');
  });

  describe('are locked in the order of their ids, as an erasure and an apply do, so that nothing deadlocks,', () => {
    let reading: PostgresMemoryStore;
    beforeAll(async () => (reading = await openDiskOrderStore(subject.dataSource)));
    afterAll(() => reading.stop());

    const failure = { errorCode: 'X', delayMs: 0, dead: false, failures: 1 };
    const calls: Record<string, (scope: Scope, claim: string) => Promise<unknown>> = {
      'by a claim': (scope) => reading.turns.claim(scope, { leaseMs: MINUTE, maxTurns: 2 }),
      'by a heartbeat': (scope, claim) => reading.turns.renew(scope, claim, MINUTE),
      'by a failure': (scope, claim) => reading.turns.fail(scope, claim, failure),
      'by a release': (scope, claim) => reading.turns.release(scope, claim),
      'by an apply': (scope, claim) => reading.write(scope, (writer) => writer.lockClaimedTurns(claim)),
      'by a forgetting for good': (scope) => reading.write(scope, (writer) => writer.barFromTurns([randomUUID()])),
      'by a switch-off': (scope) => reading.setEnabled(scope, false),
      'by an erasure': (scope) => reading.erase(scope),
    };

    it('by an upkeep that clears one turn and drops another', async () => {
      const scope = newScope();
      for (const turnId of ['second by id', 'first by id']) await handIn(scope, turnId);
      await store.turns.fail(scope, (await claimed(scope)).claim, { ...failure, dead: true });
      const { claim } = await claimed(scope);
      await store.write(scope, (writer) =>
        writer.finishTurn(claim, 'first by id', { status: 'nothing', decisions: [] }),
      );
      // The dead one is to lose its messages, the other one is to go.
      await subject.dataSource.query(
        `UPDATE engram.memory_turns SET finished_at = CASE status WHEN 'dead' THEN $2::timestamptz ELSE $3::timestamptz END
         WHERE tenant_id = $1`,
        [scope.tenantId, '2020-02-01', '2020-01-01'],
      );
      const old = { deadBefore: new Date('2020-03-01'), endedBefore: new Date('2020-01-15'), limit: 10 };
      const lock = 'SELECT FROM engram.memory_turns WHERE tenant_id = $1 AND turn_id = $2 FOR UPDATE NOWAIT';
      await inTransaction(subject.dataSource, async (open, commit) => {
        await open.query(lock, [scope.tenantId, 'first by id']);
        const dropped = store.turns.dropOld(scope, old);
        expect(await waitsForLock(subject.dataSource, dropped)).toBe(true);
        await open.query(lock, [scope.tenantId, 'second by id']);
        await commit();
        expect(await dropped).toBe(2);
      });
      expect(await store.turns.find(scope, 'first by id')).toBeNull();
      expect(await store.turns.find(scope, 'second by id')).toMatchObject({ status: 'dead', messages: null });
    });

    it.each(Object.entries(calls))('%s', async (name, call) => {
      const scope = newScope();
      // Handed in, and on the disk, the other way round.
      for (const turnId of ['second by id', 'first by id']) await handIn(scope, turnId);
      const claim = name === 'by a claim' ? '' : (await claimed(scope, MINUTE, 2)).claim;
      const lock = 'SELECT FROM engram.memory_turns WHERE tenant_id = $1 AND turn_id = $2 FOR UPDATE NOWAIT';
      await inTransaction(subject.dataSource, async (open, commit) => {
        await open.query(lock, [scope.tenantId, 'first by id']);
        const called = call(scope, claim);
        expect(await waitsForLock(subject.dataSource, called)).toBe(true);
        await open.query(lock, [scope.tenantId, 'second by id']);
        await commit();
        await called;
      });
    });
  });
});
