import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApolloFederationDriver } from '@nestjs/apollo';
import { MemoryService } from 'nestjs-engram';
import type { AccessPolicy } from 'nestjs-engram/graphql';
import { RecordedStatements } from '../support/recorded-statements.js';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLAnswer, GraphQLApp } from './graphql-app.js';

const ENTITIES = `query ($references: [_Any!]!) {
  _entities(representations: $references) { ... on Memory { id content history { version } } }
}`;
const UNKNOWN = '01a22a2b-b2dc-73a7-9a11-e6993a003e7d';

const policy: AccessPolicy = {
  grants: ({ subject }) => [
    { scope: `user:${subject}`, actions: ['read', 'write'] },
    { scope: 'team:7', actions: ['read'] },
    { scope: 'outbox', actions: ['write'] },
  ],
};

describe('memories as entities of a subgraph', () => {
  const statements = new RecordedStatements();
  let host: GraphQLApp;

  beforeAll(async () => {
    host = await graphqlApp({
      statements,
      policy,
      host: { driver: ApolloFederationDriver, autoSchemaFile: { federation: 2 } },
    });
  });
  afterAll(() => host.close());

  async function add(tenantId: string, scope: string, content: string): Promise<string> {
    const { memory } = await host.app.get(MemoryService).for({ tenantId, scope }).add(content);
    return memory?.id ?? '';
  }

  const entities = (caller: string | null, ids: readonly unknown[]): Promise<GraphQLAnswer> =>
    host.as(caller)(ENTITIES, { references: ids.map((id) => ({ __typename: 'Memory', id })) });

  it('are named by their id in the schema of the subgraph', async () => {
    const { data } = await host.as('acme/ada')('{ _service { sdl } }');
    expect((data?.['_service'] as { sdl: string }).sdl).toMatch(/type Memory\s+@key\(fields: "id"\)/);
  });

  it('are found in every scope that the caller may read, in the order that was asked for, and read as fields are', async () => {
    const own = await add('acme', 'user:ada', 'Keeps bees');
    const team = await add('acme', 'team:7', 'Ships on Fridays');
    await host.app
      .get(MemoryService)
      .for({ tenantId: 'acme', scope: 'user:ada' })
      .update(own, { content: 'Kept bees' });
    const { data, errors } = await entities('acme/ada', [team, own, team]);
    expect(errors).toEqual([]);
    const found = { id: team, content: 'Ships on Fridays', history: [] };
    expect(data?.['_entities']).toEqual([found, { id: own, content: 'Kept bees', history: [{ version: 1 }] }, found]);
  });

  it('are null for whoever may not read them, as an id that nobody has', async () => {
    const foreign = [
      await add('acme', 'user:ada', 'Hides a treasure'),
      await add('acme', 'user:ben2', 'Has a name like his'),
      await add('other', 'user:ben', 'Is of another tenant'),
      await add('acme', 'outbox', 'Was only written'),
    ];
    const asked = await entities('acme/ben', foreign);
    expect(asked.data).toEqual({ _entities: [null, null, null, null] });
    expect(asked.errors).toEqual([]);
    expect(
      (
        await entities(
          'acme/ben',
          foreign.map(() => UNKNOWN),
        )
      ).text,
    ).toBe(asked.text);
  });

  it.each<[string, unknown]>([
    ['an empty id', ''],
    ['an id that is no uuid', "' OR 1=1 --"],
    ['a NUL', '\u0000'],
    ['a lone surrogate', '\ud800'],
    ['a number', 42],
    ['null', null],
    ['a list', ['x']],
    ['an object', { $ne: '' }],
    ['no id', undefined],
  ])('are null for %s, and leave the others of the batch alone', async (_, id) => {
    const own = await add('acme', 'user:ada', 'Keeps bees');
    const { data, errors } = await entities('acme/ada', [id, own]);
    expect(errors).toEqual([]);
    expect(data?.['_entities']).toMatchObject([null, { id: own }]);
  });

  it('are read by one statement a scope, however many are asked for', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await add('acme', 'user:eve', `Counts to ${count}`));
    const sent = await statements.during(async () => {
      const { data } = await entities('acme/eve', [...ids, UNKNOWN]);
      expect((data?.['_entities'] as unknown[]).filter((entity) => entity !== null)).toHaveLength(30);
    });
    const histories = sent.filter((sql) => /FROM \S*\.memory_revisions/.test(sql));
    expect(histories).toHaveLength(1);
    const reads = sent.filter((sql) => !histories.includes(sql) && /FROM \S*\.memories m/.test(sql));
    expect(reads).toHaveLength(2);
  });

  it('are added and recalled by the same names and defaults as without federation', async () => {
    const eve = host.as('acme/eve2');
    const added = await eve(
      'mutation { a: addMemory(input: { content: "Keeps a diary" }) { memory { kind } } b: addMemory(input: { content: "Keeps a diet", kind: GOAL }) { memory { kind } } }',
    );
    expect(added.data).toEqual({ a: { memory: { kind: 'FACT' } }, b: { memory: { kind: 'GOAL' } } });
    const { data, errors } = await eve(
      '{ a: recall(query: "diary") { vectorRank keywordRank } b: recall(query: "diet", mode: KEYWORD, kinds: [GOAL]) { vectorRank memory { kind } } }',
    );
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      a: [{ vectorRank: 1, keywordRank: 1 }],
      b: [{ vectorRank: null, memory: { kind: 'GOAL' } }],
    });
  });

  it('are refused to one who is not known', async () => {
    const own = await add('acme', 'user:ada', 'Keeps bees');
    const { data, errors, text } = await entities(null, [own]);
    expect(data).toEqual({ _entities: [null] });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(text).not.toContain('bees');
  });
});
