import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { extracted } from '../memory/memory-app.js';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';
import { until } from '../support/until.js';

const ADD = `mutation ($input: AddMemoryInput!) {
  addMemory(input: $input) {
    memory { id content kind importance metadata source version createdAt updatedAt expiresAt lastAccessedAt accessCount }
    rejection { reason message }
  }
}`;
const UPDATE = `mutation ($input: UpdateMemoryInput!) {
  updateMemory(input: $input) { memory { content kind importance metadata version expiresAt } rejection { reason } }
}`;

describe('memories over GraphQL', () => {
  let host: GraphQLApp;
  let ada: ReturnType<GraphQLApp['as']>;

  beforeAll(async () => {
    host = await graphqlApp();
    ada = host.as('acme/ada');
  });
  afterAll(() => host.close());

  const add = async (input: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { data, errors } = await ada(ADD, { input });
    expect(errors).toEqual([]);
    return (data?.['addMemory'] as { memory: Record<string, unknown> }).memory;
  };

  it('adds a memory with the defaults of the schema', async () => {
    expect(await add({ content: 'Deploys on Fly.io' })).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      content: 'Deploys on Fly.io',
      kind: 'FACT',
      importance: 0.5,
      metadata: {},
      source: 'MANUAL',
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: expect.any(String),
      expiresAt: null,
      lastAccessedAt: null,
      accessCount: 0,
    });
  });

  it('reads a null of an optional field as absent', async () => {
    const input = {
      content: 'Owns a tandem',
      kind: null,
      importance: null,
      metadata: null,
      expiresAt: null,
      scope: null,
    };
    expect(await add(input)).toMatchObject({ kind: 'FACT', importance: 0.5, metadata: {}, expiresAt: null });
  });

  it('keeps metadata as data, whatever its keys are called', async () => {
    const metadata = JSON.parse(
      '{"__proto__": {"kind": "goal"}, "kind": "goal", "id": "x", "tenantId": "evil", "n": {"deep": [1, "1"]}}',
    ) as object;
    const memory = await add({ content: 'Collects stamps', metadata });
    expect(JSON.stringify(memory['metadata'])).toContain('"__proto__"');
    expect(memory).toMatchObject({
      kind: 'FACT',
      metadata: { kind: 'goal', id: 'x', tenantId: 'evil', n: { deep: [1, '1'] } },
    });
  });

  it('recalls what matters, with its score, and by kind', async () => {
    await add({ content: 'Prefers the window seat', kind: 'PREFERENCE' });
    await add({ content: 'Repaired a window in March', kind: 'EPISODIC' });
    const query = `query ($kinds: [MemoryKind!], $mode: MemoryRecallMode) {
      recall(query: "window seat", kinds: $kinds, mode: $mode) { score distance keywordRank vectorRank memory { content kind } }
    }`;
    const { data } = await ada(query, { kinds: null, mode: null });
    const [first] = data?.['recall'] as Record<string, unknown>[];
    expect(first).toMatchObject({
      keywordRank: 1,
      vectorRank: 1,
      memory: { content: 'Prefers the window seat', kind: 'PREFERENCE' },
    });
    expect(first?.['score']).toBeGreaterThan(0.5);
    const episodic = await ada(query, { kinds: ['EPISODIC'], mode: 'KEYWORD' });
    expect(episodic.data?.['recall']).toMatchObject([
      { distance: null, vectorRank: null, memory: { kind: 'EPISODIC' } },
    ]);
  });

  it('gives the prompt block, and an empty one where nothing is relevant', async () => {
    const { data } = await ada(
      '{ block: memoryPrompt(query: "window seat", limit: 1) none: memoryPrompt(query: "quantum gravity") }',
    );
    expect(data?.['block']).toContain('<engram-memory kind="preference">Prefers the window seat</engram-memory>');
    expect(data?.['none']).toBe('');
  });

  it('changes only the fields that are given, and clears the expiry by null', async () => {
    const { id } = await add({
      content: 'Uses Vim',
      importance: 0.7,
      metadata: { a: 1 },
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
    const update = async (change: Record<string, unknown>): Promise<unknown> =>
      ((await ada(UPDATE, { input: { id, ...change } })).data?.['updateMemory'] as { memory: unknown }).memory;
    const before = {
      content: 'Uses Vim',
      kind: 'FACT',
      importance: 0.7,
      metadata: { a: 1 },
      version: 1,
      expiresAt: '2999-01-01T00:00:00.000Z',
    };
    expect(await update({ content: null, kind: null, importance: null, metadata: null })).toEqual(before);
    expect(await update({ content: 'Uses Helix' })).toEqual({ ...before, content: 'Uses Helix', version: 2 });
    expect(await update({ expiresAt: null })).toEqual({
      ...before,
      content: 'Uses Helix',
      version: 3,
      expiresAt: null,
    });
  });

  it('answers CONFLICT where a change would make two memories one', async () => {
    const { id } = await add({ content: 'Plays the cello' });
    await add({ content: 'Plays the viola' });
    const { errors } = await ada(UPDATE, { input: { id, content: 'plays the  VIOLA' } });
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  });

  it('forgets once, and says so', async () => {
    const { id } = await add({ content: 'Has a parrot' });
    const forget = 'mutation ($id: ID!) { forgetMemory(id: $id) }';
    expect((await ada(forget, { id })).data).toEqual({ forgetMemory: true });
    expect((await ada(forget, { id })).data).toEqual({ forgetMemory: false });
    expect((await ada('query ($id: ID!) { memory(id: $id) { id } }', { id })).data).toEqual({ memory: null });
  });

  it('pages through all memories once, newest first', async () => {
    const grace = host.as('acme/grace');
    for (let i = 0; i < 7; i += 1) await grace(ADD, { input: { content: `Counts to ${i}` } });
    const query = `query ($after: String) { memories(first: 3, after: $after) {
      totalCount edges { cursor node { content } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    const pages: string[][] = [];
    let after: string | null = null;
    for (let more = true; more;) {
      const { data } = await grace(query, { after });
      const page = data?.['memories'] as {
        totalCount: number;
        edges: { cursor: string; node: { content: string } }[];
        pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
      };
      expect(page.totalCount).toBe(7);
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
      expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor);
      pages.push(page.edges.map(({ node }) => node.content.slice(-1)));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(pages).toEqual([['6', '5', '4'], ['3', '2', '1'], ['0']]);
    const { data } = await grace('{ memories(search: "counts 3") { totalCount edges { node { content } } } }');
    expect(data?.['memories']).toEqual({ totalCount: 1, edges: [{ node: { content: 'Counts to 3' } }] });
  });

  it('finds in a search what is written with accents by words without them, and the other way round', async () => {
    const jose = host.as('acme/jose');
    for (const content of ['Trabaja en un café', 'Likes the Cafe Central']) {
      await jose(
        'mutation Add($content: String!) { addMemory(input: { content: $content }) { rejection { reason } } }',
        {
          content,
        },
      );
    }
    for (const search of ['cafe', 'café']) {
      const { data } = await jose('query Found($search: String) { memories(search: $search) { totalCount } }', {
        search,
      });
      expect(data?.['memories']).toEqual({ totalCount: 2 });
    }
  });

  it('observes a turn now, once', async () => {
    const linus = host.as('acme/linus');
    host.completion.answer(extracted('Lives in Portland'));
    const observe = `mutation { observe(input: { turnId: "t-1", messages: [{ role: USER, content: "I live in Portland." }] }) {
      turnId status duplicate error decisions { action memoryId } } }`;
    const { data } = await linus(observe);
    expect(data?.['observe']).toEqual({
      turnId: 't-1',
      status: 'APPLIED',
      duplicate: false,
      error: null,
      decisions: [{ action: 'ADD', memoryId: expect.any(String) }],
    });
    expect((await linus(observe)).data?.['observe']).toMatchObject({ status: 'APPLIED', duplicate: true });
    expect((await linus('{ memories { edges { node { content source } } } }')).data).toEqual({
      memories: { edges: [{ node: { content: 'Lives in Portland', source: 'OBSERVED' } }] },
    });
    const other = observe.replace('Portland', 'Oslo');
    expect((await linus(other)).errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  });

  it('observes a turn later, and says where it stands', async () => {
    const margaret = host.as('acme/margaret');
    host.completion.answer(extracted('Is a pilot'));
    const { data } = await margaret(
      'mutation { observeLater(input: { turnId: "t-2", messages: [{ role: USER, content: "I am a pilot." }] }) { turnId status } }',
    );
    expect(data?.['observeLater']).toEqual({ turnId: 't-2', status: 'PENDING' });
    const stands = async (): Promise<unknown> =>
      (await margaret('{ observation(turnId: "t-2") { status } }')).data?.['observation'];
    await until(async () => JSON.stringify(await stands()) === '{"status":"APPLIED"}');
    expect((await margaret('{ observation(turnId: "t-3") { status } }')).data).toEqual({ observation: null });
  });
});
