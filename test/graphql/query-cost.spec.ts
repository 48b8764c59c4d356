import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ApolloFederationDriver } from '@nestjs/apollo';
import { Logger } from '@nestjs/common';
import { Args, Field, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { MemoryService } from 'nestjs-engram';
import { engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { IdentifiableRequest, Identity } from 'nestjs-engram/graphql';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import { MemoryType } from '../../src/graphql/types/memory.type.js';
import { EventClient } from './event-client.js';
import { graphqlApp, identifyByHeader } from './graphql-app.js';
import type { GraphQLAnswer, GraphQLApp, GraphQLAppOptions } from './graphql-app.js';

const WHOLE = `id content kind importance metadata source version createdAt updatedAt expiresAt lastAccessedAt accessCount
  history { version content kind importance validFrom validTo endedBy }`;

const identify = ({ connectionParams, headers }: IdentifiableRequest): Identity | null =>
  identifyByHeader({ headers: connectionParams ? { 'x-caller': String(connectionParams['caller']) } : headers });

/** A host's own type, with memories below it. */
@ObjectType()
class TeamMember {
  @Field(() => String)
  name!: string;

  @Field(() => [MemoryType])
  notes!: MemoryType[];
}

@Resolver()
class TeamResolver {
  @Query(() => [TeamMember])
  members(@Args('first', { type: () => Int }) _first: number): TeamMember[] {
    return [{ name: 'Ada', notes: [] }];
  }
}

describe('the cost of a request', () => {
  let host: GraphQLApp;
  const start = async (options: GraphQLAppOptions = {}): Promise<ReturnType<GraphQLApp['as']>> => {
    host = await graphqlApp({ store: new InMemoryMemoryStore(), identify, ...options });
    await host.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ada' }).add('Keeps bees');
    return host.as('acme/ada');
  };
  afterEach(async () => {
    jest.restoreAllMocks();
    await host.close();
  });

  const expectRefused = ({ status, data, errors }: GraphQLAnswer): void => {
    expect([status, data]).toEqual([400, undefined]);
    expect(errors.map(({ message }) => message).join()).toContain('can answer with more than');
  };
  const aliases = (count: number, field: (name: string) => string): string =>
    `{ ${Array.from({ length: count }, (_, index) => field(`a${index}`)).join(' ')} }`;

  it('lets the largest page through with all that there is of each memory', async () => {
    const ada = await start();
    const { data, errors } = await ada(`{ memories(first: 100) { totalCount edges { cursor node { ${WHOLE} } } } }`);
    expect(errors).toEqual([]);
    expect(data?.['memories']).toMatchObject({ totalCount: 1 });
    expect((await ada(`{ recall(query: "bees", limit: 100) { score memory { ${WHOLE} } } }`)).errors).toEqual([]);
  });

  it('counts the rows of each list, for each alias, through fragments, and with the largest page for a variable', async () => {
    const ada = await start();
    const page = (name: string, size = '100'): string =>
      `${name}: memories(first: ${size}) { edges { node { ${WHOLE} } } }`;
    expectRefused(await ada(aliases(10, (name) => page(name))));
    expectRefused(await ada(`query ($n: Int) ${aliases(10, (name) => page(name, '$n'))}`, { n: 1 }));
    expectRefused(
      await ada(`${aliases(10, (name) => `${name}: recall(query: "x", limit: 100) { ...r }`)}
      fragment r on RecalledMemory { memory { ...m } } fragment m on Memory { ${WHOLE} }`),
    );
    expectRefused(
      await ada(
        `{ memories(first: 100) { edges { node { ${Array.from({ length: 300 }, (_, i) => `c${i}: content`).join(' ')} } } } }`,
      ),
    );
    expect((await ada(aliases(10, (name) => page(name, '5')))).errors).toEqual([]);
  });

  it('counts what fragments spread in fragments multiply to, without taking long over it', async () => {
    const ada = await start();
    const levels = Array.from(
      { length: 40 },
      (_, i) => `fragment f${i} on MemoryConnection { ...f${i + 1} ...f${i + 1} }`,
    );
    expectRefused(
      await ada(
        `{ memories { ...f0 } } ${levels.join(' ')} fragment f40 on MemoryConnection { edges { node { id } } }`,
      ),
    );
  });

  it('counts the operations of a batch together, in a host that allows them', async () => {
    await start({ limits: { cost: 1_000, rootFields: 30 }, host: { allowBatchedHttpRequests: true } });
    const query = '{ memories(first: 50) { edges { node { id content kind version } } } }';
    const response = await fetch(`${host.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-caller': 'acme/ada' },
      body: JSON.stringify(Array.from({ length: 10 }, () => ({ query }))),
    });
    const answers = (await response.json()) as GraphQLAnswer[];
    const refused = answers.filter(({ errors }) => errors?.[0]?.extensions['code'] === 'BAD_USER_INPUT');
    // One operation is 301 fields.
    expect([answers.length, refused.length]).toEqual([10, 7]);
    for (const { data } of refused) expect(data).toBeNull();
  });

  it('is counted in a host without the defaults too', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const ada = await start({ limits: { cost: 100 }, host: { validationRules: [] } });
    const query = 'query ($n: Int) { memories(first: $n) { edges { node { id content kind version } } } }';
    expect((await ada(query, { n: 10 })).errors).toEqual([]);
    const { data, errors } = await ada(query, { n: 50 });
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'query' } }]);
  });

  it.each<[string, NonNullable<GraphQLAppOptions['host']>]>([
    ['', engramGraphQLDefaults({ identify, limits: { cost: 50 } })],
    [' in a host without the defaults', { validationRules: [], subscriptions: { 'graphql-ws': true } }],
  ])('is counted over a web socket%s', async (_, options) => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await start({ limits: { cost: 50 }, host: options });
    const client = new EventClient(host.url, { connectionParams: { caller: 'acme/ada' } });
    const refused = await client.subscribe(`subscription { memoryEvents { memory { ${WHOLE} } } }`).ended;
    expect(refused).toMatchObject([{ message: expect.stringContaining('can answer with more than 50 memory fields') }]);
    await client.close();
  });

  it("lets a host's own fields through however many they are, and counts the memory fields in their rows", async () => {
    const ada = await start({ providers: [TeamResolver] });
    const members = `members(first: 100) { __typename ${Array.from({ length: 300 }, (_, i) => `n${i}: name`).join(' ')} }`;
    const { data, errors } = await ada(`{ memorySettings { enabled } a: ${members} b: ${members} }`);
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ memorySettings: { enabled: true }, a: [{ n0: 'Ada', n299: 'Ada' }] });
    expect((await ada(`{ members(first: 100) { name notes { content } } }`)).errors).toEqual([]);
    expectRefused(await ada(`{ members(first: 100) { name notes { ${WHOLE} } } }`));
    expectRefused(await ada(`{ members(first: 100) { ...m } } fragment m on TeamMember { notes { ${WHOLE} } }`));
  });

  it('counts each reference to an entity', async () => {
    const ada = await start({
      limits: { cost: 500 },
      host: { driver: ApolloFederationDriver, autoSchemaFile: { federation: 2 } },
    });
    const query =
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Memory { id content kind version } } }';
    const ask = (count: number): Promise<GraphQLAnswer> =>
      ada(query, { r: Array.from({ length: count }, (_, id) => ({ __typename: 'Memory', id: String(id) })) });
    expect((await ask(100)).errors).toEqual([]);
    const { data, errors } = await ask(150);
    expect((data?.['_entities'] as unknown[]).every((entity) => entity === null)).toBe(true);
    expect(errors).toHaveLength(50);
    expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });
});
