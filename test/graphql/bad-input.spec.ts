import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
