import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FIELDS } from './fields.js';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';

const ADD =
  'mutation ($input: AddMemoryInput!) { addMemory(input: $input) { memory { id content } rejection { reason message } } }';
const OBSERVE = 'mutation ($input: ObserveMemoryInput!) { observe(input: $input) { status } }';

describe('bad input over GraphQL', () => {
  let host: GraphQLApp;
  let ada: ReturnType<GraphQLApp['as']>;

  beforeAll(async () => {
    host = await graphqlApp();
    ada = host.as('acme/ada');
  });
  afterAll(() => host.close());

  it.each<[string, Record<string, unknown>, string]>([
    ['a blank content', { content: ' \n\t ' }, 'content'],
    ['a content of format characters only', { content: '\u200b\u200d' }, 'content'],
    ['501 characters', { content: 'a'.repeat(501) }, 'content'],
    ['501 emoji', { content: '🦉'.repeat(501) }, 'content'],
    ['a NUL in the content', { content: 'Likes\u0000 tea' }, 'content'],
    ['a lone surrogate in the content', { content: 'Likes \ud83e tea' }, 'content'],
    ['importance 2', { content: 'Likes tea', importance: 2 }, 'importance'],
    ['importance -0.1', { content: 'Likes tea', importance: -0.1 }, 'importance'],
    ['a NUL in a key of the metadata', { content: 'Likes tea', metadata: { 'a\u0000': 1 } }, 'metadata'],
    ['metadata of 20 KB', { content: 'Likes tea', metadata: { a: 'x'.repeat(20_000) } }, 'metadata'],
    ['a date that is none', { content: 'Likes tea', expiresAt: 'tomorrow-ish' }, 'expiresAt'],
  ])('answers BAD_USER_INPUT with the field for %s, and stores nothing', async (_, input, field) => {
    const before = await host.count();
    const { data, errors, text } = await ada(ADD, { input });
    expect(data).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions['code']).toBe('BAD_USER_INPUT');
    expect(String(errors[0]?.extensions['field'])).toContain(field);
    expect(errors[0]?.message).toContain(field);
    expect(text).not.toContain('Likes');
    expect(await host.count()).toBe(before);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an unknown kind', { content: 'Likes tea', kind: 'OPINION' }],
    ['a content that is no string', { content: 5 }],
    ['no content', { kind: 'FACT' }],
    ['a tenant', { content: 'Likes tea', tenantId: 'other' }],
    ['an id', { content: 'Likes tea', id: 'my-own' }],
  ])('refuses %s by the schema, and stores nothing', async (_, input) => {
    const before = await host.count();
    const { data, errors } = await ada(ADD, { input });
    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(await host.count()).toBe(before);
  });

  it('takes 500 emoji: characters are code points', async () => {
    const content = '🦉'.repeat(500);
    const { data } = await ada(ADD, { input: { content } });
    expect(data).toMatchObject({ addMemory: { memory: { content }, rejection: null } });
  });

  it.each([
    ['a secret', 'The deploy token is ghp_' + '16C7e42F292c6912E7710c838347Ae178B4a', 'secret'],
    ['a password', 'My password is hunter2-but-longer', 'secret'],
    ['passing progress', 'I am currently running the tests', 'transient'],
  ])('rejects %s with a reason and without its text, and stores nothing', async (_, content, reason) => {
    const before = await host.count();
    const { data, errors, text } = await ada(ADD, { input: { content } });
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ addMemory: { memory: null, rejection: { reason, message: expect.any(String) } } });
    for (const word of content.split(' ').filter((part) => part.length > 12)) expect(text).not.toContain(word);
    expect(await host.count()).toBe(before);
  });

  it.each<[string, string, string]>([
    ['limit 0', '{ recall(query: "tea", limit: 0) { score } }', 'limit'],
    ['limit -1', '{ recall(query: "tea", limit: -1) { score } }', 'limit'],
    ['limit a billion', '{ recall(query: "tea", limit: 1000000000) { score } }', 'limit'],
    ['a distance of 3', '{ recall(query: "tea", maxDistance: 3) { score } }', 'maxDistance'],
    ['a NUL in the query', '{ recall(query: "te\\u0000a") { score } }', 'query'],
    ['a page of 101', '{ memories(first: 101) { totalCount } }', 'first'],
    ['a page of 0', '{ memories(first: 0) { totalCount } }', 'first'],
    ['a forged cursor', '{ memories(after: "bm90IG91cnM") { totalCount } }', 'after'],
    ['a NUL in the search', '{ memories(search: "\\u0000") { totalCount } }', 'search'],
    ['no tokens', '{ memoryPrompt(query: "tea", maxTokens: 0) }', 'maxTokens'],
    ['a NUL in a turn id', '{ observation(turnId: "\\u0000") { status } }', 'turnId'],
  ])('answers BAD_USER_INPUT with the field for %s', async (_, query, field) => {
    const { errors } = await ada(query);
    expect(errors).toMatchObject([
      { message: expect.stringContaining(field), extensions: { code: 'BAD_USER_INPUT', field } },
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no messages', { messages: [] }, 'messages'],
    ['101 messages', { messages: Array.from({ length: 101 }, () => ({ role: 'USER', content: 'x' })) }, 'messages'],
    ['a NUL in a message', { messages: [{ role: 'USER', content: 'I like \u0000' }] }, 'messages[0].content'],
    ['a time zone that is none', { timeZone: 'Mars/Olympus', messages: [{ role: 'USER', content: 'x' }] }, 'timeZone'],
    ['a blank turn id', { turnId: ' ', messages: [{ role: 'USER', content: 'x' }] }, 'turnId'],
    ['a date that is none', { occurredAt: 'soon', messages: [{ role: 'USER', content: 'x' }] }, 'occurredAt'],
  ])('answers BAD_USER_INPUT with the field for a turn with %s', async (_, input, field) => {
    const { errors } = await ada(OBSERVE, { input });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field } }]);
  });

  it.each<[string, string, string]>([
    [
      'an added memory',
      'mutation { addMemory(input: { content: "Likes tea", expiresAt: 1900000000 }) { memory { id } } }',
      'expiresAt',
    ],
    ['a change', 'mutation { updateMemory(input: { id: "x", expiresAt: 0 }) { memory { id } } }', 'expiresAt'],
    ['a recall', '{ recall(query: "tea", asOf: 1900000000.5) { score } }', 'asOf'],
    ['a recall, as true', '{ recall(query: "tea", asOf: true) { score } }', 'asOf'],
    ['a recall, as a name', '{ recall(query: "tea", asOf: now) { score } }', 'asOf'],
    ['a recall, as an object', '{ recall(query: "tea", asOf: { year: 2030 }) { score } }', 'asOf'],
    ['a turn', 'mutation { observe(input: { messages: [], occurredAt: 1 }) { status } }', 'occurredAt'],
    ['the default of a variable', 'query ($at: DateTime = 5) { recall(query: "tea", asOf: $at) { score } }', 'asOf'],
    [
      'the default of an input',
      'mutation ($input: AddMemoryInput! = { content: "Likes tea", expiresAt: 5 }) { addMemory(input: $input) { memory { id } } }',
      'expiresAt',
    ],
  ])('answers BAD_USER_INPUT for a date that is no string in %s, and stores nothing', async (_, query, field) => {
    const before = await host.count();
    const { errors } = await ada(query);
    expect(errors).toMatchObject([
      { message: expect.stringContaining(field), extensions: { code: 'BAD_USER_INPUT', field } },
    ]);
    expect(await host.count()).toBe(before);
  });

  it.each<[string, unknown]>([
    ['a number', 5],
    ['true', true],
    ['a year', '2999'],
    ['a day that its month does not have', '2999-02-30T00:00:00Z'],
    ['a time without an offset', '2999-01-01T00:00:00'],
    ['a local form', 'Jan 5 2999'],
    ['an object', {}],
  ])('answers BAD_USER_INPUT for a variable that gives a date as %s, and stores nothing', async (_, date) => {
    const before = await host.count();
    const refused = (field: string) => [{ extensions: { code: 'BAD_USER_INPUT', field } }];
    const added = await ada(ADD, { input: { content: 'Likes tea', expiresAt: date } });
    expect(added.errors).toMatchObject(refused('expiresAt'));
    const learned = await ada(OBSERVE, { input: { messages: [{ role: 'USER', content: 'I ski' }], occurredAt: date } });
    expect(learned.errors).toMatchObject(refused('occurredAt'));
    const field = await ada(
      'mutation ($when: DateTime) { addMemory(input: { content: "Likes tea", expiresAt: $when }) { memory { id } } }',
      { when: date },
    );
    expect(field.errors).toMatchObject(refused('expiresAt'));
    const recalled = await ada('query ($when: DateTime) { recall(query: "tea", asOf: $when) { score } }', {
      when: date,
    });
    expect(recalled.errors).toMatchObject(refused('asOf'));
    expect(await host.count()).toBe(before);
  });

  it.each(['2999-01-31', '2999-01-31T12:00Z', '2999-01-31t12:00:00.5z', '2999-01-31T12:00:00-23:59'])(
    'takes the date %s',
    async (date) => {
      const { errors } = await ada('query ($when: DateTime) { recall(query: "tea", asOf: $when) { score } }', {
        when: date,
      });
      expect(errors).toEqual([]);
    },
  );

  it.each([
    ['of an argument', 'query ($v: String = "tea") { recall(query: $v) { score } memorySettings { enabled } }'],
    ['of a @skip', 'query ($v: Boolean = true) { memorySettings @skip(if: $v) { enabled } }'],
    ['of an @include below', 'query ($v: Boolean = true) { memorySettings { enabled @include(if: $v) } }'],
    [
      'in an input',
      'mutation ($v: String = "x") { addMemory(input: { content: $v, metadata: {} }) { memory { id } } }',
    ],
  ])('answers BAD_USER_INPUT where a variable %s with a default is null', async (_, query) => {
    const { status, data, errors } = await ada(query, { v: null });
    expect([status, data]).toEqual([200, null]);
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/^Argument ".+" .+/), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('answers 400 for a subscription under a @skip, and for the hash of another query', async () => {
    const skipped = await ada('subscription ($v: Boolean!) { memoryEvents @skip(if: $v) { action } }', { v: true });
    expect(skipped.status).toBe(400);
    expect(skipped.errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    const response = await fetch(`${host.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-caller': 'acme/ada' },
      body: JSON.stringify({
        query: '{ memories { totalCount } }',
        extensions: { persistedQuery: { version: 1, sha256Hash: 'of another' } },
      }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });

  it.each([
    ['at the top', '{ color: RED }'],
    ['below', '{ a: [1, { b: RED }] }'],
  ])('answers BAD_USER_INPUT for metadata with a name without quotes %s, and stores nothing', async (_, metadata) => {
    const before = await host.count();
    for (const query of [
      `mutation { addMemory(input: { content: "Likes tea", metadata: ${metadata} }) { memory { id } } }`,
      `mutation ($m: JSONObject = ${metadata}) { addMemory(input: { content: "Likes tea", metadata: $m }) { memory { id } } }`,
    ]) {
      expect((await ada(query)).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'metadata' } }]);
    }
    expect(await host.count()).toBe(before);
  });

  it('answers BAD_USER_INPUT for a subscription that is sent by HTTP', async () => {
    const { errors } = await ada('subscription { memoryEvents { action } }');
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'memoryEvents' } }]);
  });

  it.each<[string, string, string]>([
    [
      'an importance',
      'mutation { addMemory(input: { content: "Likes tea", importance: 1e999 }) { memory { id } } }',
      'importance',
    ],
    ['a distance', '{ recall(query: "tea", maxDistance: 1e999) { score } }', 'maxDistance'],
    [
      'a least importance',
      'mutation { forgetStaleMemories(olderThanDays: 1, minImportance: -1e999) }',
      'minImportance',
    ],
    [
      'metadata',
      'mutation { addMemory(input: { content: "Likes tea", metadata: { a: 1e999 } }) { memory { id } } }',
      'metadata',
    ],
    ['days', 'mutation { forgetStaleMemories(olderThanDays: 36501) }', 'olderThanDays'],
    ['a version', 'mutation { restoreMemory(id: "x", version: 0) { id } }', 'version'],
  ])('answers BAD_USER_INPUT for %s out of all bounds', async (_, query, field) => {
    const { errors } = await ada(query);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(String(errors[0]?.extensions['field'])).toContain(field);
  });

  it.each(Object.keys(FIELDS))('reads null in every optional place of %s as left out', async (field) => {
    const { data } = await ada(
      `{ __schema { types { name fields { name args { name type { kind } } } inputFields { name type { kind } } } } }`,
    );
    interface Place {
      readonly name: string;
      readonly type: { readonly kind: string };
    }
    const { types } = data?.['__schema'] as {
      types: { name: string; fields: { name: string; args: Place[] }[] | null; inputFields: Place[] | null }[];
    };
    const args = types
      .filter(({ name }) => name === 'Query' || name === 'Mutation')
      .flatMap(({ fields }) => fields?.find(({ name }) => name === field)?.args ?? []);
    const inputs: Record<string, string> = {
      addMemory: 'AddMemoryInput',
      updateMemory: 'UpdateMemoryInput',
      observe: 'ObserveMemoryInput',
      observeLater: 'ObserveMemoryInput',
    };
    const places = types.find(({ name }) => name === inputs[field])?.inputFields ?? args;
    const operation = (given: string): string => FIELDS[field]?.('01a22a2b-b2dc-73a7-9a11-e6993a003e7d', given) ?? '';
    const optional = places.filter(
      ({ name, type }) => type.kind !== 'NON_NULL' && !operation('').includes(`${name}: `),
    );
    expect(optional.map(({ name }) => name)).toContain('scope');
    const eve = host.as('acme/eve');
    const left = await eve(operation('scope: "user:eve"'));
    const nulls = await eve(operation(optional.map(({ name }) => `${name}: null`).join(', ')));
    expect(nulls.text).toBe(left.text);
    const internal = nulls.errors.filter(({ extensions }) => extensions['code'] === 'INTERNAL_SERVER_ERROR');
    expect(internal).toEqual([]);
  });

  it.each(['', '   ', '!!! ??? ...', 'the and of', "' OR 1=1 --", '<-> & | !'])(
    'answers the query %j without an error',
    async (query) => {
      const { errors } = await ada(
        'query ($query: String!) { recall(query: $query) { score } memoryPrompt(query: $query) }',
        { query },
      );
      expect(errors).toEqual([]);
    },
  );

  it('answers NOT_FOUND for an update of an id that is none', async () => {
    for (const id of ['', 'x', '\u0000', '01a22a2b-b2dc-73a7-9a11-e6993a003e7d']) {
      const { errors } = await ada(
        'mutation ($id: ID!) { updateMemory(input: { id: $id, importance: 1 }) { memory { id } } }',
        { id },
      );
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    }
  });
});
