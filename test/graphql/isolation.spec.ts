import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApolloFederationDriver } from '@nestjs/apollo';
import { extracted } from '../memory/memory-app.js';
import { FIELDS } from './fields.js';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp, Platform } from './graphql-app.js';

const ADD = 'mutation ($input: AddMemoryInput!) { addMemory(input: $input) { memory { id } } }';

describe.each<Platform>(['express', 'fastify'])('isolation over GraphQL on %s', (platform) => {
  let host: GraphQLApp;
  let id: string;

  beforeAll(async () => {
    host = await graphqlApp({
      platform,
      host: { driver: ApolloFederationDriver, autoSchemaFile: { federation: 2 } },
    });
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
      `{ __schema {
        queryType { fields { name } } mutationType { fields { name } } subscriptionType { fields { name } }
        types { name kind fields { name args { name } } }
      } }`,
    );
    const { queryType, mutationType, subscriptionType, types } = data?.['__schema'] as Record<
      'queryType' | 'mutationType' | 'subscriptionType',
      { fields: { name: string }[] }
    > & { types: { name: string; fields: { name: string; args: unknown[] }[] | null }[] };
    const names = [queryType, mutationType].flatMap(({ fields }) => fields.map(({ name }) => name));
    // `_service` is the text of the schema, and no data.
    expect(names.sort()).toEqual([...Object.keys(FIELDS), '_entities', '_service'].sort());
    // Tried in subscriptions.spec.ts.
    expect(subscriptionType.fields.map(({ name }) => name)).toEqual(['memoryEvents']);
    // Below the root no field takes an argument: there is nothing to ask for but what the root gave.
    const below = types.filter(
      ({ name }) => !name.startsWith('__') && !['Query', 'Mutation', 'Subscription'].includes(name),
    );
    expect(below.flatMap(({ fields }) => fields ?? []).filter(({ args }) => args.length > 0)).toEqual([]);
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

  const NOBODY = '01a22a2b-b2dc-73a7-9a11-e6993a003e7d';
  const ENTITY = (probe: string): string =>
    `{ _entities(representations: [{ __typename: "Memory", id: "${probe}" }]) { ... on Memory { content } } }`;

  it.each(Object.keys(FIELDS))('answers a stranger who asks %s as it answers nonsense', async (field) => {
    const stranger = host.as('acme/10');
    const ask = async (probe: string, scope: string, turn: string): Promise<string> =>
      (await stranger(FIELDS[field]?.(probe, scope, turn) ?? '')).text;
    const nonsense = await ask(NOBODY, 'scope: "nobody"', 'no turn');
    for (const scope of ['user:1', 'user:10\\u0000', 'nobody at all']) {
      expect(await ask(id, `scope: "${scope}"`, 'turn')).toBe(nonsense);
    }
    if (/[iI]d: /.test(FIELDS[field]?.(id, '') ?? '')) {
      expect(await ask(id, 'scope: null', 'turn')).toBe(await ask(NOBODY, 'scope: null', 'no turn'));
    }
  });

  it('answers a stranger who refers to a memory as it answers nonsense', async () => {
    expect((await host.as('acme/1')(ENTITY(id))).data).toEqual({
      _entities: [{ content: 'Buried a treasure on the beach' }],
    });
    for (const caller of ['acme/10', 'acme/%', 'acm/1', 'other/1']) {
      const { text } = await host.as(caller)(ENTITY(id));
      for (const probe of [NOBODY, '', 'x', `${id} `, '%'])
        expect((await host.as(caller)(ENTITY(probe))).text).toBe(text);
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
