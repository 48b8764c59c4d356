import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { extracted } from '../memory/memory-app.js';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp, Platform } from './graphql-app.js';

const ADD = 'mutation ($input: AddMemoryInput!) { addMemory(input: $input) { memory { id } } }';

/** Every field with a scope argument; `id` and `turn` are those of somebody else. */
const FIELDS: Record<string, (id: string, scope: string) => string> = {
  memoryHistory: (id, scope) => `{ memoryHistory(id: "${id}", ${scope}) { content } }`,
  restoreMemory: (id, scope) => `mutation { restoreMemory(id: "${id}", version: 1, ${scope}) { id } }`,
  forgetStaleMemories: (_id, scope) => `mutation { forgetStaleMemories(olderThanDays: 0, ${scope}) }`,
  retryObservation: (_id, scope) => `mutation { retryObservation(turnId: "turn", ${scope}) { status } }`,
  memories: (_, scope) => `{ memories(${scope}) { totalCount } }`,
  memory: (id, scope) => `{ memory(id: "${id}", ${scope}) { id } }`,
  recall: (_, scope) => `{ recall(query: "treasure", ${scope}) { score } }`,
  memoryPrompt: (_, scope) => `{ memoryPrompt(query: "treasure", ${scope}) }`,
  observation: (_, scope) => `{ observation(turnId: "turn", ${scope}) { status } }`,
  memorySettings: (_, scope) => `{ memorySettings(${scope}) { enabled } }`,
  memoryStats: (_, scope) => `{ memoryStats(${scope}) { total } }`,
  setMemoryEnabled: (_, scope) => `mutation { setMemoryEnabled(enabled: false, ${scope}) { enabled } }`,
  forgetAllMemories: (_, scope) => `mutation { forgetAllMemories(${scope}) { memories } }`,
  addMemory: (_, scope) => `mutation { addMemory(input: { content: "Was here", ${scope} }) { memory { id } } }`,
  updateMemory: (id, scope) =>
    `mutation { updateMemory(input: { id: "${id}", importance: 1, ${scope} }) { memory { id } } }`,
  forgetMemory: (id, scope) => `mutation { forgetMemory(id: "${id}", ${scope}) }`,
  observe: (_, scope) =>
    `mutation { observe(input: { messages: [{ role: USER, content: "x" }], ${scope} }) { status } }`,
  observeLater: (_, scope) =>
    `mutation { observeLater(input: { messages: [{ role: USER, content: "x" }], ${scope} }) { status } }`,
};

describe.each<Platform>(['express', 'fastify'])('isolation over GraphQL on %s', (platform) => {
  let host: GraphQLApp;
  let id: string;

  beforeAll(async () => {
    host = await graphqlApp({ platform });
    const owner = host.as('acme/1');
    const { data } = await owner(ADD, { input: { content: 'Buried a treasure on the beach' } });
    id = (data?.['addMemory'] as { memory: { id: string } }).memory.id;
    host.completion.answer(extracted());
    await owner(
      'mutation { observe(input: { turnId: "turn", messages: [{ role: USER, content: "Nothing to keep here today." }] }) { status } }',
    );
  });
  afterAll(() => host.close());

  it('tries every field of the schema', async () => {
    const { data } = await host.as('acme/1')(
      '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
    );
    const { queryType, mutationType } = data?.['__schema'] as Record<string, { fields: { name: string }[] }>;
    const names = [queryType, mutationType].flatMap((type) => type?.fields.map(({ name }) => name) ?? []);
    expect(names.sort()).toEqual(Object.keys(FIELDS).sort());
  });

  it.each(Object.keys(FIELDS))('refuses %s without an identity', async (field) => {
    const { data, errors } = await host.as(null)(FIELDS[field]?.(id, 'scope: null') ?? '');
    expect(data?.[field] ?? null).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it.each(Object.keys(FIELDS))('refuses %s in a scope that the caller does not own', async (field) => {
    for (const scope of [
      'user:1',
      'user:',
      'user:%',
      'user:_',
      'user:10%',
      'user',
      '',
      ' ',
      '*',
      'USER:10',
      'user:10 ',
      'user:10\\u0000',
    ]) {
      const { data, errors } = await host.as('acme/10')(FIELDS[field]?.(id, `scope: "${scope}"`) ?? '');
      expect([scope, data?.[field] ?? null]).toEqual([scope, null]);
      expect([scope, errors.map(({ extensions }) => extensions['code'])]).toEqual([scope, ['FORBIDDEN']]);
    }
  });

  it('refuses a foreign scope in the same words whether it holds anything or not', async () => {
    const messages = await Promise.all(
      ['user:1', 'user:nobody-at-all'].map(
        async (scope) =>
          (await host.as('acme/10')(`{ memories(scope: "${scope}") { totalCount } }`)).errors[0]?.message,
      ),
    );
    expect(messages[0]).toBe(messages[1]);
  });

  it.each(['acme/10', 'acme/%', 'acme/_', 'acme/1%', 'acme/1 1', 'acme/\\', 'acm/1', 'acme1/1', 'a/cme', 'ACME/1'])(
    'shows %s nothing of acme/1, and treats its id as unknown',
    async (caller) => {
      const stranger = host.as(caller);
      const nothing = await stranger(
        '{ memories { totalCount } recall(query: "treasure on the beach") { score } memoryPrompt(query: "treasure") observation(turnId: "turn") { status } }',
      );
      expect(nothing.data).toEqual({ memories: { totalCount: 0 }, recall: [], memoryPrompt: '', observation: null });

      const unknown = '01a22a2b-b2dc-73a7-9a11-e6993a003e7d';
      for (const probe of [id, unknown]) {
        expect((await stranger(`{ memory(id: "${probe}") { id } }`)).data).toEqual({ memory: null });
        expect((await stranger(`mutation { forgetMemory(id: "${probe}") }`)).data).toEqual({ forgetMemory: false });
      }
      const update = async (probe: string): Promise<string> =>
        (
          await stranger(
            `mutation { updateMemory(input: { id: "${probe}", content: "Was taken over" }) { memory { id } } }`,
          )
        ).text;
      expect(await update(id)).toContain('NOT_FOUND');
      expect(await update(id)).toBe(await update(unknown));
      expect((await host.as('acme/1')(`{ memory(id: "${id}") { content } }`)).data).toEqual({
        memory: { content: 'Buried a treasure on the beach' },
      });
    },
  );

  it('gives each alias of one request the scope that was granted to it', async () => {
    const { data, errors } = await host.as('acme/1')(
      '{ mine: memories(scope: "user:1") { totalCount } theirs: memory(id: "x", scope: "user:10") { id } own: memories { totalCount } }',
    );
    expect(data).toMatchObject({ mine: { totalCount: 1 }, theirs: null, own: { totalCount: 1 } });
    expect(errors).toMatchObject([{ path: ['theirs'], extensions: { code: 'FORBIDDEN' } }]);
  });
});
