import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AddResult, Memory, PersistencePolicy, ScopedMemory } from 'nestjs-engram';
import { InvalidInputError, MemoryService } from 'nestjs-engram';
import { DeterministicEmbedder } from 'nestjs-engram/testing';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000001';
const DAY_MS = 24 * 60 * 60 * 1_000;

function kept({ memory }: AddResult): Memory {
  if (!memory) throw new Error('The memory was rejected.');
  return memory;
}

const until = async (moment: Date): Promise<void> => {
  while (Date.now() <= moment.getTime()) await new Promise((resolve) => setTimeout(resolve, 10));
};

function policy(check: PersistencePolicy['check']): PersistencePolicy {
  return { check, mask: (messages) => Promise.resolve([...messages]) };
}

class CountingEmbedder extends DeterministicEmbedder {
  readonly texts: string[] = [];

  override async embedDocuments(texts: readonly string[]): Promise<number[][]> {
    this.texts.push(...texts);
    return super.embedDocuments(texts);
  }
}

describe('the time of memories', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  let embedder: CountingEmbedder;
  beforeEach(async () => {
    embedder = new CountingEmbedder();
    // What is asked here must not depend on how busy the machine is.
    app = await memoryApp({ embedder, recall: { embedTimeoutMs: 60_000 } });
    memory = app.of('1');
  });
  afterEach(() => app.close());

  const add = async (content: string, options = {}): Promise<Memory> => kept(await memory.add(content, options));
  const reword = async (id: string, content: string): Promise<Memory> => kept(await memory.update(id, { content }));
  const contents = async (query: string, options = {}): Promise<string[]> =>
    (await memory.recall(query, options)).map((hit) => hit.memory.content);
  const restoredEvents = () => app.events.of('memory.restored');

  describe('the history', () => {
    it('tells what was said before and what ended it, and nothing of how it is stored', async () => {
      const pro = await add('Is on the Pro plan', { metadata: { from: 'form' } });
      const enterprise = await reword(pro.id, 'Is on the Enterprise plan');
      await memory.forget(pro.id);
      expect(await memory.history(pro.id)).toEqual([
        {
          memoryId: pro.id,
          version: 1,
          content: 'Is on the Pro plan',
          kind: 'fact',
          importance: 0.5,
          metadata: { from: 'form' },
          expiresAt: null,
          validFrom: pro.updatedAt,
          validTo: enterprise.updatedAt,
          endedBy: 'update',
          turnId: null,
          mergedInto: null,
        },
        expect.objectContaining({ version: 2, content: 'Is on the Enterprise plan', endedBy: 'forget' }),
      ]);
    });

    it('is empty for unknown and foreign ids alike', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      for (const id of [UNKNOWN_ID, 'no id', undefined as never]) expect(await memory.history(id)).toEqual([]);
      expect(await app.of('10').history(pro.id)).toEqual([]);
      expect(await app.of('1', 'other').history(pro.id)).toEqual([]);
    });

    it('tells from its expiry on what has expired, as upkeep will close it', async () => {
      const expiresAt = new Date(Date.now() + 2_000);
      const lisbon = await add('Is in Lisbon', { expiresAt });
      await until(expiresAt);
      const told = await memory.history(lisbon.id);
      expect(told).toMatchObject([
        { version: 1, content: 'Is in Lisbon', validFrom: lisbon.updatedAt, validTo: expiresAt, endedBy: 'expire' },
      ]);
      expect(await memory.histories([lisbon.id])).toEqual([told]);
      expect(await memory.get(lisbon.id, { asOf: new Date(expiresAt.getTime() - 1) })).toMatchObject({ version: 1 });
      expect(await app.of('10').history(lisbon.id)).toEqual([]);
      await app.module.get(MemoryService).upkeep();
      expect(await memory.history(lisbon.id)).toEqual(told);
    });

    it('of many is told in the order of the ids, whichever they are', async () => {
      const [pro, bees] = [await add('Is on the Pro plan'), await add('Keeps bees')];
      await memory.forget(pro.id);
      const ids = [UNKNOWN_ID, pro.id.toUpperCase(), 'no id', bees.id, pro.id];
      const history = await memory.history(pro.id);
      expect(history).toHaveLength(1);
      expect(await memory.histories(ids)).toEqual([[], history, [], [], history]);
      expect(await memory.getMany(ids)).toEqual([null, null, null, bees, null]);
      expect(await app.of('10').histories(ids)).toEqual([[], [], [], [], []]);
      expect(await app.of('10').getMany(ids)).toEqual([null, null, null, null, null]);
      for (const many of [Array.from({ length: 1_001 }, () => UNKNOWN_ID), 'one', [1], undefined]) {
        await expect(memory.histories(many as never)).rejects.toThrow(InvalidInputError);
        await expect(memory.getMany(many as never)).rejects.toThrow(InvalidInputError);
      }
    });
  });

  describe('a restore', () => {
    it('of a live memory is an update that can itself be undone', async () => {
      const pro = await add('Is on the Pro plan', { kind: 'preference', importance: 0.9 });
      await memory.update(pro.id, { content: 'Is on the Enterprise plan', kind: 'fact', importance: 0.1 });
      const restored = kept(await memory.restore(pro.id, 1));
      expect(restored).toMatchObject({
        id: pro.id,
        version: 3,
        content: 'Is on the Pro plan',
        kind: 'preference',
        importance: 0.9,
        createdAt: pro.createdAt,
      });
      expect((await memory.history(pro.id)).map(({ version, endedBy }) => [version, endedBy])).toEqual([
        [1, 'update'],
        [2, 'restore'],
      ]);
      expect(await contents('Pro plan')).toEqual(['Is on the Pro plan']);
      expect(restoredEvents()).toEqual([expect.objectContaining({ memoryId: pro.id, version: 3, scope: 'user:1' })]);
      expect(JSON.stringify(app.events.events)).not.toContain('plan');
      expect(kept(await memory.restore(pro.id, 2)).content).toBe('Is on the Enterprise plan');
    });

    it('of a forgotten one brings it back under its id and its beginning, newer than everything', async () => {
      const pro = await add('Is on the Pro plan', { metadata: { from: 'form' } });
      await reword(pro.id, 'Is on the Enterprise plan');
      await memory.forget(pro.id);
      const restored = kept(await memory.restore(pro.id, 1));
      expect(restored).toMatchObject({
        id: pro.id,
        version: 3,
        content: 'Is on the Pro plan',
        metadata: { from: 'form' },
        source: 'manual',
        createdAt: pro.createdAt,
      });
      expect(restored.updatedAt.getTime()).toBeGreaterThan(pro.updatedAt.getTime());
      expect(await memory.get(pro.id)).toEqual(restored);
      expect(await contents('Pro plan')).toEqual(['Is on the Pro plan']);
      expect(restoredEvents()).toHaveLength(1);
    });

    it('takes the vector that was kept, and asks the embedder only where there is none of its space', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.update(pro.id, { importance: 1 });
      await reword(pro.id, 'Is on the Enterprise plan');
      embedder.texts.length = 0;
      await memory.restore(pro.id, 1);
      expect(embedder.texts).toEqual([]);

      const other = await memoryApp({
        storage: { adapter: 'in-memory', create: () => app.store },
        embedder: new DeterministicEmbedder(64, 'other'),
      });
      const { scope } = memory;
      kept(await other.module.get(MemoryService).for(scope).restore(pro.id, 3));
      const [hit] = await other.module.get(MemoryService).for(scope).recall('Enterprise plan', { mode: 'vector' });
      expect(hit?.memory.content).toBe('Is on the Enterprise plan');
    });

    it('changes nothing where the state is the present one, or equal to it', async () => {
      const pro = await add('Is on the Pro plan');
      expect(kept(await memory.restore(pro.id, 1))).toEqual(pro);
      await memory.update(pro.id, { importance: 0.9 });
      await memory.update(pro.id, { importance: 0.5 });
      expect(kept(await memory.restore(pro.id, 1)).version).toBe(3);
      expect(restoredEvents()).toEqual([]);
    });

    it('returns a live memory of the same text as it is', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      const again = await add('Is on the PRO plan', { importance: 0.2 });
      expect(again.id).not.toBe(pro.id);
      expect(kept(await memory.restore(pro.id, 1))).toEqual(again);
      const other = await add('Lives in Porto');
      await reword(other.id, 'Lives in Lisbon');
      const porto = await add('lives in porto');
      expect(kept(await memory.restore(other.id, 1))).toEqual(porto);
      expect((await memory.get(other.id))?.content).toBe('Lives in Lisbon');
      expect(restoredEvents()).toEqual([]);
    });

    it('takes the place of an equal text that has expired', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      const expiresAt = new Date(Date.now() + 200);
      const shortLived = await add('Is on the Pro plan', { expiresAt });
      await until(expiresAt);
      expect(kept(await memory.restore(pro.id, 1)).id).toBe(pro.id);
      expect(app.events.of('memory.expired')).toEqual([expect.objectContaining({ memoryId: shortLived.id })]);
    });

    it('leaves out an expiry that has passed, and keeps one that has not', async () => {
      const soon = new Date(Date.now() + 200);
      const later = new Date(Date.now() + DAY_MS);
      const expired = await add('Is in Lisbon', { expiresAt: soon });
      const lasting = await add('Is in Rome', { expiresAt: later });
      await memory.forget(lasting.id);
      await until(soon);
      expect(kept(await memory.restore(expired.id, 1))).toMatchObject({ id: expired.id, version: 2, expiresAt: null });
      expect(kept(await memory.restore(lasting.id, 1)).expiresAt).toEqual(later);
    });

    it('finds the last state of what has expired, whether upkeep has closed it or not', async () => {
      const expiresAt = new Date(Date.now() + 200);
      const [lisbon, rome] = [await add('Is in Lisbon', { expiresAt }), await add('Is in Rome', { expiresAt })];
      await until(expiresAt);
      // Nothing has closed them yet: their rows are still there, behind every read.
      const embedded = embedder.texts.length;
      expect(kept(await memory.restore(lisbon.id, 1))).toMatchObject({ id: lisbon.id, version: 2, expiresAt: null });
      expect(embedder.texts).toHaveLength(embedded);
      expect(app.events.of('memory.expired')).toEqual([expect.objectContaining({ memoryId: lisbon.id })]);
      expect((await memory.history(lisbon.id)).map(({ endedBy }) => endedBy)).toEqual(['expire']);
      expect((await memory.list()).memories.map(({ id }) => id)).toEqual([lisbon.id]);
      await app.module.get(MemoryService).upkeep();
      expect(kept(await memory.restore(rome.id, 1))).toMatchObject({ id: rome.id, version: 2, expiresAt: null });
    });

    it('closes the memory itself where it has expired since', async () => {
      const pro = await add('Is on the Pro plan');
      const expiresAt = new Date(Date.now() + 200);
      await memory.update(pro.id, { content: 'Is on the Enterprise plan', expiresAt });
      await until(expiresAt);
      expect(kept(await memory.restore(pro.id, 1))).toMatchObject({ id: pro.id, version: 3, expiresAt: null });
      expect((await memory.history(pro.id)).map(({ endedBy }) => endedBy)).toEqual(['update', 'expire']);
      expect(app.events.of('memory.expired')).toHaveLength(1);
    });

    it.each([
      ['an unknown id', UNKNOWN_ID, 1],
      ['no id', 'x', 1],
      ['a version that never was', null, 7],
    ])('of %s is not found', async (_, id, version) => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      await expect(memory.restore(id ?? pro.id, version)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(app.of('10').restore(pro.id, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(app.of('1', 'other').restore(pro.id, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it.each([0, -1, 1.5, Number.NaN, '1', null, 2 ** 40])('refuses %p as a version', async (version) => {
      await expect(memory.restore(UNKNOWN_ID, version as number)).rejects.toMatchObject({ field: 'version' });
    });

    it('of a state that the policy of today refuses is rejected and changes nothing', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      const strict = await memoryApp({
        storage: { adapter: 'in-memory', create: () => app.store },
        policy: policy(() => Promise.resolve({ reason: 'host-policy', message: 'Not here.' })),
      });
      const { memory: none, rejection } = await strict.of('1').restore(pro.id, 1);
      expect([none, rejection?.reason]).toEqual([null, 'host-policy']);
      expect(await memory.get(pro.id)).toBeNull();
      expect(strict.events.of('memory.rejected')).toEqual([expect.objectContaining({ reason: 'host-policy' })]);
    });

    it('while memory is off is rejected, without a provider call', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      await app.store.setEnabled(memory.scope, false);
      const other = new CountingEmbedder(64, 'other');
      const off = await memoryApp({ storage: { adapter: 'in-memory', create: () => app.store }, embedder: other });
      expect((await off.of('1').restore(pro.id, 1)).rejection?.reason).toBe('disabled');
      expect(other.texts).toEqual([]);
      expect(await memory.get(pro.id)).toBeNull();
    });

    it('that a switch-off overtakes is rejected', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      const check = async (): Promise<null> => {
        await app.store.setEnabled(memory.scope, false);
        return null;
      };
      const slow = await memoryApp({
        storage: { adapter: 'in-memory', create: () => app.store },
        policy: policy(check),
      });
      expect((await slow.of('1').restore(pro.id, 1)).rejection?.reason).toBe('disabled');
      expect(await memory.get(pro.id)).toBeNull();
    });

    it('that an erasure overtakes brings nothing back', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      const check = async (): Promise<null> => {
        await app.store.erase(memory.scope);
        return null;
      };
      const slow = await memoryApp({
        storage: { adapter: 'in-memory', create: () => app.store },
        policy: policy(check),
      });
      await expect(slow.of('1').restore(pro.id, 1)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect((await memory.list()).totalCount).toBe(0);
    });

    it('that a purge overtakes is not found', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      const check = async (): Promise<null> => {
        await memory.forget(pro.id, { purge: true });
        return null;
      };
      const slow = await memoryApp({
        storage: { adapter: 'in-memory', create: () => app.store },
        policy: policy(check),
      });
      await expect(slow.of('1').restore(pro.id, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await memory.list()).totalCount).toBe(0);
    });

    it('of one state by many at once makes one memory', async () => {
      const pro = await add('Is on the Pro plan');
      await memory.forget(pro.id);
      const restored = await Promise.all(Array.from({ length: 8 }, () => memory.restore(pro.id, 1)));
      expect(new Set(restored.map((result) => JSON.stringify(kept(result)))).size).toBe(1);
      expect(restoredEvents()).toHaveLength(1);
    });
  });

  describe('as of a moment', () => {
    it('recall answers by the words of then', async () => {
      const pro = await add('Deploys on Heroku');
      const { updatedAt } = await reword(pro.id, 'Hosts everything with Fly');
      const then = new Date(updatedAt.getTime() - 1);
      for (const mode of ['hybrid', 'vector', 'keyword'] as const) {
        expect(await contents('deploys Heroku', { asOf: then, mode })).toEqual(['Deploys on Heroku']);
        expect(await contents('deploys Heroku', { mode })).toEqual([]);
        expect(await contents('hosts Fly', { asOf: then, mode })).toEqual([]);
      }
      expect(app.events.of('engram.recall').every(({ degraded }) => !degraded)).toBe(true);
      expect(await memory.promptBlock('deploys Heroku', { asOf: then })).toContain('Deploys on Heroku');
    });

    it('recall does not count as an access', async () => {
      const touched: string[] = [];
      const own = await memoryApp();
      own.store.touch = async (_, ids) => void touched.push(...ids);
      const past = kept(await own.of('1').add('Deploys on Heroku'));
      const present = kept(await own.of('1').add('Lives in Porto'));
      expect(await own.of('1').recall('Heroku', { asOf: past.updatedAt })).toHaveLength(1);
      expect(await own.of('1').recall('Porto')).toHaveLength(1);
      await own.close();
      expect(touched).toEqual([present.id]);
    });

    it('list and get show what was forgotten since', async () => {
      const pro = await add('Deploys on Heroku');
      await memory.forget(pro.id);
      expect(await memory.get(pro.id, { asOf: pro.updatedAt })).toEqual(pro);
      expect((await memory.list({ asOf: pro.updatedAt, search: 'Heroku' })).memories).toEqual([pro]);
      expect((await memory.list({ asOf: new Date(pro.updatedAt.getTime() - 1) })).totalCount).toBe(0);
    });

    it('states of another model are found by their words, in every mode, and the event says so', async () => {
      const pro = await add('Deploys on Heroku');
      const { updatedAt } = await reword(pro.id, 'Hosts everything with Fly');
      const other = await memoryApp({
        storage: { adapter: 'in-memory', create: () => app.store },
        embedder: new DeterministicEmbedder(64, 'other'),
      });
      const asOf = new Date(updatedAt.getTime() - 1);
      for (const mode of ['hybrid', 'vector'] as const) {
        const [hit] = await other.of('1').recall('Heroku', { asOf, mode });
        expect([hit?.memory.content, hit?.distance]).toEqual(['Deploys on Heroku', null]);
        expect(other.events.of('engram.recall').at(-1)?.degraded).toBe(true);
      }
    });

    it('a moment before an erasure is empty', async () => {
      const pro = await add('Deploys on Heroku');
      await memory.forget(pro.id);
      await app.store.erase(memory.scope);
      await add('Lives in Porto');
      expect(await memory.get(pro.id, { asOf: pro.updatedAt })).toBeNull();
      expect((await memory.list({ asOf: pro.updatedAt })).totalCount).toBe(0);
      expect(await contents('deploys Heroku', { asOf: pro.updatedAt })).toEqual([]);
    });

    it.each([new Date(Number.NaN), '2026-01-01', 0, null, new Date(8.64e15)])('refuses %p', async (asOf) => {
      const input = { asOf: asOf as Date };
      await expect(memory.recall('x', input)).rejects.toMatchObject({ field: 'asOf' });
      await expect(memory.list(input)).rejects.toMatchObject({ field: 'asOf' });
      await expect(memory.get(UNKNOWN_ID, input)).rejects.toMatchObject({ field: 'asOf' });
    });
  });

  describe('a purge', () => {
    it('leaves nothing to show, recall or restore', async () => {
      const pro = await add('Is on the Pro plan');
      await reword(pro.id, 'Is on the Enterprise plan');
      expect(await memory.forget(pro.id, { purge: true })).toBe(true);
      expect(await memory.history(pro.id)).toEqual([]);
      expect(await memory.get(pro.id, { asOf: pro.updatedAt })).toBeNull();
      expect(await contents('Pro plan', { asOf: pro.updatedAt })).toEqual([]);
      await expect(memory.restore(pro.id, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(app.events.of('memory.forgotten')).toHaveLength(1);
      expect(await memory.forget(pro.id, { purge: true })).toBe(false);
    });

    it('reaches what was forgotten or has expired before, and no other memory', async () => {
      const [forgotten, other] = [await add('Is on the Pro plan'), await add('Lives in Porto')];
      const expiresAt = new Date(Date.now() + 200);
      const expired = await add('Is in Lisbon', { expiresAt });
      await memory.forget(forgotten.id);
      await memory.update(other.id, { importance: 1 });
      await until(expiresAt);
      expect(await app.of('10').forget(forgotten.id, { purge: true })).toBe(false);
      expect(await memory.forget(forgotten.id, { purge: true })).toBe(true);
      expect(await memory.forget(expired.id)).toBe(false);
      expect(await memory.forget(expired.id, { purge: true })).toBe(true);
      expect(app.events.of('memory.forgotten')).toHaveLength(1);
      expect(app.events.of('memory.expired')).toHaveLength(1);
      expect(await memory.history(forgotten.id)).toEqual([]);
      expect(await memory.history(other.id)).toHaveLength(1);
    });
  });

  describe('the upkeep', () => {
    it('closes what has expired, in every scope, with one event each', async () => {
      const expiresAt = new Date(Date.now() + 1_000);
      const first = await add('Is in Lisbon', { expiresAt });
      const second = kept(await app.of('2', 'other').add('Is in Rome', { expiresAt }));
      await add('Stays');
      await until(expiresAt);
      const service = app.module.get(MemoryService);
      expect(await service.upkeep()).toEqual({ expired: 2, dropped: 0, turns: 0, indexed: 0, failed: 0 });
      expect(
        app.events.of('memory.expired').map(({ memoryId, tenantId, scope }) => [memoryId, tenantId, scope]),
      ).toEqual([
        [first.id, 'acme', 'user:1'],
        [second.id, 'other', 'user:2'],
      ]);
      expect((await memory.history(first.id)).map(({ endedBy, validTo }) => [endedBy, validTo])).toEqual([
        ['expire', expiresAt],
      ]);
      expect(await service.upkeep()).toEqual({ expired: 0, dropped: 0, turns: 0, indexed: 0, failed: 0 });
    });

    it('goes on where a scope is busy, and says how many it left', async () => {
      const expiresAt = new Date(Date.now() + 200);
      await add('Is in Lisbon', { expiresAt });
      await app.of('2').add('Is in Rome', { expiresAt });
      await until(expiresAt);
      const write = app.store.write.bind(app.store);
      app.store.write = (scope, work) =>
        scope.scope === 'user:1' ? Promise.reject(new Error('busy')) : write(scope, work);
      expect(await app.module.get(MemoryService).upkeep()).toEqual({
        expired: 1,
        dropped: 0,
        turns: 0,
        indexed: 0,
        failed: 1,
      });
    });

    it('takes more than one transaction holds', async () => {
      const expiresAt = new Date(Date.now() + 500);
      await memory.addMany(Array.from({ length: 230 }, (_, n) => ({ content: `Sentence ${n}`, expiresAt })));
      await until(expiresAt);
      expect((await app.module.get(MemoryService).upkeep()).expired).toBe(230);
    });

    it('drops states that ended longer ago than the retention, and leaves the rest', async () => {
      const pro = await add('Is on the Pro plan');
      await reword(pro.id, 'Is on the Enterprise plan');
      const at = (days: number) =>
        memoryApp({
          storage: { adapter: 'in-memory', create: () => app.store },
          clock: { now: () => new Date(Date.now() + days * DAY_MS) },
          retention: { days: 30 },
        });
      expect((await (await at(29)).module.get(MemoryService).upkeep()).dropped).toBe(0);
      expect((await (await at(31)).module.get(MemoryService).upkeep()).dropped).toBe(1);
      expect(await memory.history(pro.id)).toEqual([]);
      expect((await memory.get(pro.id))?.version).toBe(2);
    });

    it('runs by itself at the interval', async () => {
      const own = await memoryApp({ retention: { upkeepIntervalMs: 20 } });
      try {
        await own.of('1').add('Is in Lisbon', { expiresAt: new Date(Date.now() + 200) });
        while (own.events.of('memory.expired').length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      } finally {
        await own.close();
      }
    });
  });

  describe('the retention', () => {
    it.each([
      [3, [4, 5, 6]],
      [0, []],
      [null, [1, 2, 3, 4, 5, 6]],
    ])('of %p versions keeps these: %p', async (versions, left) => {
      const own = await memoryApp({ retention: { versions } });
      const { id } = kept(await own.of('1').add('Is vegetarian'));
      for (let n = 1; n <= 6; n += 1) await own.of('1').update(id, { importance: n / 10 });
      expect((await own.of('1').history(id)).map(({ version }) => version)).toEqual(left);
      await own.close();
    });

    it.each([
      [{ versions: -1 }, 'retention.versions'],
      [{ versions: 1.5 }, 'retention.versions'],
      [{ days: 0 }, 'retention.days'],
      [{ days: '7' as never }, 'retention.days'],
      [{ upkeepIntervalMs: -1 }, 'retention.upkeepIntervalMs'],
      [{ weeks: 3 } as never, 'retention.weeks'],
    ])('refuses %p at boot', async (retention, option) => {
      await expect(memoryApp({ retention })).rejects.toMatchObject({ option });
    });
  });
});
