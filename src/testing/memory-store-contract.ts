import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { ConflictError } from '../errors/conflict-error.js';
import { ProviderError } from '../errors/provider-error.js';
import { contentHash } from '../model/content.js';
import type { Memory } from '../model/memory.js';
import type { Scope } from '../model/scope.js';
import { searchText } from '../model/search-text.js';
import type {
  ClaimedTurn,
  MemoryChange,
  MemoryPosition,
  MemoryStore,
  NewMemory,
  NewTurn,
  RecallQuery,
  RevisionCause,
  SpaceVector,
  StoredText,
  TextPosition,
} from '../storage/memory-store.js';
import { testRunner } from './test-runner.js';

/** What the contract needs of the store under test. */
export interface MemoryStoreSubject {
  /** Not started yet. */
  readonly store: MemoryStore;
  /** Called last, after `store.stop()`. */
  close?(): Promise<void>;
}

const SPACE = 'contract:plane:3';

/**
 * Declares the tests that an own `MemoryStore` must pass, with the runner's global `describe`, `it`, `beforeAll` and
 * `afterAll` (jest, vitest). The store may hold other data; every test takes a tenant of its own.
 *
 * @example memoryStoreContract('MyStore', async () => ({ store: new MyStore() }));
 */
export function memoryStoreContract(name: string, createSubject: () => Promise<MemoryStoreSubject>): void {
  const { describe, it, beforeAll, afterAll } = testRunner();

  describe(`${name} keeps the contract of a memory store`, () => {
    let subject: MemoryStoreSubject;
    let store: MemoryStore;

    beforeAll(async () => {
      subject = await createSubject();
      store = subject.store;
      await store.start();
    });

    afterAll(async () => {
      await store.stop();
      await subject.close?.();
    });

    const remember = (scope: Scope, ...memories: NewMemory[]): Promise<Memory[]> =>
      store.write(scope, (writer) => writer.insert(memories));
    const rememberOne = async (scope: Scope, memory: NewMemory): Promise<Memory> =>
      first(await remember(scope, memory));
    const handIn = async (scope: Scope, turn: Partial<NewTurn> = {}) =>
      store.turns.insert(scope, newTurn((await store.scopeState(scope)).generation, turn));
    const claimed = async (scope: Scope, leaseMs = 60_000): Promise<ClaimedTurn> => {
      const turn = await store.turns.claim(scope, { leaseMs });
      assert.ok(turn, 'a turn should be due');
      return turn;
    };

    describe('a scope', () => {
      it('is made when it is first asked for, enabled, and stays the same', async () => {
        const scope = newScope();
        const state = await store.scopeState(scope);
        assert.equal(state.enabled, true);
        assert.equal(state.revision, 0);
        assert.equal(state.erasedAt, null);
        assert.deepEqual(await store.scopeState(scope), state);
      });

      it('is made once by many at the same time', async () => {
        const scope = newScope();
        const states = await Promise.all(Array.from({ length: 8 }, () => store.scopeState(scope)));
        assert.equal(new Set(states.map((state) => state.generation)).size, 1);
      });

      it('serves, and says so', async () => {
        await store.check();
      });

      for (const [one, other] of [
        ['user:1', 'user:10'],
        ['user:10', 'user:1'],
        ['user_1', 'userx1'],
        ['user:%', 'user:42'],
        ['%', 'anything'],
        ['a\\', 'a'],
        ['a\\_', 'a_'],
        ['user:1 ', 'user:1'],
        ['USER:1', 'user:1'],
        ["'; --", 'user:1'],
      ] as const) {
        it(`named ${JSON.stringify(one)} shows nothing of ${JSON.stringify(other)}`, async () => {
          const tenantId = randomUUID();
          const mine = { tenantId, scope: one };
          const foreign = { tenantId, scope: other };
          const memory = await rememberOne(foreign, newMemory('Keeps bees on the roof.'));
          await handIn(foreign, { turnId: 'a' });
          await showsNothing(mine, memory);
          assert.equal(await store.turns.find(mine, 'a'), null);
          assert.equal(await store.turns.claim(mine, { leaseMs: 1_000 }), null);
        });
      }

      it('is told apart where tenant and scope join to the same text', async () => {
        const base = randomUUID();
        const memory = await rememberOne({ tenantId: `${base}:a`, scope: 'b' }, newMemory('Keeps bees on the roof.'));
        await showsNothing({ tenantId: base, scope: 'a:b' }, memory);
        await showsNothing({ tenantId: `${base}:`, scope: 'ab' }, memory);
      });

      it('of the same name in another tenant shows nothing', async () => {
        const memory = await rememberOne(newScope('user:1'), newMemory('Keeps bees on the roof.'));
        await showsNothing(newScope('user:1'), memory);
      });

      it('may hold the same text, and even the same id, as another', async () => {
        const memory = newMemory('Keeps bees on the roof.');
        await remember(newScope(), memory);
        const [again] = await remember(newScope(), memory);
        assert.equal(again?.id, memory.id);
      });

      async function showsNothing(scope: Scope, foreign: Memory): Promise<void> {
        assert.equal(await store.get(scope, foreign.id), null);
        assert.deepEqual(await store.getMany(scope, [foreign.id]), []);
        assert.deepEqual(await store.list(scope, { limit: 10 }), { memories: [], hasNextPage: false, totalCount: 0 });
        assert.deepEqual(await store.recall(scope, query({ words: foreign.content, vector: [1, 0, 0] })), []);
        assert.equal((await store.stats(scope, SPACE)).total, 0);
        await store.touch(scope, [foreign.id]);
        await store.write(scope, async (writer) => {
          assert.equal(await writer.find(foreign.id), null);
          assert.deepEqual(await writer.findByHashes([contentHash(foreign.content)]), []);
        });
        for (const change of ['update', 'remove'] as const) {
          await assert.rejects(
            store.write(scope, async (writer) => {
              const target = { id: foreign.id, version: 1 };
              if (change === 'update') await writer.update(target, { importance: 0 }, { endedBy: 'update' });
              else await writer.remove(target, { endedBy: 'forget' });
            }),
            ConflictError,
          );
        }
      }
    });

    describe('a write', () => {
      it('gives back what it stored, and so does a read', async () => {
        const scope = newScope();
        const expiresAt = new Date(Date.now() + 86_400_000);
        const memory = newMemory('Prefers short answers. 🦊 "quoted" \\ %', {
          kind: 'preference',
          importance: 0.7,
          metadata: { kind: 'x', id: 1, version: null, nested: { list: [1, '1', true] }, ['__proto__x']: 'y' },
          source: 'observed',
          expiresAt,
        });
        const stored = await rememberOne(scope, memory);
        assert.deepEqual(
          { ...stored, createdAt: null, updatedAt: null },
          {
            id: memory.id,
            content: memory.content,
            kind: 'preference',
            importance: 0.7,
            metadata: memory.metadata,
            source: 'observed',
            version: 1,
            createdAt: null,
            updatedAt: null,
            expiresAt,
            lastAccessedAt: null,
            accessCount: 0,
          },
        );
        assert.deepEqual(await store.get(scope, memory.id), stored);
        assert.deepEqual((await store.list(scope, { limit: 5 })).memories, [stored]);
      });

      it('returns memories in the order they were given', async () => {
        const memories = Array.from({ length: 12 }, (_, n) => newMemory(`Sentence ${n}.`));
        const stored = await remember(newScope(), ...memories);
        assert.deepEqual(
          stored.map((memory) => memory.id),
          memories.map((memory) => memory.id),
        );
      });

      it('counts one revision for all of its changes, and none where nothing changed', async () => {
        const scope = newScope();
        const one = await rememberOne(scope, newMemory('One.'));
        const two = await rememberOne(scope, newMemory('Two.'));
        assert.equal((await store.scopeState(scope)).revision, 2);
        await store.write(scope, async (writer) => {
          assert.equal(writer.state.revision, 2);
          await writer.update(one, { importance: 1 }, { endedBy: 'update' });
          await writer.remove(two, { endedBy: 'forget' });
          await writer.insert([newMemory('Three.')]);
        });
        assert.equal((await store.scopeState(scope)).revision, 3);
        await store.write(scope, (writer) => writer.find(one.id));
        await store.touch(scope, [one.id]);
        assert.equal((await store.scopeState(scope)).revision, 3);
      });

      it('stamps whole milliseconds, each later than all before', async () => {
        const scope = newScope();
        let last = new Date(0);
        for (let n = 0; n < 20; n += 1) {
          const memory = await rememberOne(scope, newMemory(`Sentence ${n}.`));
          assert.ok(memory.createdAt > last, `${memory.createdAt.toISOString()} is not after ${last.toISOString()}`);
          assert.deepEqual(memory.updatedAt, memory.createdAt);
          last = memory.createdAt;
        }
        const stamps = await Promise.all(
          Array.from({ length: 20 }, (_, n) => rememberOne(scope, newMemory(`At once ${n}.`))),
        );
        assert.equal(new Set(stamps.map((memory) => memory.createdAt.getTime())).size, 20);
      });

      it('shows its own changes inside, and nothing to others before it ends', async () => {
        const scope = newScope();
        const memory = newMemory('Keeps bees on the roof.');
        await store.write(scope, async (writer) => {
          await writer.insert([memory]);
          assert.equal((await writer.find(memory.id))?.contentHash, memory.contentHash);
          assert.equal((await writer.findByHashes([memory.contentHash]))[0]?.id, memory.id);
          assert.equal((await writer.recall(query({ words: 'bees' })))[0]?.memory.id, memory.id);
        });
      });

      it('that throws leaves nothing, and throws on what it threw', async () => {
        const scope = newScope();
        const kept = await rememberOne(scope, newMemory('Kept.'));
        const fault = new Error('a fault of the caller');
        await assert.rejects(
          store.write(scope, async (writer) => {
            await writer.insert([newMemory('Lost.')]);
            await writer.update(kept, { importance: 0 }, { endedBy: 'update' });
            throw fault;
          }),
          (error) => error === fault,
        );
        assert.deepEqual((await store.list(scope, { limit: 5 })).memories, [kept]);
        assert.equal((await store.scopeState(scope)).revision, 1);
      });

      it('goes one after another in one scope: no count is lost', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Counter.', { metadata: { n: 0 } }));
        await Promise.all(
          Array.from({ length: 25 }, () =>
            store.write(scope, async (writer) => {
              const present = await writer.find(memory.id);
              assert.ok(present);
              await writer.update(
                present,
                { metadata: { n: Number(present.metadata['n']) + 1 } },
                { endedBy: 'update' },
              );
            }),
          ),
        );
        const counted = await store.get(scope, memory.id);
        assert.deepEqual([counted?.metadata, counted?.version], [{ n: 25 }, 26]);
      });

      it('of an equal text is a conflict and stores nothing of the batch', async () => {
        const scope = newScope();
        await remember(scope, newMemory('Keeps bees.'));
        await assert.rejects(remember(scope, newMemory('Something new.'), newMemory('keeps  BEES.')), ConflictError);
        assert.equal((await store.stats(scope, SPACE)).total, 1);
      });

      it('finds rows by hash, expired ones too', async () => {
        const scope = newScope();
        const live = newMemory('Live.');
        const expired = newMemory('Expired.', { expiresAt: new Date(Date.now() - 1_000) });
        await remember(scope, live, expired);
        const found = await store.write(scope, (writer) =>
          writer.findByHashes([live.contentHash, expired.contentHash, contentHash('Unknown.')]),
        );
        assert.deepEqual(new Set(found.map((memory) => memory.id)), new Set([live.id, expired.id]));
        assert.equal(found[0]?.space, SPACE);
      });

      it('tells the texts that a call has ended since a moment, not those that a turn, an expiry or a restore has', async () => {
        const scope = newScope();
        const before = new Date(Date.now() - 60_000);
        const end = async (content: string, cause: RevisionCause): Promise<void> => {
          const memory = await rememberOne(scope, newMemory(content));
          await store.write(scope, (writer) => writer.remove(memory, cause));
        };
        await end('Forgotten by hand.', { endedBy: 'forget' });
        await end('Forgotten in a turn.', { endedBy: 'forget', turnId: 't1' });
        await end('Expired.', { endedBy: 'expire' });
        const corrected = await rememberOne(scope, newMemory('Wrong.'));
        const ended = await store.write(scope, async (writer) => {
          const text = newMemory('Right.');
          await writer.update(corrected, { text }, { endedBy: 'update' });
          return writer.textsEndedByHand(before);
        });
        assert.deepEqual(ended.sort(), ['Forgotten by hand.', 'Wrong.']);
        const [later, elsewhere] = await Promise.all([
          store.write(scope, (writer) => writer.textsEndedByHand(writer.stamp)),
          store.write(newScope(), (writer) => writer.textsEndedByHand(before)),
        ]);
        assert.deepEqual([later, elsewhere], [[], []]);
      });

      it('takes the stamp for a statement without a time of its own', async () => {
        const scope = newScope();
        const saidAt = new Date('2024-02-29T12:00:00.123Z');
        const [dated, undated] = [newMemory('Dated.', { evidenceAt: saidAt }), newMemory('Undated.')];
        await store.write(scope, async (writer) => {
          await writer.insert([dated, undated]);
          assert.deepEqual((await writer.find(dated.id))?.evidenceAt, saidAt);
          assert.deepEqual((await writer.find(undated.id))?.evidenceAt, writer.stamp);
        });
      });

      for (const [fault, values] of [
        ['too few numbers', [1, 0]],
        ['too many numbers', [1, 0, 0, 0]],
        ['only zeros', [0, 0, 0]],
        ['zeros after rounding', [1e-9, -1e-9, 0]],
        ['NaN', [Number.NaN, 1, 1]],
        ['infinity', [Number.POSITIVE_INFINITY, 1, 1]],
        ['infinity after rounding', [70_000, 1, 1]],
      ] as const) {
        it(`refuses a vector of ${fault} and stores nothing`, async () => {
          const scope = newScope();
          await assert.rejects(
            remember(scope, newMemory('Good.'), newMemory('Bad.', { vector: { space: SPACE, values } })),
            (error) => error instanceof ProviderError && error.fault === 'malformed' && !error.message.includes('Bad'),
          );
          assert.equal((await store.stats(scope, SPACE)).total, 0);
        });
      }
    });

    describe('an update', () => {
      it('changes what it names, keeps the rest, and counts the version', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Is on the Pro plan.', { metadata: { a: 1 } }));
        const updated = await store.write(scope, (writer) =>
          writer.update(memory, { importance: 0.9, kind: 'episodic' }, { endedBy: 'update' }),
        );
        assert.ok(updated.updatedAt > memory.updatedAt);
        assert.deepEqual(updated, {
          ...memory,
          importance: 0.9,
          kind: 'episodic',
          version: 2,
          updatedAt: updated.updatedAt,
        });
        assert.deepEqual(await store.get(scope, memory.id), updated);
      });

      it('sets and clears an expiry', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Is on the Pro plan.'));
        const expiresAt = new Date(Date.now() + 3_600_000);
        const set = await store.write(scope, (w) => w.update(memory, { expiresAt }, { endedBy: 'update' }));
        assert.deepEqual(set.expiresAt, expiresAt);
        const untouched = await store.write(scope, (w) => w.update(set, { importance: 1 }, { endedBy: 'update' }));
        assert.deepEqual(untouched.expiresAt, expiresAt);
        const cleared = await store.write(scope, (w) =>
          w.update(untouched, { expiresAt: null }, { endedBy: 'update' }),
        );
        assert.equal(cleared.expiresAt, null);
      });

      it('of the text is found under the new wording only, by words and by meaning', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Deploys on Heroku.', { vector: plane(1, 0, 0) }));
        await store.write(scope, (writer) =>
          writer.update(memory, { text: newText('Deploys on Fly.', plane(0, 1, 0)) }, { endedBy: 'update' }),
        );
        const found = async (words: string, vector: number[]): Promise<number> =>
          (await store.recall(scope, query({ words, vector, minCoverage: 0.9, maxDistance: 0.1 }))).length;
        assert.equal(await found('heroku', [1, 0, 0]), 0);
        assert.equal(await found('fly', [0, 0, 1]), 1);
        assert.equal(await found('unrelated', [0, 1, 0]), 1);
      });

      it('of a version that is past is a conflict', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Is on the Pro plan.'));
        await store.write(scope, (writer) => writer.update(memory, { importance: 1 }, { endedBy: 'update' }));
        for (const version of [1, 3]) {
          await assert.rejects(
            store.write(scope, (w) => w.update({ id: memory.id, version }, { importance: 0 }, { endedBy: 'update' })),
            ConflictError,
          );
          await assert.rejects(
            store.write(scope, (w) => w.remove({ id: memory.id, version }, { endedBy: 'forget' })),
            ConflictError,
          );
        }
        assert.equal((await store.get(scope, memory.id))?.importance, 1);
      });

      it('onto another memory’s text is a conflict', async () => {
        const scope = newScope();
        const [one] = await remember(scope, newMemory('One.'), newMemory('Two.'));
        assert.ok(one);
        await assert.rejects(
          store.write(scope, (w) => w.update(one, { text: newText('Two.') }, { endedBy: 'update' })),
          ConflictError,
        );
      });

      it('of an id that nobody has, or that is no id, is a conflict', async () => {
        for (const id of [randomUUID(), '', 'not-an-id', undefined as unknown as string]) {
          await assert.rejects(
            store.write(newScope(), (w) => w.update({ id, version: 1 }, { importance: 0 }, { endedBy: 'update' })),
            ConflictError,
          );
        }
      });
    });

    describe('a removal', () => {
      it('takes the memory out of every read, and its text is free again', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Keeps bees on the roof.'));
        await store.write(scope, (writer) => writer.remove(memory, { endedBy: 'forget' }));
        assert.equal(await store.get(scope, memory.id), null);
        assert.deepEqual(await store.getMany(scope, [memory.id]), []);
        assert.equal((await store.list(scope, { limit: 5 })).totalCount, 0);
        assert.deepEqual(await store.recall(scope, query({ words: 'bees', vector: [1, 0, 0] })), []);
        assert.equal((await remember(scope, newMemory('Keeps bees on the roof.'))).length, 1);
      });
    });

    describe('a read by id', () => {
      it('of something that is no id finds nothing', async () => {
        const scope = newScope();
        await remember(scope, newMemory('Keeps bees.'));
        for (const id of ['', '%', '1', 'null', undefined, null]) {
          assert.equal(await store.get(scope, id as string), null);
          assert.deepEqual(await store.getMany(scope, [id as string]), []);
        }
        assert.deepEqual(await store.getMany(scope, []), []);
      });

      it('of many gives those that are there, as each read by itself', async () => {
        const scope = newScope();
        const [one, two] = await remember(scope, newMemory('Keeps bees.'), newMemory('Paints.'));
        await remember(scope, newMemory('Sings.'));
        await store.touch(scope, [one?.id ?? '']);
        const found = await store.getMany(scope, [two?.id ?? '', randomUUID(), '%', one?.id ?? '', two?.id ?? '']);
        const byId = (a: Memory, b: Memory): number => (a.id < b.id ? -1 : 1);
        const each = [await store.get(scope, one?.id ?? ''), await store.get(scope, two?.id ?? '')];
        assert.deepEqual([...found].sort(byId), each.filter((memory) => memory !== null).sort(byId));
        assert.equal(found.length, 2);
      });

      it('of an expired memory finds nothing', async () => {
        const scope = newScope();
        const memory = newMemory('Is in Lisbon.', { expiresAt: new Date(Date.now() - 1_000) });
        await remember(scope, memory);
        assert.equal(await store.get(scope, memory.id), null);
        assert.deepEqual(await store.getMany(scope, [memory.id]), []);
        assert.equal(await store.write(scope, (writer) => writer.find(memory.id)), null);
        assert.equal((await store.list(scope, { limit: 5 })).totalCount, 0);
        assert.equal((await store.stats(scope, SPACE)).total, 0);
        assert.deepEqual(await store.recall(scope, query({ words: 'Lisbon', vector: [1, 0, 0] })), []);
      });
    });

    describe('a list', () => {
      it('goes through all memories once, newest first, even those of one moment', async () => {
        const scope = newScope();
        for (let batch = 0; batch < 3; batch += 1) {
          await remember(scope, ...Array.from({ length: 7 }, (_, n) => newMemory(`Sentence ${batch}-${n}.`)));
        }
        const seen: Memory[] = [];
        let after: MemoryPosition | undefined;
        for (let page = 0; page < 20; page += 1) {
          const { memories, hasNextPage, totalCount } = await store.list(scope, { limit: 4, ...(after && { after }) });
          assert.equal(totalCount, 21);
          seen.push(...memories);
          after = memories.at(-1);
          assert.equal(hasNextPage, seen.length < 21);
          if (!hasNextPage) break;
        }
        assert.equal(new Set(seen.map((memory) => memory.id)).size, 21);
        const order = [...seen].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
        assert.deepEqual(seen, order);
      });

      it('keeps its place when memories come and go', async () => {
        const scope = newScope();
        for (let n = 0; n < 6; n += 1) await remember(scope, newMemory(`Sentence ${n}.`));
        const page = await store.list(scope, { limit: 3 });
        const last = page.memories.at(-1);
        assert.ok(last);
        await store.write(scope, (writer) => writer.remove(last, { endedBy: 'forget' }));
        await remember(scope, newMemory('Newer than all.'));
        const rest = await store.list(scope, { limit: 10, after: last });
        assert.deepEqual(
          rest.memories.map((memory) => memory.content),
          ['Sentence 2.', 'Sentence 1.', 'Sentence 0.'],
        );
      });

      it('filters by kind and by words that must all be there', async () => {
        const scope = newScope();
        await remember(
          scope,
          newMemory('Keeps seven bees.', { kind: 'fact' }),
          newMemory('Wants seven cats.', { kind: 'goal' }),
        );
        const count = async (filter: object): Promise<number> =>
          (await store.list(scope, { limit: 5, ...filter })).totalCount;
        assert.equal(await count({ kinds: [] }), 2);
        assert.equal(await count({ kinds: ['goal'] }), 1);
        assert.equal(await count({ kinds: ['goal', 'fact'] }), 2);
        assert.equal(await count({ searchText: searchText('seven') }), 2);
        assert.equal(await count({ searchText: searchText('seven cats') }), 1);
        assert.equal(await count({ searchText: searchText('seven dogs') }), 0);
        assert.equal(await count({ searchText: '' }), 2);
      });
    });

    describe('recall', () => {
      it('finds what brute force finds, in its order', async () => {
        const scope = newScope();
        const random = seeded(7);
        const memories = Array.from({ length: 60 }, (_, n) =>
          newMemory(`Sentence ${n}.`, { vector: plane(random(), random(), random()) }),
        );
        await remember(scope, ...memories);
        for (let round = 0; round < 5; round += 1) {
          const asked = [random(), random(), random()];
          const expected = memories
            .map(({ id, vector }) => ({ id, distance: cosineDistance(vector?.values ?? [], asked) }))
            .sort((a, b) => a.distance - b.distance)
            .slice(0, 10);
          const hits = await store.recall(scope, query({ vector: asked, limit: 10 }));
          assert.equal(hits.length, 10);
          hits.forEach((hit, place) => {
            const wanted = expected[place];
            assert.ok(wanted && hit.distance !== null);
            // Half precision may swap neighbours that lie closer than its step.
            assert.ok(Math.abs(hit.distance - wanted.distance) < 2e-3);
            assert.equal(hit.vectorRank, place + 1);
            assert.ok(Math.abs(hit.score - Math.max(0, 1 - hit.distance)) < 1e-9);
          });
        }
      });

      it('scores equal text 1, in every mode', async () => {
        const scope = newScope();
        const values = [0.123456, -0.654321, 0.333333];
        await remember(
          scope,
          newMemory('Deploys billing on Tuesdays.', { vector: plane(...(values as [number, number, number])) }),
          newMemory('Keeps bees.', { vector: plane(1, 0, 0) }),
        );
        for (const mode of ['hybrid', 'vector', 'keyword'] as const) {
          const [hit] = await store.recall(
            scope,
            query({ words: 'Deploys billing on Tuesdays.', vector: values, mode }),
          );
          assert.equal(hit?.memory.content, 'Deploys billing on Tuesdays.');
          assert.equal(hit?.score, 1, mode);
        }
      });

      it('weighs the two legs as asked', async () => {
        const scope = newScope();
        await remember(
          scope,
          newMemory('Alpha bravo.', { vector: plane(1, 0, 0) }),
          newMemory('Charlie delta.', { vector: plane(0, 1, 0) }),
        );
        const best = async (denseWeight: number): Promise<string | undefined> =>
          (await store.recall(scope, query({ words: 'charlie', vector: [1, 0, 0], denseWeight })))[0]?.memory.content;
        assert.equal(await best(0.9), 'Alpha bravo.');
        assert.equal(await best(0.1), 'Charlie delta.');
        const hits = await store.recall(scope, query({ words: 'charlie', vector: [1, 0, 0], denseWeight: 0.3 }));
        assert.deepEqual(
          hits.map(({ score, distance, coverage, vectorRank, keywordRank }) => ({
            score: Number(score.toFixed(6)),
            distance,
            coverage,
            vectorRank,
            keywordRank,
          })),
          [
            { score: 0.7, distance: 1, coverage: 1, vectorRank: 2, keywordRank: 1 },
            { score: 0.3, distance: 0, coverage: 0, vectorRank: 1, keywordRank: null },
          ],
        );
      });

      it('counts a rare word for more than a common one, and an unseen one against all', async () => {
        const scope = newScope();
        await remember(
          scope,
          ...['zebra', 'apple', 'melon', 'grape'].map((fruit) => newMemory(`Ate ${fruit} yesterday.`)),
        );
        const idf = (df: number): number => Math.log(1 + (4 - df + 0.5) / (df + 0.5));
        const covered = async (words: string): Promise<number | null | undefined> =>
          (await store.recall(scope, query({ words, mode: 'keyword' }))).find((hit) =>
            hit.memory.content.includes('zebra'),
          )?.coverage;
        near(await covered('zebra yesterday'), 1);
        near(await covered('zebra apple'), idf(1) / (idf(1) + idf(1)));
        near(await covered('yesterday apple'), idf(4) / (idf(4) + idf(1)));
        near(await covered('zebra volcano'), idf(1) / (idf(1) + idf(0)));
        near(await covered('zebra zebra volcano'), idf(1) / (idf(1) + idf(0)));
      });

      it('lets in what any one threshold admits, and nothing else', async () => {
        const scope = newScope();
        await remember(
          scope,
          newMemory('Alpha bravo.', { vector: plane(1, 0, 0) }),
          newMemory('Charlie delta.', { vector: plane(0, 1, 0) }),
          newMemory('Echo foxtrot.', { vector: plane(0, 0, 1) }),
        );
        const found = async (thresholds: Partial<RecallQuery>): Promise<number> =>
          (await store.recall(scope, { ...query({ words: 'charlie zulu', vector: [1, 0, 0] }), ...thresholds })).length;
        assert.equal(await found({ maxDistance: 0.2 }), 1);
        assert.equal(await found({ minCoverage: 0.2 }), 1);
        assert.equal(await found({ maxDistance: 0.2, minCoverage: 0.2 }), 2);
        assert.equal(await found({ minScore: 0.5 }), 1);
        assert.equal(await found({ minScore: 0.9 }), 0);
        // Without words the score is closeness alone, which is maxDistance's to judge.
        assert.equal(await found({ searchText: '', minScore: 0.5 }), 0);
        assert.equal(await found({ maxDistance: 0.2, minCoverage: 0.9, minScore: 0.99 }), 1);
        assert.equal(await found({}), 3);
      });

      it('filters before it cuts: the limit is full although nearer rows are of another kind', async () => {
        const scope = newScope();
        await remember(
          scope,
          ...Array.from({ length: 20 }, (_, n) => newMemory(`Near ${n}.`, { vector: plane(1, 0.001 * n, 0) })),
          ...Array.from({ length: 5 }, (_, n) =>
            newMemory(`Far ${n}.`, { kind: 'goal', metadata: { tag: 'far' }, vector: plane(1, 1, n) }),
          ),
        );
        for (const filter of [{ kinds: ['goal' as const] }, { metadata: { tag: 'far' } }]) {
          const hits = await store.recall(scope, { ...query({ vector: [1, 0, 0], limit: 5 }), ...filter });
          assert.equal(hits.length, 5);
          assert.ok(hits.every((hit) => hit.memory.kind === 'goal'));
        }
        assert.equal((await store.recall(scope, { ...query({ vector: [1, 0, 0], limit: 99 }), kinds: [] })).length, 25);
      });

      it('reads metadata as containment, with types as they are', async () => {
        const scope = newScope();
        await remember(
          scope,
          newMemory('One.', { metadata: { n: 1, tags: ['a', 'b'], of: { x: 1, y: 2 } } }),
          newMemory('Two.', { metadata: { n: '1', kind: 'goal' } }),
        );
        const found = async (metadata: Record<string, unknown>): Promise<string[]> =>
          (await store.recall(scope, { ...query({ vector: [1, 0, 0] }), metadata })).map((hit) => hit.memory.content);
        assert.deepEqual(await found({ n: 1 }), ['One.']);
        assert.deepEqual(await found({ n: '1' }), ['Two.']);
        assert.deepEqual(await found({ tags: ['b'] }), ['One.']);
        assert.deepEqual(await found({ of: { y: 2 } }), ['One.']);
        assert.deepEqual(await found({ kind: 'goal' }), ['Two.']);
        assert.deepEqual(await found({ absent: null }), []);
        assert.equal((await found({})).length, 2);
      });

      it('never compares vectors of two spaces, but finds such rows by their words', async () => {
        const scope = newScope();
        await remember(
          scope,
          newMemory('Alpha bravo.', { vector: { space: 'other:model:3', values: [1, 0, 0] } }),
          newMemory('Charlie delta.', { vector: null }),
          newMemory('Echo foxtrot.', { vector: { space: 'wide:model:2', values: [1, 0] } }),
        );
        assert.deepEqual(await store.recall(scope, { ...query({ vector: [1, 0, 0] }), maxDistance: 2 }), []);
        for (const words of ['alpha', 'charlie', 'echo']) {
          const [hit, ...more] = await store.recall(
            scope,
            query({ words, vector: [1, 0, 0], denseWeight: 0.4, minCoverage: 0.5, maxDistance: 0.5 }),
          );
          assert.equal(more.length, 0);
          assert.deepEqual([hit?.distance, hit?.vectorRank, hit?.keywordRank, hit?.coverage], [null, null, 1, 1]);
          near(hit?.score, 0.6);
        }
        assert.equal((await store.stats(scope, SPACE)).staleEmbeddings, 3);
        assert.equal((await store.stats(scope, 'other:model:3')).staleEmbeddings, 2);
      });

      it('takes operators for plain text', async () => {
        const scope = newScope();
        await remember(scope, newMemory('Likes tea & coffee.'), newMemory('Likes cocoa.'));
        for (const words of ['tea & !cocoa', '(tea | milk', "tea:* <-> 'x", "\\ ' tea ''", '!tea']) {
          const hits = await store.recall(scope, query({ words, mode: 'keyword', minCoverage: 0.01 }));
          assert.ok(
            hits.some((hit) => hit.memory.content === 'Likes tea & coffee.'),
            words,
          );
        }
        for (const words of ['& | !', '()', "'", '\\', '   ', '']) {
          assert.deepEqual(await store.recall(scope, query({ words, mode: 'keyword' })), [], words);
        }
      });

      it('answers from the one leg that there is, whole', async () => {
        const scope = newScope();
        await remember(scope, newMemory('Alpha bravo.', { vector: plane(1, 0, 0) }));
        const [byWords] = await store.recall(scope, query({ words: 'alpha', denseWeight: 0.9 }));
        assert.deepEqual([byWords?.score, byWords?.distance, byWords?.vectorRank], [1, null, null]);
        const [byMeaning] = await store.recall(scope, query({ vector: [1, 0, 0], denseWeight: 0.1 }));
        assert.deepEqual([byMeaning?.score, byMeaning?.coverage, byMeaning?.keywordRank], [1, null, null]);
        assert.deepEqual(await store.recall(scope, query({})), []);
      });

      it('puts the newer first where scores are equal', async () => {
        const scope = newScope();
        const older = await rememberOne(scope, newMemory('Tea one.'));
        const newer = await rememberOne(scope, newMemory('Tea two.'));
        const hits = await store.recall(scope, query({ words: 'tea', vector: [1, 0, 0] }));
        assert.deepEqual(
          hits.map((hit) => hit.memory.id),
          [newer.id, older.id],
        );
      });

      it('orders by importance and recency as weighted, before it cuts, and lets in by relevance alone', async () => {
        const scope = newScope();
        const [near, weighty] = await remember(
          scope,
          newMemory('Alpha bravo.', { vector: plane(1, 0, 0), importance: 0.1 }),
          newMemory('Charlie delta.', { vector: plane(0.8, 0.6, 0), importance: 0.9 }),
          newMemory('Echo foxtrot.', { vector: plane(0, 0, 1), importance: 1 }),
        );
        assert.ok(near && weighty);
        const prior = { importanceWeight: 0.4, recencyWeight: 0.1, halfLifeDays: 30 };
        const asked = query({ vector: [1, 0, 0], maxDistance: 0.5 });
        const scores = async (of: RecallQuery): Promise<[string, string][]> =>
          (await store.recall(scope, of)).map(({ memory, score }) => [memory.content, score.toFixed(2)]);
        assert.deepEqual(await scores({ ...asked, prior }), [
          ['Charlie delta.', (0.5 * 0.8 + 0.4 * 0.9 + 0.1).toFixed(2)],
          ['Alpha bravo.', (0.5 + 0.4 * 0.1 + 0.1).toFixed(2)],
        ]);
        assert.deepEqual(await scores({ ...asked, prior, limit: 1 }), [['Charlie delta.', '0.86']]);
        assert.deepEqual(await scores(asked), [
          ['Alpha bravo.', '1.00'],
          ['Charlie delta.', '0.80'],
        ]);
        // Neither does it keep out what its relevance lets in.
        const judged = query({ words: 'alpha', vector: [1, 0, 0], minScore: 0.9, denseWeight: 0.5 });
        assert.equal((await scores(judged)).length, 1);
        assert.equal((await scores({ ...judged, prior })).length, 1);
        assert.equal((await scores({ ...judged, searchText: searchText('echo'), prior })).length, 0);
      });

      it('halves recency with each half-life since the last change, down to nothing', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Alpha bravo.', { importance: 0 }));
        const recency = async (halfLifeDays: number, days: number): Promise<number | undefined> => {
          const prior = { importanceWeight: 0, recencyWeight: 1, halfLifeDays };
          const asOf = new Date(memory.updatedAt.getTime() + days * 86_400_000);
          return (await store.recall(scope, query({ vector: [1, 0, 0], asOf, prior })))[0]?.score;
        };
        near(await recency(30, 0), 1);
        near(await recency(30, 30), 0.5);
        near(await recency(10, 30), 0.125);
        near(await recency(0.01, 36_500), 0);
      });

      it('refuses a query vector that is not of its space', async () => {
        await assert.rejects(store.recall(newScope(), query({ vector: [1, 0] })), ProviderError);
      });
    });

    describe('what is stale', () => {
      const staleIn = (
        scope: Scope,
        which: { idleSince?: Date; importanceBelow?: number | null; limit?: number },
      ): Promise<string[]> =>
        store.write(scope, async (writer) => {
          const all = { idleSince: new Date(Date.now() + 3_600_000), importanceBelow: null, limit: 10 };
          return (await writer.findStale({ ...all, ...which })).map(({ id }) => id);
        });

      it('was neither changed nor accessed since', async () => {
        const scope = newScope();
        const [idle, changed, accessed] = await remember(
          scope,
          newMemory('Idle.'),
          newMemory('Changed.'),
          newMemory('Accessed.'),
        );
        assert.ok(idle && changed && accessed);
        const updated = await store.write(scope, (w) => w.update(changed, { importance: 1 }, { endedBy: 'update' }));
        while (Date.now() <= idle.updatedAt.getTime() + 1) await new Promise((resolve) => setTimeout(resolve, 1));
        await store.touch(scope, [accessed.id]);
        const justAfter = ({ updatedAt }: Memory): Date => new Date(updatedAt.getTime() + 1);
        assert.deepEqual(await staleIn(scope, { idleSince: idle.updatedAt }), []);
        assert.deepEqual(await staleIn(scope, { idleSince: justAfter(idle) }), [idle.id]);
        assert.equal((await staleIn(scope, { idleSince: justAfter(updated) })).includes(changed.id), true);
        assert.equal((await staleIn(scope, { idleSince: justAfter(updated) })).includes(accessed.id), false);
        assert.equal((await staleIn(scope, {})).length, 3);
      });

      it('is of less importance, in the precision in which importance is kept', async () => {
        const scope = newScope();
        const memories = await remember(
          scope,
          ...[0, 0.3, 0.7, 1].map((importance) => newMemory(`Sentence ${importance}.`, { importance })),
        );
        const below = async (importanceBelow: number | null): Promise<number> =>
          (await staleIn(scope, { importanceBelow })).length;
        assert.deepEqual([await below(0), await below(0.7), await below(0.71), await below(null)], [0, 2, 3, 4]);
        assert.deepEqual(
          await staleIn(scope, { limit: 3 }),
          memories
            .map(({ id }) => id)
            .sort()
            .slice(0, 3),
        );
      });

      it('is neither expired nor in another scope', async () => {
        const scope = newScope();
        await remember(scope, newMemory('Expired.', { expiresAt: new Date(Date.now() - 1_000) }));
        await remember({ ...scope, scope: 'user:421' }, newMemory('Foreign.'));
        assert.deepEqual(await staleIn(scope, {}), []);
      });
    });

    describe('an embedding made anew', () => {
      const other = (x: number, y: number): SpaceVector => ({ space: 'other:model:2', values: [x, y] });
      const texts = (scope: Scope, page: Partial<Parameters<MemoryStore['textsToEmbed']>[1]> = {}) =>
        store.textsToEmbed(scope, { space: 'other:model:2', staleOnly: true, after: null, limit: 100, ...page });

      it('is asked for every text of another space or of none, once, on pages', async () => {
        const scope = newScope();
        const memories = await remember(
          scope,
          ...Array.from({ length: 5 }, (_, n) => newMemory(`Sentence ${n}.`)),
          newMemory('Without.', { vector: null }),
          newMemory('Done.', { vector: other(1, 0) }),
        );
        await remember({ ...scope, scope: 'user:421' }, newMemory('Foreign.'));
        const changed = memories[2];
        assert.ok(changed);
        await store.write(scope, (w) => w.update(changed, { text: newText('Changed.') }, { endedBy: 'update' }));
        const seen: StoredText[] = [];
        for (let after: TextPosition | null = null; ;) {
          const page: StoredText[] = await texts(scope, { after, limit: 1 });
          if (page.length === 0) break;
          seen.push(...page);
          after = page.at(-1) ?? null;
        }
        assert.deepEqual(
          seen.map(({ content, ended, space }) => [content, ended, space]).sort(),
          [
            ['Changed.', false, SPACE],
            ['Sentence 0.', false, SPACE],
            ['Sentence 1.', false, SPACE],
            ['Sentence 2.', true, SPACE],
            ['Sentence 3.', false, SPACE],
            ['Sentence 4.', false, SPACE],
            ['Without.', false, null],
          ].sort(),
        );
        assert.equal((await texts(scope, { staleOnly: false })).length, 8);
      });

      it('changes what recall finds, then and now, and nothing else', async () => {
        const scope = newScope();
        const before = await rememberOne(scope, newMemory('Deploys on Heroku.', { metadata: { a: 1 } }));
        const memory = await store.write(scope, async (writer) => {
          const text = newText('Deploys on Fly.');
          return writer.update(before, { text, importance: 0.9 }, { endedBy: 'update' });
        });
        const state = await store.scopeState(scope);
        const history = await store.history(scope, memory.id);
        for (const text of await texts(scope)) {
          assert.equal(await store.replaceVector(scope, text, text.ended ? other(1, 0) : other(0, 1)), true);
        }
        assert.deepEqual(await texts(scope), []);
        assert.equal((await texts(scope, { staleOnly: false })).length, 2);
        assert.deepEqual(await store.get(scope, memory.id), memory);
        assert.deepEqual(await store.scopeState(scope), state);
        assert.deepEqual(await store.history(scope, memory.id), history);
        const found = async (vector: SpaceVector, asOf?: Date): Promise<string[]> =>
          (await store.recall(scope, { ...query({ maxDistance: 0.1 }), vector, ...(asOf && { asOf }) })).map(
            (hit) => hit.memory.content,
          );
        assert.deepEqual(await found(plane(1, 0, 0)), []);
        assert.deepEqual(await found(other(0, 1)), ['Deploys on Fly.']);
        assert.deepEqual(await found(other(1, 0)), []);
        assert.deepEqual(await found(other(1, 0), before.createdAt), ['Deploys on Heroku.']);
        assert.equal(await store.withoutVector(scope, { space: 'other:model:2', asOf: before.createdAt }), 0);
      });

      it('of a state whose text went on comes from the state that has it', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Deploys on Fly.', { vector: null }));
        await store.write(scope, (writer) => writer.update(memory, { importance: 1 }, { endedBy: 'update' }));
        const found = await texts(scope);
        for (const text of found) await store.replaceVector(scope, text, other(1, 0));
        assert.equal(found[0]?.ended, false);
        assert.equal(await store.withoutVector(scope, { space: 'other:model:2', asOf: memory.createdAt }), 0);
      });

      it('of a forgotten memory is made too', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Keeps bees.', { vector: null }));
        await store.write(scope, (writer) => writer.remove(memory, { endedBy: 'forget' }));
        const [text, ...more] = await texts(scope);
        assert.ok(text?.ended && more.length === 0);
        assert.equal(await store.replaceVector(scope, text, other(1, 0)), true);
        assert.deepEqual(await store.revisionVector(scope, memory.id, 1), other(1, 0));
      });

      it('never meets another text, another vector than it was made for, or another scope', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Deploys on Fly.'));
        const [text] = await texts(scope);
        assert.ok(text);
        const foreign = { ...scope, scope: 'user:421' };
        await remember(foreign, newMemory('Deploys on Fly.', { id: memory.id }));
        assert.equal(await store.replaceVector({ ...scope, scope: 'user:4' }, text, other(1, 0)), false);
        // Of one hash with the text before, which folds case.
        await store.write(scope, (w) => w.update(memory, { text: newText('DEPLOYS on Fly.') }, { endedBy: 'update' }));
        assert.equal(await store.replaceVector(scope, text, other(1, 0)), false);
        const [present] = await texts(scope);
        assert.ok(present);
        assert.equal(await store.replaceVector(scope, present, other(1, 0)), true);
        assert.equal(await store.replaceVector(scope, present, other(0, 1)), false);
        assert.equal((await texts(foreign)).length, 1);
        await assert.rejects(store.replaceVector(scope, present, other(0, 0)), ProviderError);
      });

      it('goes on beside a writer of the same memory', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Counter.'));
        const [text] = await texts(scope);
        assert.ok(text);
        const [, replaced] = await Promise.all([
          store.write(scope, (writer) => writer.update(memory, { importance: 1 }, { endedBy: 'update' })),
          store.replaceVector(scope, text, other(1, 0)),
        ]);
        assert.equal(replaced, true);
        assert.deepEqual(
          (await texts(scope)).filter(({ ended }) => !ended),
          [],
        );
      });
    });

    describe('an export', () => {
      it('goes through all live memories once, in the order of their ids, under one generation', async () => {
        const scope = newScope();
        const memories = await remember(scope, ...Array.from({ length: 7 }, (_, n) => newMemory(`Sentence ${n}.`)));
        await remember(scope, newMemory('Expired.', { expiresAt: new Date(Date.now() - 1_000) }));
        await remember({ ...scope, scope: 'user:421' }, newMemory('Foreign.'));
        await store.setEnabled(scope, false);
        const { generation } = await store.scopeState(scope);
        const seen: Memory[] = [];
        for (let after: string | null = null; ;) {
          const page = await store.exportPage(scope, { after, limit: 3, withVectors: false });
          assert.equal(page.generation, generation);
          if (page.memories.length === 0) break;
          assert.ok(page.memories.every(({ vector }) => vector === null));
          seen.push(...page.memories.map(({ memory }) => memory));
          after = seen.at(-1)?.id ?? null;
        }
        assert.deepEqual(
          seen,
          [...memories].sort((a, b) => (a.id < b.id ? -1 : 1)),
        );
      });

      it('has the vectors where they are asked for', async () => {
        const scope = newScope();
        await remember(scope, newMemory('One.', { vector: plane(1, 0.5, -2) }), newMemory('Two.', { vector: null }));
        const { memories } = await store.exportPage(scope, { after: null, limit: 5, withVectors: true });
        assert.deepEqual(
          new Map(memories.map(({ memory, vector }) => [memory.content, vector])),
          new Map([
            ['One.', plane(1, 0.5, -2)],
            ['Two.', null],
          ]),
        );
      });

      it('of an erased scope is empty, under the new generation', async () => {
        const scope = newScope();
        await rememberOne(scope, newMemory('Keeps bees.'));
        const { id } = await store.erase(scope);
        assert.deepEqual(await store.exportPage(scope, { after: null, limit: 5, withVectors: false }), {
          generation: id,
          memories: [],
        });
      });
    });

    describe('a touch', () => {
      it('counts accesses without a new version, and passes over what is gone', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Keeps bees.'));
        await store.touch(scope, [memory.id, randomUUID(), 'not-an-id']);
        await store.touch(scope, [memory.id]);
        await store.touch(scope, []);
        const touched = await store.get(scope, memory.id);
        assert.equal(touched?.accessCount, 2);
        assert.ok(touched?.lastAccessedAt instanceof Date);
        assert.deepEqual({ ...touched, accessCount: 0, lastAccessedAt: null }, memory);
      });

      it('of many at once in any order comes to an end', async () => {
        const scope = newScope();
        const memories = await remember(scope, ...Array.from({ length: 10 }, (_, n) => newMemory(`Sentence ${n}.`)));
        const ids = memories.map((memory) => memory.id);
        const state = await store.scopeState(scope);
        await Promise.all(Array.from({ length: 10 }, (_, n) => store.touch(scope, n % 2 ? ids : [...ids].reverse())));
        assert.deepEqual(await store.scopeState(scope), state);
        for (const id of ids) assert.equal((await store.get(scope, id))?.accessCount, 10);
      });
    });

    describe('the turn log', () => {
      it('stores a turn once and tells a repetition by its messages', async () => {
        const scope = newScope();
        const first = await handIn(scope, { turnId: 'a', timeZone: 'Europe/Lisbon' });
        assert.equal(first.outcome, 'inserted');
        assert.equal(first.turn?.status, 'pending');
        assert.equal(first.turn?.timeZone, 'Europe/Lisbon');
        assert.deepEqual(first.turn?.decisions, []);
        const again = await handIn(scope, { turnId: 'a' });
        assert.equal(again.outcome, 'duplicate');
        assert.equal(again.turn?.seq, first.turn?.seq);
        await assert.rejects(
          handIn(scope, { turnId: 'a', messagesHash: hashOf('other messages') }),
          (error) => error instanceof ConflictError && !error.message.includes('bees'),
        );
        assert.deepEqual((await store.turns.find(scope, 'a'))?.messages, first.turn?.messages);
        assert.equal(await store.turns.find(scope, 'b'), null);
      });

      it('stores one of many equal turns handed in at once', async () => {
        const scope = newScope();
        const results = await Promise.all(Array.from({ length: 8 }, () => handIn(scope, { turnId: 'a' })));
        assert.equal(results.filter((result) => result.outcome === 'inserted').length, 1);
        assert.equal(results.filter((result) => result.outcome === 'duplicate').length, 7);
      });

      it('refuses a turn that began before an erasure', async () => {
        const scope = newScope();
        await assert.rejects(handIn(scope, { generation: randomUUID() }), ConflictError);
        assert.equal((await store.stats(scope, null)).pendingTurns, 0);
      });

      it('stores nothing while the scope is off', async () => {
        const scope = newScope();
        await store.scopeState(scope);
        await store.setEnabled(scope, false);
        assert.deepEqual(await handIn(scope, { turnId: 'a' }), { outcome: 'disabled', turn: null });
        assert.equal((await store.scopeState(scope)).enabled, false);
        assert.equal(await store.turns.find(scope, 'a'), null);
        await store.setEnabled(scope, true);
        assert.equal((await handIn(scope, { turnId: 'a' })).outcome, 'inserted');
      });

      it('keeps the time that the turn was said, or takes its arrival', async () => {
        const scope = newScope();
        const occurredAt = new Date('2024-03-10T02:30:00.250Z');
        assert.deepEqual((await handIn(scope, { turnId: 'a', occurredAt })).turn?.occurredAt, occurredAt);
        const arrived = (await handIn(scope, { turnId: 'b' })).turn?.occurredAt;
        assert.ok(arrived && Math.abs(arrived.getTime() - Date.now()) < 60_000);
      });

      it('hands turns out earliest first, one at a time in a scope', async () => {
        const scope = newScope();
        for (const turnId of ['b', 'a', 'c']) await handIn(scope, { turnId });
        const order: string[] = [];
        for (let n = 0; n < 3; n += 1) {
          const turn = await claimed(scope);
          order.push(turn.turnId);
          assert.equal(turn.status, 'running');
          assert.equal(turn.attempt, 1);
          assert.equal(turn.messages[0]?.content, 'I keep bees.');
          assert.equal(await store.turns.claim(scope, { leaseMs: 60_000 }), null);
          await finish(scope, turn);
        }
        assert.deepEqual(order, ['b', 'a', 'c']);
        assert.equal(await store.turns.claim(scope, { leaseMs: 60_000 }), null);
      });

      it('gives a turn to one of many who claim at once', async () => {
        const scope = newScope();
        for (const turnId of ['a', 'b', 'c']) await handIn(scope, { turnId });
        const claims = await Promise.all(
          Array.from({ length: 8 }, () => store.turns.claim(scope, { leaseMs: 60_000 })),
        );
        assert.equal(claims.filter(Boolean).length, 1);
      });

      it('takes the turns behind it along where asked to, as many and as large as allowed, under one claim', async () => {
        const scope = newScope();
        for (const turnId of ['a', 'b', 'c', 'd']) await handIn(scope, { turnId });
        const turn = await store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 3 });
        assert.ok(turn);
        assert.deepEqual(
          [turn, ...turn.following].map(({ turnId, claim, attempt, status }) => [turnId, claim, attempt, status]),
          ['a', 'b', 'c'].map((turnId) => [turnId, turn.claim, 1, 'running']),
        );
        assert.equal(await store.turns.claim(scope, { leaseMs: 60_000 }), null);
        assert.equal(await store.turns.renew(scope, turn.claim, 60_000), true);
        await store.write(scope, async (writer) => {
          const locked = (await writer.lockClaimedTurns(turn.claim)).map(({ turnId }) => turnId);
          assert.deepEqual(locked.sort(), ['a', 'b', 'c']);
          for (const turnId of locked)
            await writer.finishTurn(turn.claim, turnId, { status: 'nothing', decisions: [] });
        });
        await handIn(scope, { turnId: 'e' });
        const small = await store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 3, maxBytes: 10 });
        assert.equal(small?.turnId, 'd');
        assert.deepEqual(small.following, []);

        const other = newScope();
        const context = [{ role: 'user' as const, content: 'x'.repeat(1_000) }];
        for (const turnId of ['a', 'b']) await handIn(other, { turnId, context });
        const long = await store.turns.claim(other, { leaseMs: 60_000, maxTurns: 3, maxBytes: 1_500 });
        assert.deepEqual(long?.following, []);
      });

      it('tries turns that failed, crashed or were given back together one by one', async () => {
        for (const end of ['fail', 'crash', 'release'] as const) {
          const scope = newScope();
          for (const turnId of ['a', 'b']) await handIn(scope, { turnId });
          const both = await store.turns.claim(scope, { leaseMs: end === 'crash' ? 0 : 60_000, maxTurns: 5 });
          assert.equal(both?.following.length, 1);
          const failure = { errorCode: 'X', delayMs: 0, dead: false, failures: 0 };
          if (end === 'fail') assert.equal(await store.turns.fail(scope, both.claim, failure), true);
          if (end === 'release') assert.equal(await store.turns.release(scope, both.claim), true);
          for (const turnId of ['a', 'b']) {
            const alone = await store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 5 });
            assert.equal(alone?.turnId, turnId);
            assert.deepEqual(alone.following, []);
            await finish(scope, alone);
          }
        }
      });

      it('keeps the order of turns that crashed together, also where the first of them was swept', async () => {
        const scope = newScope();
        for (const turnId of ['a', 'b', 'c']) await handIn(scope, { turnId });
        await store.turns.claim(scope, { leaseMs: 0, maxTurns: 5 });
        assert.deepEqual(
          (await sweepOf(scope)).map(({ turnId }) => turnId),
          ['a'],
        );
        for (const turnId of ['a', 'b', 'c']) {
          const alone = await claimed(scope);
          assert.equal(alone.turnId, turnId);
          await finish(scope, alone);
        }
      });

      it('goes on with a crashed turn before one of earlier that is tried again', async () => {
        const scope = newScope();
        for (const turnId of ['a', 'b']) await handIn(scope, { turnId });
        await store.turns.fail(scope, (await claimed(scope)).claim, {
          errorCode: 'X',
          delayMs: 0,
          dead: true,
          failures: 1,
        });
        assert.equal((await claimed(scope, 0)).turnId, 'b');
        assert.equal((await store.turns.retry(scope, 'a')).outcome, 'retried');
        for (const turnId of ['b', 'a']) {
          const turn = await claimed(scope);
          assert.equal(turn.turnId, turnId);
          await finish(scope, turn);
        }
      });

      it('gives turns that are claimed in numbers to one of many who claim at once', async () => {
        for (let round = 0; round < 10; round += 1) {
          const scope = newScope();
          for (const turnId of ['a', 'b', 'c', 'd']) await handIn(scope, { turnId });
          const claims = await Promise.all(
            Array.from({ length: 8 }, (_, n) => store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 1 + (n % 4) })),
          );
          assert.equal(claims.filter(Boolean).length, 1);
        }
      });

      it('holds turns back until none follows for a while, or enough of them wait', async () => {
        const scope = newScope();
        const { generation } = await store.scopeState(scope);
        const hold = (turnId: string, everyTurns: number, idleMs = 60_000) =>
          store.turns.insert(scope, newTurn(generation, { turnId }), { idleMs, everyTurns });
        await hold('a', 3);
        assert.equal(await store.turns.claim(scope, { leaseMs: 60_000 }), null);
        const until = await store.turns.pausedUntil(scope);
        assert.ok(until && until.getTime() > Date.now() + 30_000);
        await hold('b', 3);
        assert.equal(await store.turns.claim(scope, { leaseMs: 60_000 }), null);
        await hold('c', 3);
        const due = await store.turns.claim(scope, { leaseMs: 60_000, maxTurns: 5 });
        assert.deepEqual([due?.turnId, ...(due?.following ?? []).map(({ turnId }) => turnId)], ['a', 'b', 'c']);

        const other = newScope();
        await store.turns.insert(other, newTurn((await store.scopeState(other)).generation, { turnId: 'a' }), {
          idleMs: 1,
          everyTurns: 100,
        });
        await new Promise((resolve) => setTimeout(resolve, 20));
        assert.equal((await claimed(other)).turnId, 'a');
      });

      it('says until when the first turn of a scope is not tried again', async () => {
        const scope = newScope();
        assert.equal(await store.turns.pausedUntil(scope), null);
        await handIn(scope, { turnId: 'a' });
        assert.equal(await store.turns.pausedUntil(scope), null);
        const turn = await claimed(scope);
        assert.equal(await store.turns.pausedUntil(scope), null);
        await store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 60_000, dead: false, failures: 1 });
        const until = await store.turns.pausedUntil(scope);
        assert.ok(until && until.getTime() > Date.now() + 30_000);
      });

      it('tries a dead turn again, as if it had never failed', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        const turn = await claimed(scope);
        const running = await store.turns.retry(scope, 'a');
        assert.equal(running.outcome, 'not-failed');
        await store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 60_000, dead: true, failures: 1 });
        assert.equal((await store.turns.retry(newScope(), 'a')).outcome, 'unknown');
        const result = await store.turns.retry(scope, 'a');
        assert.equal(result.outcome, 'retried');
        const again = await claimed(scope);
        assert.deepEqual(
          [again.turnId, again.attempt, again.givenBack, again.failures, again.errorCode],
          ['a', 2, 1, 0, null],
        );
        await finish(scope, again);
        assert.equal((await store.turns.retry(scope, 'a')).outcome, 'not-failed');
      });

      it('tries nothing again while the scope is off, nor what has lost its messages', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        const turn = await claimed(scope);
        await store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 });
        await store.setEnabled(scope, false);
        assert.equal((await store.turns.retry(scope, 'a')).outcome, 'disabled');
        await store.setEnabled(scope, true);
        assert.equal((await store.turns.retry(scope, 'a')).outcome, 'cleared');
      });

      it('clears the messages of turns that died long ago, and drops those that ended longer ago', async () => {
        const scope = newScope();
        for (const turnId of ['dead', 'done', 'open']) await handIn(scope, { turnId });
        const dead = await claimed(scope);
        await store.turns.fail(scope, dead.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 });
        await finish(scope, await claimed(scope));
        const later = new Date(Date.now() + 60_000);
        const due = async (turns: { deadBefore: Date | null; endedBefore: Date | null }): Promise<boolean> =>
          (await store.dueForUpkeep({ revisionsEndedBefore: null, turns, limit: 10_000 })).some(
            (one) => one.scope === scope.scope && one.tenantId === scope.tenantId,
          );
        const past = { deadBefore: new Date(0), endedBefore: new Date(0) };
        assert.equal(await due(past), false);
        assert.equal(await store.turns.dropOld(scope, { ...past, limit: 10 }), 0);

        const clear = { deadBefore: later, endedBefore: null };
        assert.equal(await due(clear), true);
        assert.equal(await store.turns.dropOld(scope, { ...clear, limit: 10 }), 1);
        assert.equal((await store.turns.find(scope, 'dead'))?.messages, null);
        assert.equal(await due(clear), false);
        assert.equal((await store.turns.retry(scope, 'dead')).outcome, 'cleared');

        const drop = { deadBefore: null, endedBefore: later };
        assert.equal(await due(drop), true);
        assert.equal(await store.turns.dropOld(scope, { ...drop, limit: 10 }), 2);
        assert.equal(await due(drop), false);
        assert.equal(await store.turns.find(scope, 'done'), null);
        assert.equal((await store.turns.find(scope, 'open'))?.status, 'pending');
      });

      it('fences a worker whose lease ran out', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        const late = await claimed(scope, 0);
        const next = await claimed(scope);
        assert.notEqual(next.claim, late.claim);
        assert.equal(next.attempt, 2);
        assert.equal(await store.turns.renew(scope, late.claim, 60_000), false);
        assert.equal(
          await store.turns.fail(scope, late.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 }),
          false,
        );
        assert.equal(await store.turns.release(scope, late.claim), false);
        await store.write(scope, async (writer) => {
          assert.deepEqual(await writer.lockClaimedTurns(late.claim), []);
        });
        await assert.rejects(finish(scope, late), ConflictError);
        assert.equal((await store.turns.find(scope, 'a'))?.status, 'running');
        await finish(scope, next);
      });

      it('keeps a claim whose lease is renewed', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        const turn = await claimed(scope, 0);
        assert.equal(await store.turns.renew(scope, turn.claim, 60_000), true);
        assert.equal(await store.turns.claim(scope, { leaseMs: 60_000 }), null);
        await finish(scope, turn);
      });

      it('rolls a whole apply back when the fence was lost, even if that error is swallowed', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        const late = await claimed(scope, 0);
        await claimed(scope);
        await assert.rejects(
          store.write(scope, async (writer) => {
            await writer.insert([newMemory('Keeps bees.')]);
            await writer.finishTurn(late.claim, 'a', { status: 'applied', decisions: [] }).catch(() => undefined);
          }),
          ConflictError,
        );
        assert.equal((await store.stats(scope, null)).total, 0);
      });

      it('applies a turn with its memories, keeps the decisions and clears the messages', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        const turn = await claimed(scope);
        const memory = newMemory('Keeps bees.', { source: 'observed', turnId: 'a', messageNo: 0 });
        const decisions = [{ action: 'add' as const, memoryId: memory.id }];
        await store.write(scope, async (writer) => {
          const [locked, ...more] = await writer.lockClaimedTurns(turn.claim);
          assert.equal(more.length, 0);
          assert.equal(locked?.generation, writer.state.generation);
          await writer.insert([memory]);
          await writer.finishTurn(turn.claim, 'a', { status: 'applied', decisions });
        });
        const done = await store.turns.find(scope, 'a');
        assert.deepEqual([done?.status, done?.messages, done?.decisions], ['applied', null, decisions]);
        assert.equal((await store.get(scope, memory.id))?.source, 'observed');
        assert.equal((await handIn(scope, { turnId: 'a' })).turn?.status, 'applied');
        await assert.rejects(finish(scope, turn), ConflictError);
      });

      it('keeps what was said before a turn as long as its messages', async () => {
        const context = [{ role: 'assistant' as const, content: 'What do you keep?' }];
        const contextOf = async (scope: Scope) => (await store.turns.find(scope, 'a'))?.context;
        const told = async (): Promise<Scope> => {
          const scope = newScope();
          assert.deepEqual((await handIn(scope, { turnId: 'a', context })).turn?.context, context);
          return scope;
        };
        const scope = await told();
        assert.deepEqual((await handIn(scope, { turnId: 'a' })).outcome, 'duplicate');
        const turn = await claimed(scope);
        assert.deepEqual(turn.context, context);
        await finish(scope, turn);
        assert.deepEqual(await contextOf(scope), []);

        const [off, dead] = [await told(), await told()];
        await store.setEnabled(off, false);
        assert.deepEqual(await contextOf(off), []);
        const died = { errorCode: 'X', delayMs: 0, dead: true, failures: 1 };
        await store.turns.fail(dead, (await claimed(dead)).claim, died);
        assert.deepEqual(await contextOf(dead), context);
        const later = new Date(Date.now() + 60_000);
        await store.turns.dropOld(dead, { deadBefore: later, endedBefore: null, limit: 10 });
        assert.deepEqual(await contextOf(dead), []);
      });

      it('notes with turns that wait what they may not teach any more, as long as they have their messages', async () => {
        const scope = newScope();
        const barredOf = async (turnId: string) => (await store.turns.find(scope, turnId))?.barred;
        for (const turnId of ['a', 'b']) await handIn(scope, { turnId });
        const turn = await claimed(scope);
        const hashes = [contentHash('Keeps bees.'), contentHash('Keeps wasps.')] as const;
        await store.write(scope, (writer) => writer.barFromTurns([hashes[0]]));
        await store.write(scope, async (writer) => {
          await writer.barFromTurns([hashes[1]]);
          assert.deepEqual((await writer.lockClaimedTurns(turn.claim))[0]?.barred, hashes);
        });
        const failed = store.write(scope, async (writer) => {
          await writer.barFromTurns([contentHash('Is rolled back.')]);
          throw new ProviderError('contract', 'unavailable', false, 'The write fails.');
        });
        await assert.rejects(failed, ProviderError);
        assert.deepEqual(await barredOf('b'), hashes);
        await finish(scope, turn);
        assert.deepEqual(await barredOf('a'), []);
        await store.setEnabled(scope, false);
        assert.deepEqual(await barredOf('b'), []);
        await store.setEnabled(scope, true);
        await handIn(scope, { turnId: 'c' });
        assert.deepEqual(await barredOf('c'), []);
      });

      it('holds the scope while a failed turn pauses, and takes it up again after', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        await handIn(scope, { turnId: 'b' });
        const turn = await claimed(scope);
        const failure = { errorCode: 'PROVIDER_FAILED:timeout', delayMs: 60_000, dead: false, failures: 1 };
        assert.equal(await store.turns.fail(scope, turn.claim, failure), true);
        const failed = await store.turns.find(scope, 'a');
        assert.deepEqual(
          [failed?.status, failed?.failures, failed?.errorCode, failed?.messages?.length],
          ['failed', 1, 'PROVIDER_FAILED:timeout', 1],
        );
        assert.equal(await store.turns.claim(scope, { leaseMs: 60_000 }), null);
        assert.equal((await sweepOf(scope)).length, 0);
        assert.equal((await store.stats(scope, null)).pendingTurns, 2);
      });

      it('counts the failures of a turn as it is told', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        const failure = { errorCode: 'PROVIDER_FAILED:circuit-open', delayMs: 0, dead: false, failures: 0 };
        for (const failures of [0, 0, 3, 1]) {
          await store.turns.fail(scope, (await claimed(scope)).claim, { ...failure, failures });
          const waiting = await store.turns.find(scope, 'a');
          assert.deepEqual(
            [waiting?.status, waiting?.failures, waiting?.errorCode],
            ['failed', failures, failure.errorCode],
          );
        }
      });

      it('tells claims that were given back from those that crashed', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        await store.turns.release(scope, (await claimed(scope)).claim);
        await store.turns.fail(scope, (await claimed(scope)).claim, {
          errorCode: 'X',
          delayMs: 0,
          dead: false,
          failures: 1,
        });
        await claimed(scope, 0);
        const { attempt, givenBack } = await claimed(scope);
        assert.deepEqual([attempt, givenBack], [4, 2]);
      });

      it('lets the next turn pass once one is dead', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        await handIn(scope, { turnId: 'b' });
        const turn = await claimed(scope);
        await store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 });
        assert.equal((await claimed(scope)).turnId, 'b');
        const { deadTurns, pendingTurns } = await store.stats(scope, null);
        assert.deepEqual([deadTurns, pendingTurns], [1, 1]);
        assert.equal((await handIn(scope, { turnId: 'a' })).turn?.status, 'dead');
      });

      it('gives a released turn out again at once', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        const turn = await claimed(scope);
        assert.equal(await store.turns.release(scope, turn.claim), true);
        assert.equal((await store.turns.find(scope, 'a'))?.status, 'pending');
        const again = await claimed(scope);
        assert.deepEqual([again.turnId, again.attempt, again.failures], ['a', 2, 0]);
      });

      it('sweeps a due turn to one caller for a while, and it can be claimed then', async () => {
        const [one, other] = [newScope(), newScope()];
        await handIn(one, { turnId: 'a' });
        await handIn(other, { turnId: 'b' });
        const sweeps = await Promise.all(
          Array.from({ length: 4 }, () => store.turns.sweep({ limit: 1_000, holdMs: 60_000 })),
        );
        const mine = sweeps.flat().filter((key) => [one.tenantId, other.tenantId].includes(key.tenantId));
        assert.deepEqual(
          mine.sort((x, y) => (x.turnId < y.turnId ? -1 : 1)),
          [
            { ...one, turnId: 'a' },
            { ...other, turnId: 'b' },
          ],
        );
        assert.equal((await claimed(one)).turnId, 'a');
        assert.equal((await sweepOf(one)).length, 0);
        assert.equal((await sweepOf(other)).length, 0);
      });

      it('sweeps a turn again that was swept for a while and is still there', async () => {
        const scope = newScope();
        await handIn(scope, { turnId: 'a' });
        for (let round = 0; round < 2; round += 1) assert.equal((await sweepOf(scope, 0)).length, 1);
      });

      it('sweeps turns whose pause is over or whose worker died, the earliest of a scope only', async () => {
        const [failed, abandoned] = [newScope(), newScope()];
        for (const scope of [failed, abandoned]) {
          await handIn(scope, { turnId: 'a' });
          await handIn(scope, { turnId: 'b' });
        }
        const turn = await claimed(failed);
        await store.turns.fail(failed, turn.claim, { errorCode: 'X', delayMs: 0, dead: false, failures: 1 });
        await claimed(abandoned, 0);
        const tenants = [failed.tenantId, abandoned.tenantId];
        const keys = await store.turns.sweep({ limit: 1_000, holdMs: 60_000 });
        const mine = keys.filter((key) => tenants.includes(key.tenantId));
        assert.equal(mine.length, 2);
        assert.ok(mine.every((key) => key.turnId === 'a'));
        for (const scope of [failed, abandoned]) assert.equal((await claimed(scope)).turnId, 'a');
      });

      it('sweeps no more than the limit', async () => {
        for (let n = 0; n < 3; n += 1) await handIn(newScope(), { turnId: 'a' });
        assert.equal((await store.turns.sweep({ limit: 2, holdMs: 1 })).length, 2);
      });

      async function finish(scope: Scope, turn: ClaimedTurn): Promise<void> {
        await store.write(scope, async (writer) => {
          await writer.lockClaimedTurns(turn.claim);
          await writer.finishTurn(turn.claim, turn.turnId, { status: 'nothing', decisions: [] });
        });
      }

      async function sweepOf(scope: Scope, holdMs = 60_000) {
        const keys = await store.turns.sweep({ limit: 1_000, holdMs });
        return keys.filter((key) => key.tenantId === scope.tenantId);
      }
    });

    describe('the switch', () => {
      it('is on where nobody turned it, without making the scope', async () => {
        assert.deepEqual(await store.settings(newScope()), { enabled: true });
      });

      it('is turned once, under a stamp later than every other, and stays', async () => {
        const scope = newScope();
        const memory = await rememberOne(scope, newMemory('Keeps bees on the roof.'));
        const switched = await store.setEnabled(scope, false);
        assert.ok(switched && switched.at > memory.createdAt);
        assert.equal(await store.setEnabled(scope, false), null);
        assert.deepEqual(await store.settings(scope), { enabled: false });
        assert.equal((await store.scopeState(scope)).revision, 2);
        assert.ok(await store.setEnabled(scope, true));
        assert.deepEqual(await store.settings(scope), { enabled: true });
      });

      it('turned off hides everything from recall and nothing from list and get', async () => {
        const [scope, other] = [newScope(), newScope()];
        const memory = await rememberOne(scope, newMemory('Keeps bees on the roof.'));
        await rememberOne(other, newMemory('Keeps bees on the roof.'));
        const ask = (where: Scope) => store.recall(where, query({ words: 'bees', vector: [1, 0, 0] }));
        await store.setEnabled(scope, false);
        assert.deepEqual(await ask(scope), []);
        assert.equal((await ask(other)).length, 1);
        assert.deepEqual(await store.get(scope, memory.id), memory);
        assert.equal((await store.list(scope, { limit: 5 })).totalCount, 1);
        await store.setEnabled(scope, true);
        assert.equal((await ask(scope)).length, 1);
      });

      it('turned off ends what waits, drops its text and takes a running turn from its worker', async () => {
        const [scope, other] = [newScope(), newScope()];
        for (const turnId of ['dead', 'running', 'pending']) await handIn(scope, { turnId });
        await handIn(other, { turnId: 'pending' });
        const dead = await claimed(scope);
        await store.turns.fail(scope, dead.claim, { errorCode: 'X', delayMs: 0, dead: true, failures: 1 });
        const running = await claimed(scope);
        assert.equal((await store.setEnabled(scope, false))?.droppedTurns, 3);
        const left = await Promise.all(['dead', 'running', 'pending'].map((id) => store.turns.find(scope, id)));
        assert.deepEqual(
          left.map((turn) => [turn?.status, turn?.messages]),
          [
            ['dead', null],
            ['disabled', null],
            ['disabled', null],
          ],
        );
        await store.setEnabled(scope, true);
        assert.equal(await store.turns.claim(scope, { leaseMs: 60_000 }), null);
        assert.equal(await store.turns.renew(scope, running.claim, 60_000), false);
        assert.deepEqual(await store.write(scope, (writer) => writer.lockClaimedTurns(running.claim)), []);
        assert.equal((await store.turns.find(other, 'pending'))?.status, 'pending');

        const { claim } = await claimed(other);
        await store.turns.fail(other, claim, { errorCode: 'X', delayMs: 60_000, dead: false, failures: 1 });
        await store.setEnabled(other, false);
        const failed = await store.turns.find(other, 'pending');
        assert.deepEqual([failed?.status, failed?.messages], ['disabled', null]);
      });
    });

    describe('an erasure', () => {
      it('leaves nothing of the scope, and says how much went', async () => {
        const scope = newScope();
        const [one, two] = await remember(scope, newMemory('Keeps bees.'), newMemory('Owns a boat.'));
        assert.ok(one && two);
        await store.touch(scope, [one.id]);
        await handIn(scope, { turnId: 'applied' });
        await handIn(scope, { turnId: 'pending' });
        const { id, erasedAt, ...counts } = await store.erase(scope);
        assert.deepEqual({ ...counts, revisions: 0 }, { memories: 2, revisions: 0, turns: 2, accesses: 1 });
        assert.ok(erasedAt > two.createdAt);

        assert.equal(await store.get(scope, one.id), null);
        assert.equal((await store.list(scope, { limit: 5 })).totalCount, 0);
        assert.deepEqual(await store.recall(scope, query({ words: 'bees', vector: [1, 0, 0] })), []);
        assert.equal(await store.turns.find(scope, 'pending'), null);
        assert.deepEqual(await store.stats(scope, SPACE), await store.stats(newScope(), SPACE));
        const state = await store.scopeState(scope);
        assert.deepEqual([state.generation, state.erasedAt, state.enabled], [id, erasedAt, true]);
      });

      it('says once that it is alone in the scope, as a switch does', async () => {
        const scope = newScope();
        const said: string[] = [];
        await store.setEnabled(scope, false, () => said.push('switched'));
        await store.erase(scope, () => said.push('erased'));
        assert.deepEqual(said, ['switched', 'erased']);
      });

      it('begins a new generation each time, also of a scope that held nothing', async () => {
        const scope = newScope();
        const receipts = [await store.erase(scope), await store.erase(scope)];
        assert.equal(new Set(receipts.map(({ id }) => id)).size, 2);
        assert.ok(receipts[1] && receipts[0] && receipts[1].erasedAt > receipts[0].erasedAt);
        assert.deepEqual(
          receipts.map(({ memories, revisions, turns, accesses }) => memories + revisions + turns + accesses),
          [0, 0],
        );
      });

      it('counts as a change, and leaves the switch as it was', async () => {
        const scope = newScope();
        await store.setEnabled(scope, false);
        const { revision } = await store.scopeState(scope);
        await store.erase(scope);
        const after = await store.scopeState(scope);
        assert.deepEqual([after.enabled, after.revision], [false, revision + 1]);
      });

      it('refuses what began before it, and takes what comes after', async () => {
        const scope = newScope();
        const { generation } = await store.scopeState(scope);
        await handIn(scope, { turnId: 'a' });
        const turn = await claimed(scope);
        await store.erase(scope);
        await assert.rejects(handIn(scope, { turnId: 'b', generation }), ConflictError);
        assert.deepEqual(await store.write(scope, (writer) => writer.lockClaimedTurns(turn.claim)), []);
        assert.equal(
          await store.turns.fail(scope, turn.claim, { errorCode: 'X', delayMs: 0, dead: false, failures: 1 }),
          false,
        );
        assert.equal((await handIn(scope, { turnId: 'a' })).outcome, 'inserted');
        await rememberOne(scope, newMemory('Keeps bees.'));
      });

      it('of one scope leaves those of similar names, and of other tenants, as they were', async () => {
        const tenantId = randomUUID();
        const erased = { tenantId, scope: 'user:1' };
        const others = [
          { tenantId, scope: 'user:10' },
          { tenantId, scope: 'USER:1' },
          { tenantId, scope: 'user:1 ' },
          { tenantId, scope: 'user:%' },
          { tenantId, scope: 'user:_' },
          { tenantId: randomUUID(), scope: 'user:1' },
          { tenantId: tenantId.toUpperCase(), scope: 'user:1' },
        ];
        const seen = async (scope: Scope) => [
          await store.list(scope, { limit: 10 }),
          await store.turns.find(scope, 'a'),
          await store.scopeState(scope),
        ];
        for (const scope of [erased, ...others]) {
          await rememberOne(scope, newMemory('Keeps bees.'));
          await handIn(scope, { turnId: 'a' });
        }
        const before = await Promise.all(others.map(seen));
        assert.equal((await store.erase(erased)).memories, 1);
        assert.deepEqual(await Promise.all(others.map(seen)), before);
        for (const scope of others) await store.erase({ ...scope, scope: `${scope.scope}?` });
        assert.deepEqual(await Promise.all(others.map(seen)), before);
      });

      it('waits for twenty writers, or they for it: what is left came after', async () => {
        const scope = newScope();
        const { generation } = await store.scopeState(scope);
        const writes = Array.from({ length: 20 }, (_, n) =>
          store.write(scope, async (writer) => {
            if (writer.state.generation !== generation) return false;
            await writer.insert([newMemory(`Sentence ${n}.`)]);
            return true;
          }),
        );
        const [receipt, wrote] = await Promise.all([store.erase(scope), Promise.all(writes)]);
        assert.equal(receipt.memories, wrote.filter(Boolean).length);
        assert.equal((await store.list(scope, { limit: 5 })).totalCount, 0);
      });

      it('twice at once is two erasures, the second of nothing', async () => {
        const scope = newScope();
        await rememberOne(scope, newMemory('Keeps bees.'));
        const receipts = await Promise.all([store.erase(scope), store.erase(scope)]);
        assert.deepEqual(receipts.map(({ memories }) => memories).sort(), [0, 1]);
        assert.notEqual(receipts[0]?.id, receipts[1]?.id);
      });
    });

    describe('the past', () => {
      const change = (scope: Scope, target: Memory, to: MemoryChange, cause: RevisionCause = { endedBy: 'update' }) =>
        store.write(scope, (writer) => writer.update(target, to, cause));
      const remove = (scope: Scope, target: Memory, cause: RevisionCause = { endedBy: 'forget' }) =>
        store.write(scope, (writer) => writer.remove(target, cause));
      const before = (moment: Date): Date => new Date(moment.getTime() - 1);
      const contents = (hits: readonly { memory: Memory }[]): string[] => hits.map(({ memory }) => memory.content);

      it('shows each state from its first millisecond until just before the next, in every read', async () => {
        const scope = newScope();
        const one = await rememberOne(scope, newMemory('Lives in Porto.', { vector: plane(1, 0, 0) }));
        const two = await change(scope, one, { importance: 0.9 });
        const three = await change(scope, two, { text: newText('Lives in Lisbon.', plane(0, 1, 0)) });
        await remove(scope, three);
        const end = (await store.history(scope, one.id)).at(-1)?.validTo;
        assert.ok(end && end > three.updatedAt);
        for (const [asOf, state] of [
          [before(one.updatedAt), null],
          [one.updatedAt, one],
          [before(two.updatedAt), one],
          [two.updatedAt, two],
          [before(three.updatedAt), two],
          [three.updatedAt, three],
          [before(end), three],
          [end, null],
          [new Date('9999-12-31T00:00:00Z'), null],
        ] as const) {
          const expected = state ? [state] : [];
          const hit = (of: Parameters<typeof query>[0]) => store.recall(scope, query({ ...of, asOf }));
          assert.deepEqual(await store.get(scope, one.id, asOf), state);
          assert.deepEqual((await store.list(scope, { limit: 5, asOf })).memories, expected);
          assert.deepEqual(
            (await hit({ words: 'lives', mode: 'keyword' })).map(({ memory }) => memory),
            expected,
          );
          assert.deepEqual(
            (await hit({ vector: [1, 0, 0] })).map(({ memory }) => memory),
            expected,
          );
        }
        assert.equal(await store.get(scope, one.id), null);
      });

      it('is found by its words and vectors of then, and by no others', async () => {
        const scope = newScope();
        const old = await rememberOne(scope, newMemory('Deploys on Heroku.', { vector: plane(1, 0, 0) }));
        const { updatedAt } = await change(scope, old, { text: newText('Deploys on Fly.', plane(0, 1, 0)) });
        const found = async (asOf: Date, words: string, vector: number[]): Promise<string[]> =>
          contents(await store.recall(scope, query({ words, vector, asOf, minCoverage: 0.9, maxDistance: 0.1 })));
        const then = before(updatedAt);
        assert.deepEqual(await found(then, 'heroku', [0, 0, 1]), ['Deploys on Heroku.']);
        assert.deepEqual(await found(then, 'unrelated', [1, 0, 0]), ['Deploys on Heroku.']);
        assert.deepEqual(await found(then, 'fly', [0, 1, 0]), []);
        assert.deepEqual(await found(updatedAt, 'heroku', [1, 0, 0]), []);
        assert.deepEqual(await found(updatedAt, 'fly', [0, 1, 0]), ['Deploys on Fly.']);
        for (const [asOf, words, count] of [
          [then, 'heroku', 1],
          [then, 'fly', 0],
          [updatedAt, 'heroku', 0],
          [updatedAt, 'fly', 1],
        ] as const) {
          const page = await store.list(scope, { limit: 5, searchText: searchText(words), asOf });
          assert.deepEqual([page.totalCount, page.memories.length], [count, count], words);
        }
      });

      it('has the vector of a text that went on in later states, also when those have ended', async () => {
        const scope = newScope();
        const one = await rememberOne(scope, newMemory('Keeps bees.', { vector: plane(1, 0, 0) }));
        const two = await change(scope, one, { importance: 0.1 });
        const three = await change(scope, two, { importance: 0.2 });
        const nearThen = async (): Promise<(number | null)[]> => {
          const moments = [one, two, three].map(({ updatedAt }) => updatedAt);
          const hits = await Promise.all(
            moments.map((asOf) => store.recall(scope, query({ vector: [1, 0, 0], asOf }))),
          );
          return hits.map(([hit]) => hit?.distance ?? null);
        };
        const vectors = () => Promise.all([1, 2].map((version) => store.revisionVector(scope, one.id, version)));
        assert.deepEqual(await nearThen(), [0, 0, 0]);
        assert.deepEqual(await vectors(), [plane(1, 0, 0), plane(1, 0, 0)]);
        const four = await change(scope, three, { text: newText('Keeps goats.', plane(0, 1, 0)) });
        assert.deepEqual(await nearThen(), [0, 0, 0]);
        await remove(scope, four);
        assert.deepEqual(await nearThen(), [0, 0, 0]);
        assert.deepEqual(await vectors(), [plane(1, 0, 0), plane(1, 0, 0)]);
        assert.deepEqual(await store.revisionVector(scope, one.id, 4), plane(0, 1, 0));
        for (const [id, version] of [
          [one.id, 5],
          [randomUUID(), 1],
          ['no id', 1],
        ] as const) {
          assert.equal(await store.revisionVector(scope, id, version), null);
        }
        assert.equal(await store.revisionVector(newScope(), one.id, 1), null);
      });

      it('keeps that vector where the text changes twice in one transaction', async () => {
        const scope = newScope();
        const one = await rememberOne(scope, newMemory('Keeps bees.', { vector: plane(1, 0, 0) }));
        await store.write(scope, async (writer) => {
          const two = await writer.update(one, { importance: 0.1 }, { endedBy: 'update' });
          await writer.update(two, { text: newText('Keeps goats.', plane(0, 1, 0)) }, { endedBy: 'update' });
        });
        assert.deepEqual(await store.revisionVector(scope, one.id, 1), plane(1, 0, 0));
      });

      it('never gives a text the vector of another', async () => {
        const scope = newScope();
        const one = await rememberOne(scope, newMemory('Keeps bees.', { vector: null }));
        const two = await change(scope, one, { importance: 0.1 });
        const three = await change(scope, two, { text: newText('Keeps goats.') });
        const vectors = () => Promise.all([1, 2].map((version) => store.revisionVector(scope, one.id, version)));
        assert.deepEqual(await vectors(), [null, null]);
        await change(scope, three, { text: newText('Keeps llamas.') });
        assert.deepEqual(await vectors(), [null, null]);
        const hits = await store.recall(scope, query({ vector: [1, 0, 0], asOf: one.updatedAt }));
        assert.deepEqual(
          hits.map(({ distance }) => distance),
          [null],
        );
      });

      it('counts the states that have no vector of a space, which words still find', async () => {
        const scope = newScope();
        const other = { space: 'other:model:3', values: [1, 0, 0] };
        const old = await rememberOne(scope, newMemory('Keeps bees.', { vector: other }));
        const { updatedAt } = await change(scope, old, { text: newText('Keeps goats.') });
        await remember(scope, newMemory('Paints.', { vector: null }));
        const then = before(updatedAt);
        assert.equal(await store.withoutVector(scope, { space: SPACE, asOf: then }), 1);
        assert.equal(await store.withoutVector(scope, { space: other.space, asOf: then }), 0);
        assert.equal(await store.withoutVector(scope, { space: SPACE, asOf: updatedAt }), 0);
        assert.equal(await store.withoutVector(scope, { space: SPACE, asOf: new Date('9999-01-01') }), 1);
        const [hit] = await store.recall(scope, query({ words: 'bees', vector: [1, 0, 0], asOf: then }));
        assert.deepEqual([hit?.memory.content, hit?.distance, hit?.coverage], ['Keeps bees.', null, 1]);
      });

      it('applies the expiry of that moment', async () => {
        const scope = newScope();
        const expiresAt = new Date(Date.now() + 3_600_000);
        const memory = await rememberOne(scope, newMemory('Is in Lisbon.', { expiresAt }));
        const at = async (asOf: Date): Promise<number[]> => [
          (await store.get(scope, memory.id, asOf)) ? 1 : 0,
          (await store.list(scope, { limit: 5, asOf })).totalCount,
          (await store.recall(scope, query({ words: 'Lisbon', asOf }))).length,
        ];
        assert.deepEqual(await at(before(expiresAt)), [1, 1, 1]);
        assert.deepEqual(await at(expiresAt), [0, 0, 0]);
        // Cleared later: the old state still ended when it said it would.
        const cleared = await change(scope, memory, { expiresAt: null });
        assert.deepEqual(await at(expiresAt), [1, 1, 1]);
        assert.deepEqual((await store.history(scope, cleared.id))[0]?.expiresAt, expiresAt);
      });

      it('goes through its pages once, whatever happens meanwhile', async () => {
        const scope = newScope();
        const memories: Memory[] = [];
        for (let n = 0; n < 3; n += 1) {
          memories.push(...(await remember(scope, newMemory(`Sentence ${n}-a.`), newMemory(`Sentence ${n}-b.`))));
        }
        const [first0, , second0] = memories;
        assert.ok(first0 && second0);
        await change(scope, second0, { text: newText('Reworded before.') });
        const asOf = (await change(scope, first0, { importance: 1 })).updatedAt;
        const whole = (await store.list(scope, { limit: 50, asOf })).memories;
        assert.equal(whole.length, 6);
        const seen: Memory[] = [];
        let after: MemoryPosition | undefined;
        for (let page = 0; page < 3; page += 1) {
          const listed = await store.list(scope, { limit: 2, asOf, ...(after && { after }) });
          assert.deepEqual([listed.totalCount, listed.hasNextPage], [6, page < 2]);
          seen.push(...listed.memories);
          after = listed.memories.at(-1);
          for (const memory of (await store.list(scope, { limit: 2 })).memories) await remove(scope, memory);
          await remember(scope, newMemory(`Newer ${page}.`));
        }
        assert.deepEqual(seen, whole);
        assert.deepEqual((await store.list(scope, { limit: 50, asOf })).memories, whole);
      });

      it('filters as the present does', async () => {
        const scope = newScope();
        const old = await rememberOne(scope, newMemory('Keeps bees.', { kind: 'goal', metadata: { tag: 'a' } }));
        const { updatedAt } = await change(scope, old, { kind: 'fact', metadata: { tag: 'b' } });
        for (const [asOf, kind, tag] of [
          [before(updatedAt), 'goal', 'a'],
          [updatedAt, 'fact', 'b'],
        ] as const) {
          for (const wanted of ['goal', 'fact'] as const) {
            const count = wanted === kind ? 1 : 0;
            assert.equal((await store.list(scope, { limit: 5, kinds: [wanted], asOf })).totalCount, count);
            assert.equal((await store.recall(scope, query({ words: 'bees', kinds: [wanted], asOf }))).length, count);
          }
          const hits = await store.recall(scope, query({ words: 'bees', metadata: { tag }, asOf }));
          assert.deepEqual(hits[0]?.memory.metadata, { tag });
        }
      });

      it('tells the ended states of a memory, oldest first, also once it is forgotten', async () => {
        const scope = newScope();
        const expiresAt = new Date(Date.now() + 3_600_000);
        const attributes = {
          kind: 'goal',
          importance: 0.25,
          metadata: { a: 1 },
          source: 'observed',
          expiresAt,
        } as const;
        const one = await rememberOne(scope, newMemory('Wants a boat.', attributes));
        assert.deepEqual(await store.history(scope, one.id), []);
        const two = await change(scope, one, { importance: 0.5 }, { endedBy: 'update', turnId: 'turn-7' });
        const mergedInto = randomUUID();
        await remove(scope, two, { endedBy: 'merge', mergedInto });
        const [first1, second, ...more] = await store.history(scope, one.id);
        assert.equal(more.length, 0);
        assert.deepEqual(first1, {
          memoryId: one.id,
          version: 1,
          content: 'Wants a boat.',
          ...attributes,
          validFrom: one.updatedAt,
          validTo: two.updatedAt,
          endedBy: 'update',
          turnId: 'turn-7',
          mergedInto: null,
          createdAt: one.createdAt,
        });
        assert.deepEqual(
          [second?.version, second?.importance, second?.endedBy, second?.turnId, second?.mergedInto],
          [2, 0.5, 'merge', null, mergedInto],
        );
        assert.deepEqual(await store.write(scope, (writer) => writer.history(one.id)), [first1, second]);
        const other = await rememberOne(scope, newMemory('Paints.'));
        await change(scope, other, { importance: 1 });
        const told = await store.histories(scope, [other.id, randomUUID(), one.id, '%', one.id]);
        for (const id of [one.id, other.id]) {
          const own = told.filter(({ memoryId }) => memoryId === id);
          assert.deepEqual(own, await store.history(scope, id));
        }
        assert.equal(told.length, 3);
        assert.deepEqual(await store.histories(scope, []), []);
        const foreign = { tenantId: scope.tenantId, scope: `${scope.scope}0` };
        for (const [from, id] of [
          [foreign, one.id],
          [newScope(), one.id],
          [scope, randomUUID()],
          [scope, ''],
          [scope, '%'],
        ] as const) {
          assert.deepEqual(await store.history(from, id), []);
          assert.deepEqual(await store.histories(from, [id]), []);
          assert.equal(await store.get(from, id, one.updatedAt), null);
        }
        assert.equal((await store.list(foreign, { limit: 5, asOf: one.updatedAt })).totalCount, 0);
        assert.deepEqual(
          await store.recall(foreign, query({ words: 'boat', vector: [1, 0, 0], asOf: one.updatedAt })),
          [],
        );
      });

      it('is not changed by a transaction that came to nothing', async () => {
        const scope = newScope();
        const one = await rememberOne(scope, newMemory('Keeps bees.'));
        const two = await change(scope, one, { importance: 1 });
        const history = await store.history(scope, one.id);
        await assert.rejects(
          store.write(scope, async (writer) => {
            await writer.remove(two, { endedBy: 'forget' });
            await writer.dropRevisions({ memoryId: one.id });
            throw new Error('a fault of the caller');
          }),
        );
        assert.deepEqual(await store.history(scope, one.id), history);
      });

      it('keeps the latest 20 states of a memory, and the vector that they share', async () => {
        const scope = newScope();
        const other = await rememberOne(scope, newMemory('Paints.'));
        await change(scope, other, { importance: 1 });
        let memory = await rememberOne(scope, newMemory('Keeps bees.'));
        for (let n = 1; n <= 24; n += 1) memory = await change(scope, memory, { importance: n / 100 });
        await remove(scope, memory);
        const kept = await store.history(scope, memory.id);
        assert.deepEqual(
          kept.map(({ version }) => version),
          Array.from({ length: 20 }, (_, n) => n + 6),
        );
        assert.deepEqual(await store.revisionVector(scope, memory.id, 6), plane(1, 0, 0));
        assert.equal((await store.history(scope, other.id)).length, 1);
      });

      it('can be dropped, of one memory or from its beginning on', async () => {
        const scope = newScope();
        const foreign = { tenantId: scope.tenantId, scope: 'user:420' };
        const [one, two] = [
          await rememberOne(scope, newMemory('Keeps bees.')),
          await rememberOne(scope, newMemory('Paints.')),
        ];
        const theirs = await rememberOne(foreign, newMemory('Keeps bees.', { id: two.id }));
        await change(foreign, theirs, { importance: 1 });
        const middle = await change(scope, one, { importance: 1 });
        const last = await change(scope, two, { importance: 1 });
        await remove(scope, last);
        const versions = async (): Promise<number[]> => [
          (await store.history(scope, one.id)).length,
          (await store.history(scope, two.id)).length,
          (await store.history(foreign, two.id)).length,
        ];
        const drop = (which: { memoryId: string } | { endedBefore: Date; limit: number }) =>
          store.write(scope, (writer) => writer.dropRevisions(which));
        assert.deepEqual(await versions(), [1, 2, 1]);
        assert.equal(await drop({ endedBefore: middle.updatedAt, limit: 10 }), 0);
        assert.equal(await drop({ endedBefore: new Date('9999-01-01'), limit: 1 }), 1);
        assert.deepEqual(await versions(), [0, 2, 1]);
        for (const [memoryId, dropped] of [
          [randomUUID(), 0],
          ['no id', 0],
          [two.id, 2],
        ] as const) {
          assert.equal(await drop({ memoryId }), dropped);
        }
        assert.deepEqual(await versions(), [0, 0, 1]);
      });

      it('takes in what has expired, with the end that it was given', async () => {
        const scope = newScope();
        const expiresAt = new Date(Date.now() + 1_000);
        const soon = await rememberOne(scope, newMemory('Is in Lisbon.', { expiresAt }));
        const past = await rememberOne(scope, newMemory('Was in Rome.', { expiresAt: new Date('2001-01-01') }));
        await remember(scope, newMemory('Stays.'), newMemory('Long.', { expiresAt: new Date('9999-01-01') }));
        while (Date.now() <= expiresAt.getTime()) await new Promise((resolve) => setTimeout(resolve, 10));
        const due = async (revisionsEndedBefore: Date | null) =>
          (await store.dueForUpkeep({ revisionsEndedBefore, limit: 1_000 })).filter(
            ({ tenantId }) => tenantId === scope.tenantId,
          );
        assert.deepEqual(await due(null), [scope]);
        await store.write(scope, async (writer) => {
          assert.deepEqual(await writer.findExpired({ ids: [randomUUID(), 'no id'], limit: 5 }), []);
          assert.deepEqual(
            (await writer.findExpired({ ids: [past.id], limit: 5 })).map(({ id }) => id),
            [past.id],
          );
          assert.equal((await writer.findExpired({ limit: 1 })).length, 1);
          const expired = await writer.findExpired({ limit: 5 });
          assert.deepEqual(
            expired.map(({ id }) => id),
            [soon.id, past.id].sort(),
          );
          for (const memory of expired) await writer.remove(memory, { endedBy: 'expire' });
        });
        assert.deepEqual(await due(null), []);
        assert.deepEqual(await due(new Date('2000-01-01')), []);
        assert.deepEqual(await due(new Date('9999-01-01')), [scope]);
        const [ended] = await store.history(scope, soon.id);
        assert.deepEqual([ended?.validTo, ended?.endedBy], [expiresAt, 'expire']);
        // One that never held has the shortest span there is, and no moment shows it.
        const [never] = await store.history(scope, past.id);
        assert.deepEqual(never?.validTo, new Date(past.updatedAt.getTime() + 1));
        assert.equal(await store.get(scope, past.id, past.updatedAt), null);
        assert.equal((await store.get(scope, soon.id, before(expiresAt)))?.id, soon.id);
      });

      it('lets a memory come back under its id, its beginning and its next version', async () => {
        const scope = newScope();
        const one = await rememberOne(scope, newMemory('Keeps bees.'));
        await remove(scope, one);
        const gone = (await store.history(scope, one.id))[0]?.validTo;
        assert.ok(gone);
        const back = await rememberOne(
          scope,
          newMemory('Keeps bees.', { id: one.id, createdAt: one.createdAt, version: 2 }),
        );
        assert.deepEqual([back.id, back.version, back.createdAt], [one.id, 2, one.createdAt]);
        assert.ok(back.updatedAt > gone);
        assert.equal(await store.get(scope, one.id, gone), null);
        assert.equal((await store.get(scope, one.id, one.updatedAt))?.version, 1);
        assert.equal((await store.get(scope, one.id, back.updatedAt))?.version, 2);
      });
    });

    describe('the figures', () => {
      it('count live memories by kind', async () => {
        const scope = newScope();
        assert.deepEqual(await store.stats(scope, SPACE), {
          total: 0,
          byKind: { fact: 0, preference: 0, goal: 0, instruction: 0, episodic: 0 },
          staleEmbeddings: 0,
          pendingTurns: 0,
          deadTurns: 0,
        });
        await remember(
          scope,
          newMemory('One.'),
          newMemory('Two.'),
          newMemory('Three.', { kind: 'goal', vector: null }),
        );
        const stats = await store.stats(scope, SPACE);
        assert.deepEqual([stats.total, stats.byKind.fact, stats.byKind.goal, stats.staleEmbeddings], [3, 2, 1, 1]);
        assert.equal((await store.stats(scope, null)).staleEmbeddings, 0);
      });
    });
  });
}

