import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scope } from '../../src/model/scope.js';
import type { NewMemory, RecallQuery } from '../../src/storage/memory-store.js';
import * as samples from '../../src/testing/memory-store-contract/samples.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

let scope: Scope;

/** The larger the place, the farther from the query below. */
function memoryAt(place: number, word: string, rest: Partial<NewMemory> = {}): NewMemory {
  const angle = (place / 1_000) * (Math.PI / 2);
  return samples.newMemory(`Keeps a ${word} in box ${place}.`, {
    vector: samples.plane(Math.cos(angle), Math.sin(angle), 0),
    ...rest,
  });
}

const query: RecallQuery = samples.query({ words: 'zebra', vector: [1, 0, 0] });
const rough: RecallQuery = { ...query, approximate: true };

// Real: Postgres (embedded or native), TypeORM's pool. Vectors are made.
describe('an approximate query in a scope without an index', () => {
  let subject: PostgresStoreUnderTest;
  beforeAll(async () => {
    subject = await openPostgresStore();
    await subject.store.start();
  });
  afterAll(() => subject.close());
  beforeEach(() => {
    scope = samples.newScope();
  });

  const insert = (memories: readonly NewMemory[]) => subject.store.write(scope, (writer) => writer.insert(memories));
  const contents = async (asked: RecallQuery): Promise<string[]> =>
    (await subject.store.recall(scope, asked)).map(({ memory }) => memory.content);

  it('is answered as exactly as any other where the scope is small', async () => {
    const words = ['kettle', 'zebra', 'lamp'];
    await insert(Array.from({ length: 200 }, (_, n) => memoryAt((n * 37) % 1_000, words[n % 3] ?? '')));
    const hits = await subject.store.recall(scope, rough);
    expect(hits).toHaveLength(10);
    expect(hits).toEqual(await subject.store.recall(scope, query));
  });

  it('weighs words for the nearest only where the scope is large, and the same under a lock', async () => {
    const words = new Map([
      [150, 'zebra'],
      [700, 'zebra'],
    ]);
    await insert(Array.from({ length: 500 }, (_, n) => memoryAt(n * 2, words.get(n * 2) ?? 'kettle')));
    const [first, second, ...exact] = await contents(query);
    expect([first, second]).toEqual(['Keeps a zebra in box 150.', 'Keeps a zebra in box 700.']);
    const [near, ...others] = await contents(rough);
    expect(near).toBe(first);
    expect(others.slice(0, 8)).toEqual(exact);
    const locked = await subject.store.write(scope, (writer) => writer.recall(rough));
    expect(locked.map(({ memory }) => memory.content)).toEqual([near, ...others]);
  });

  it('passes over what has expired, and what a filter leaves out, before it counts the nearest', async () => {
    const gone = { expiresAt: new Date(Date.now() - 60_000) };
    await insert([
      ...Array.from({ length: 250 }, (_, n) => memoryAt(n, 'zebra', gone)),
      ...Array.from({ length: 250 }, (_, n) => memoryAt(250 + n, 'zebra', { kind: 'goal' })),
      memoryAt(900, 'zebra'),
    ]);
    expect(await contents({ ...rough, kinds: ['fact'] })).toEqual(['Keeps a zebra in box 900.']);
    expect(await contents({ ...rough, kinds: ['goal'] })).toHaveLength(10);
  });

  it('reaches by its words what has no vector, or one of another model', async () => {
    await insert([
      ...Array.from({ length: 300 }, (_, n) => memoryAt(n, 'kettle')),
      samples.newMemory('Has seen a zebra.', { vector: null }),
      samples.newMemory('Has fed a zebra.', { vector: { space: 'test:older:3', values: [1, 0, 0] } }),
    ]);
    const found = await contents(rough);
    expect(found).toEqual(expect.arrayContaining(['Has seen a zebra.', 'Has fed a zebra.']));
  });

  it('finds nothing once memory is switched off', async () => {
    await insert([memoryAt(1, 'zebra')]);
    await subject.store.setEnabled(scope, false);
    expect(await contents(rough)).toEqual([]);
  });
});
