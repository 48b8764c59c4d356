import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryService } from 'nestjs-engram';
import { engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { AccessPolicy, IdentifiableRequest, Identity } from 'nestjs-engram/graphql';
import { RecordedStatements } from '../support/recorded-statements.js';
import { until } from '../support/until.js';
import { EventClient } from './event-client.js';
import { graphqlApp, identifyByHeader } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';

const FIELDS = 'content lastAccessedAt accessCount history { version content endedBy }';
const PAGE = `{ memories(first: 100) { edges { node { ${FIELDS} } } } }`;
const UPDATE = `mutation ($id: ID!, $content: String!) {
  updateMemory(input: { id: $id, content: $content }) { memory { ${FIELDS} } } }`;

interface ShownMemory {
  readonly content: string;
  readonly accessCount: number;
  readonly history: { readonly version: number; readonly content: string; readonly endedBy: string }[];
}

/** Everybody reads the notes of the team, and those of one who has left no more. */
const readers = new Set(['ana', 'ben']);
const policy: AccessPolicy = {
  grants: ({ subject }) => [
    { scope: `user:${subject}`, actions: ['read', 'write'] },
    ...(readers.has(subject) ? [{ scope: 'team:7', actions: ['read', 'write'] as const }] : []),
  ],
};

const identify = ({ connectionParams, headers }: IdentifiableRequest): Identity | null =>
  identifyByHeader({ headers: connectionParams ? { 'x-caller': String(connectionParams['caller']) } : headers });

/** The statements that read a table. */
const reads = (sent: readonly string[], table: string): string[] =>
  sent.filter((sql) => /^(SELECT|WITH)/.test(sql) && new RegExp(`(FROM|JOIN) \\S*\\.${table} `).test(sql));

describe('the fields of a memory', () => {
  const statements = new RecordedStatements();
  let host: GraphQLApp;
  let ana: ReturnType<GraphQLApp['as']>;

  beforeAll(async () => {
    host = await graphqlApp({ statements, policy, identify, host: engramGraphQLDefaults({ identify }) });
    ana = host.as('acme/ana');
    for (const scope of ['user:ana', 'team:7']) {
      const memory = host.app.get(MemoryService).for({ tenantId: 'acme', scope });
      const added = await memory.addMany(
        Array.from({ length: 25 }, (_, index) => ({ content: `${scope} counts to ${index}` })),
      );
      for (const [index, { memory: made }] of added.entries()) {
        await memory.update(made?.id ?? '', { content: `${scope} counts beyond ${index}` });
      }
    }
  });
  afterAll(() => host.close());

  it('are read for a whole page by one statement each', async () => {
    let nodes: ShownMemory[] = [];
    const sent = await statements.during(async () => {
      const { data, errors } = await ana(PAGE);
      expect(errors).toEqual([]);
      nodes = (data?.['memories'] as { edges: { node: ShownMemory }[] }).edges.map(({ node }) => node);
    });
    expect(nodes).toHaveLength(25);
    for (const { content, history } of nodes) {
      expect(history).toEqual([{ version: 1, content: content.replace('beyond', 'to'), endedBy: 'UPDATE' }]);
    }
    expect(reads(sent, 'memory_revisions')).toHaveLength(1);
    expect(reads(sent, 'memory_access')).toHaveLength(1);
  });

  it('are read by one statement a scope, whatever asked for them at once', async () => {
    const page = `edges { node { ${FIELDS} } }`;
    const sent = await statements.during(async () => {
      const { data, errors } = await ana(
        `{ a: memories(first: 5) { ${page} } b: memories(first: 25) { ${page} } c: memories(first: 5, scope: "team:7") { ${page} } }`,
      );
      expect(errors).toEqual([]);
      expect(JSON.stringify(data).match(/"endedBy":"UPDATE"/g)).toHaveLength(35);
    });
    // The three lists may come back at three moments; more than one statement each would be one for each memory.
    expect(reads(sent, 'memory_revisions').length).toBeLessThanOrEqual(3);
  });

  it('are there on every memory that a field returns', async () => {
    const scoped = host.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ana' });
    const { data: added } = await ana(
      `mutation { addMemory(input: { content: "Plays the lute" }) { memory { id ${FIELDS} } } }`,
    );
    const { id, ...fresh } = (added?.['addMemory'] as { memory: ShownMemory & { id: string } }).memory;
    expect(fresh).toEqual({ content: 'Plays the lute', lastAccessedAt: null, accessCount: 0, history: [] });
    await scoped.recall('lute');
    const updated = await ana(UPDATE, { id, content: 'Plays the theorbo' });
    const first = { version: 1, content: 'Plays the lute', endedBy: 'UPDATE' };
    expect(updated.data?.['updateMemory']).toMatchObject({ memory: { history: [first] } });
    const { data } = await ana(
      `query ($id: ID!) { memory(id: $id) { ${FIELDS} } recall(query: "theorbo", limit: 1) { memory { ${FIELDS} } } }`,
      { id },
    );
    expect(data?.['memory']).toMatchObject({ content: 'Plays the theorbo', history: [first] });
    expect(data?.['recall']).toMatchObject([{ memory: { content: 'Plays the theorbo', history: [first] } }]);
    const { data: restored } = await ana(
      `mutation ($id: ID!) { restoreMemory(id: $id, version: 1) { ${FIELDS} } forgetMemory(id: $id) }`,
      { id },
    );
    expect(restored?.['restoreMemory']).toMatchObject({
      content: 'Plays the lute',
      history: [first, { version: 2, content: 'Plays the theorbo', endedBy: 'RESTORE' }],
    });
  });

  it('tell after each mutation of a request what is true then', async () => {
    const { memory } = await host.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ana' }).add('Is one');
    const { data, errors } = await ana(
      `mutation ($id: ID!) {
        a: updateMemory(input: { id: $id, content: "Is two" }) { memory { history { version } } }
        b: updateMemory(input: { id: $id, content: "Is three" }) { memory { history { version } } }
      }`,
      { id: memory?.id ?? '' },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      a: { memory: { history: [{ version: 1 }] } },
      b: { memory: { history: [{ version: 1 }, { version: 2 }] } },
    });
  });

  it('of the memory of an event are read by one statement, however often it is asked for', async () => {
    const client = new EventClient(host.url, { connectionParams: { caller: 'acme/ana' } });
    const aliases = Array.from({ length: 10 }, (_, index) => `m${index}: memory { content history { version } }`);
    const received = client.subscribe(`subscription { memoryEvents(actions: [ADDED]) { ${aliases.join(' ')} } }`);
    const memory = host.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ana' });
    try {
      let number = 0;
      await until(async () => {
        await memory.add(`Was told ${(number += 1)} times`);
        return received.events.length > 0;
      });
      // Each event that passed by before the last one has been read.
      const told = (content: string) => (): boolean => JSON.stringify(received.events).includes(content);
      await until(told(`Was told ${number} times`));
      const sent = await statements.during(async () => {
        await memory.add('Was told for good');
        await until(told('Was told for good'));
      });
      expect(sent.filter((sql) => /m\.id = ANY\(\$3::uuid\[\]\)\s+AND \(m\.expires_at/.test(sql))).toHaveLength(1);
      expect(reads(sent, 'memory_revisions')).toHaveLength(1);
    } finally {
      await client.close();
    }
  });

  it('tell with each event of a subscription what is true then, and nothing once the right to read is gone', async () => {
    const url = (await host.app.getUrl()).replace('[::1]', '127.0.0.1');
    const client = new EventClient(url, { connectionParams: { caller: 'acme/ben' } });
    const received = client.subscribe(
      `subscription { memoryEvents(scope: "team:7", actions: [UPDATED]) { action memory { ${FIELDS} } } }`,
    );
    const team = host.app.get(MemoryService).for({ tenantId: 'acme', scope: 'team:7' });
    const { memory } = await team.add('Ships on Monday');
    const shown = (): ShownMemory[] =>
      (received.events as unknown as { memory: ShownMemory }[]).map((event) => event.memory);
    const change = (content: string): Promise<unknown> => team.update(memory?.id ?? '', { content });
    try {
      let day = 0;
      // Events pass by a subscription that is not there yet.
      await until(async () => {
        await change(`Ships on day ${(day += 1)}`);
        return received.events.length > 0;
      });
      await change('Ships on Friday');
      await until(() => shown().at(-1)?.content === 'Ships on Friday');
      expect(shown().at(-1)?.history).toHaveLength((await team.history(memory?.id ?? '')).length);
      expect(shown().at(-1)?.history.length).toBeGreaterThan(shown()[0]?.history.length ?? 0);

      readers.delete('ben');
      await change('Ships on Sunday');
      await until(() => received.errors.length > 0);
      expect(received.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      expect(JSON.stringify(received.events)).not.toContain('Sunday');
    } finally {
      readers.add('ben');
      await client.close();
    }
  });
});
