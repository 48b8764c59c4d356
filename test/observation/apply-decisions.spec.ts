import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import type { Decision } from '../../src/model/decision.js';
import { applyDecisions } from '../../src/observation/apply-decisions.js';
import type { AppliedDecisions } from '../../src/observation/apply-decisions.js';
import { newMemory } from '../support/new-memory.js';

const SCOPE = { tenantId: 'acme', scope: 'user:1' };
const VECTOR = { space: 'test:plane:2', values: [1, 0] };

describe('the decisions of a turn', () => {
  let store: InMemoryMemoryStore;
  beforeEach(async () => {
    store = new InMemoryMemoryStore();
    await store.start();
  });
  afterEach(() => store.stop());

  const known = async (content: string): Promise<string> => {
    const memory = newMemory(content);
    await store.write(SCOPE, (writer) => writer.insert([memory]));
    return memory.id;
  };
  const candidate = (content: string) => ({ content, kind: 'fact', importance: 0.5, messageNo: 0 }) as const;
  const add = (content: string): Decision => ({ action: 'add', candidate: candidate(content) });
  const update = (memoryId: string, content: string): Decision => {
    return { action: 'update', candidate: candidate(content), memoryId, content };
  };
  const forget = (memoryId: string): Decision => ({ action: 'forget', candidate: candidate('It is over'), memoryId });
  const apply = (...decisions: Decision[]): Promise<AppliedDecisions> =>
    store.write(SCOPE, (writer) =>
      applyDecisions(
        writer,
        // Said when it is applied: the store's own stamps run a millisecond ahead of the clock where writes follow at once.
        { turnId: 'a', saidAt: new Date(Date.now() + 60_000) },
        decisions.map((decision) => ({ decision, vector: VECTOR })),
      ),
    );
  const contents = async (): Promise<string[]> =>
    (await store.list(SCOPE, { limit: 10 })).memories.map(({ content }) => content).sort();

  it('forget before they update: a text that goes does not swallow the one that takes its place', async () => {
    const [pro, enterprise] = [await known('Is on the Pro plan'), await known('Is on the Enterprise plan')];
    const { applied } = await apply(update(pro, 'Is on the Enterprise plan'), forget(enterprise));
    expect(applied).toEqual([
      { action: 'update', memoryId: pro },
      { action: 'forget', memoryId: enterprise },
    ]);
    expect(await contents()).toEqual(['Is on the Enterprise plan']);
  });

  it('forget before they add: what is stated stays, under a new id', async () => {
    const old = await known('Owns a boat');
    const { applied } = await apply(add('Owns a boat'), forget(old));
    expect(applied).toEqual([
      { action: 'add', memoryId: expect.not.stringContaining(old) },
      { action: 'forget', memoryId: old },
    ]);
    expect(await contents()).toEqual(['Owns a boat']);
  });

  it('update before they add: a text that is left free is added anew', async () => {
    const home = await known('Lives in Porto');
    await apply(add('Lives in Porto'), update(home, 'Works in Porto'));
    expect(await contents()).toEqual(['Lives in Porto', 'Works in Porto']);
  });

  it('are told in the order in which they were made, whatever the order in which they are applied', async () => {
    const boat = await known('Owns a boat');
    const { applied } = await apply(add('Is vegan'), forget(boat), add('Runs'));
    expect(applied.map(({ action }) => action)).toEqual(['add', 'forget', 'add']);
  });
});
