import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProviderError } from 'nestjs-engram';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';

const ADD = 'mutation ($content: String!) { addMemory(input: { content: $content }) { memory { id createdAt } } }';
const HISTORY = `query ($id: ID!, $scope: String) {
  memoryHistory(id: $id, scope: $scope) { version content kind importance validFrom validTo endedBy }
}`;
const RESTORE = `mutation ($id: ID!, $version: Int!, $scope: String) {
  restoreMemory(id: $id, version: $version, scope: $scope) { id content version }
}`;

describe('the past over GraphQL', () => {
  let app: GraphQLApp;
  let ana: ReturnType<GraphQLApp['as']>;
  let eve: ReturnType<GraphQLApp['as']>;
  beforeAll(async () => {
    app = await graphqlApp({ store: new InMemoryMemoryStore() });
    ana = app.as('acme/ana');
    eve = app.as('acme/eve');
  });
  afterAll(() => app.close());

  async function add(content: string): Promise<{ id: string; createdAt: string }> {
    const { data } = await ana(ADD, { content });
    return (data?.['addMemory'] as { memory: { id: string; createdAt: string } }).memory;
  }

  it('tells what a memory was, brings it back, and recalls what held at a moment', async () => {
    const { id, createdAt } = await add('Is on the Pro plan');
    await ana(
      'mutation ($id: ID!) { updateMemory(input: { id: $id, content: "Is on the Enterprise plan" }) { memory { id } } }',
      { id },
    );
    const { data } = await ana(HISTORY, { id });
    expect(data?.['memoryHistory']).toEqual([
      expect.objectContaining({ version: 1, content: 'Is on the Pro plan', kind: 'FACT', endedBy: 'UPDATE' }),
    ]);
    const past = await ana('query ($at: DateTime) { recall(query: "Pro plan", asOf: $at) { memory { content } } }', {
      at: createdAt,
    });
    expect(past.data?.['recall']).toEqual([{ memory: { content: 'Is on the Pro plan' } }]);
    const restored = await ana(RESTORE, { id, version: 1 });
    expect(restored.data?.['restoreMemory']).toEqual({ id, content: 'Is on the Pro plan', version: 3 });
  });

  it('tells from its expiry on what has expired', async () => {
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    const { data } = await ana(
      'mutation ($expiresAt: DateTime) { addMemory(input: { content: "Is in Lisbon", expiresAt: $expiresAt }) { memory { id } } }',
      { expiresAt },
    );
    const { id } = (data?.['addMemory'] as { memory: { id: string } }).memory;
    while (Date.now() <= Date.parse(expiresAt)) await new Promise((resolve) => setTimeout(resolve, 10));
    const history = (await ana(HISTORY, { id })).data?.['memoryHistory'];
    expect(history).toEqual([
      expect.objectContaining({ version: 1, content: 'Is in Lisbon', validTo: expiresAt, endedBy: 'EXPIRE' }),
    ]);
  });

  it('answers a stranger as it answers nonsense', async () => {
    const { id } = await add('Has a secret garden');
    await ana('mutation ($id: ID!) { forgetMemory(id: $id) }', { id });
    const nonsense = '01890000-0000-7000-8000-000000000000';
    for (const [query, variables] of [
      [HISTORY, {}],
      [RESTORE, { version: 1 }],
    ] as const) {
      const foreign = await eve(query, { ...variables, id });
      expect(foreign.text).toBe((await eve(query, { ...variables, id: nonsense })).text);
      const scoped = await eve(query, { ...variables, id, scope: 'user:ana' });
      expect(scoped.text).toBe((await eve(query, { ...variables, id, scope: 'user:nobody' })).text);
      expect(scoped.errors[0]?.extensions['code']).toBe('FORBIDDEN');
    }
  });

  it('forgets what has been of no use, and checks the figures that it is given', async () => {
    await add('Collects stamps');
    const none = await ana('mutation { forgetStaleMemories(olderThanDays: 30) }');
    expect(none.data).toEqual({ forgetStaleMemories: 0 });
    const bad = await ana('mutation { forgetStaleMemories(olderThanDays: -1) }');
    expect(bad.errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'olderThanDays' });
  });

  it('tries a failed turn again, and knows none of anybody else', async () => {
    app.completion.answer(
      () => Promise.reject(new ProviderError('scripted', 'refused', false, 'It does not take this request.')),
      '{"memories": ["Is vegetarian"]}',
    );
    const turn =
      'mutation { observe(input: { turnId: "t", messages: [{ role: USER, content: "I am vegetarian" }] }) { status } }';
    expect((await ana(turn)).data).toEqual({ observe: { status: 'DEAD' } });
    const retry = 'mutation { retryObservation(turnId: "t") { turnId status } }';
    expect((await eve(retry)).errors[0]?.extensions['code']).toBe('NOT_FOUND');
    expect((await ana(retry)).data).toEqual({ retryObservation: { turnId: 't', status: 'PENDING' } });
  });
});