function newScope(scope = 'user:42'): Scope {
  return { tenantId: randomUUID(), scope };
}

function plane(x: number, y: number, z: number): SpaceVector {
  return { space: SPACE, values: [x, y, z] };
}

function newText(content: string, vector: SpaceVector = plane(1, 0, 0)) {
  return { content, contentHash: contentHash(content), searchText: searchText(content), vector };
}

function newMemory(content: string, rest: Partial<NewMemory> = {}): NewMemory {
  return {
    id: randomUUID(),
    ...newText(content),
    kind: 'fact',
    importance: 0.5,
    metadata: {},
    source: 'manual',
    turnId: null,
    messageNo: null,
    evidenceAt: null,
    expiresAt: null,
    ...rest,
  };
}

function newTurn(generation: string, rest: Partial<NewTurn>): NewTurn {
  return {
    turnId: randomUUID(),
    messages: [{ role: 'user', content: 'I keep bees.' }],
    messagesHash: hashOf('I keep bees.'),
    occurredAt: null,
    timeZone: null,
    generation,
    ...rest,
  };
}

/** Without thresholds: whatever has a score enters. */
function query(
  of: { words?: string; vector?: readonly number[] } & Partial<Omit<RecallQuery, 'vector' | 'searchText'>>,
): RecallQuery {
  const { words = '', vector, ...rest } = of;
  return {
    searchText: searchText(words),
    vector: vector ? { space: SPACE, values: vector } : null,
    mode: 'hybrid',
    limit: 10,
    denseWeight: 0.5,
    maxDistance: null,
    minCoverage: null,
    minScore: null,
    ...rest,
  };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function first<T>(values: readonly T[]): T {
  assert.ok(values.length > 0);
  return values[0] as T;
}

function near(actual: number | null | undefined, expected: number): void {
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) < 1e-5,
    `${String(actual)} is not near ${expected}`,
  );
}

/** Numbers in -1..1, the same on every run (the generator of Numerical Recipes, chapter 7). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function cosineDistance(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
  return 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
