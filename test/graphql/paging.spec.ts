import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryService } from 'nestjs-engram';
import type { ScopedMemory } from 'nestjs-engram';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';

const PAGE = `query ($first: Int, $after: String) { memories(first: $first, after: $after) {
  totalCount edges { cursor node { id content createdAt } } pageInfo { hasNextPage endCursor } } }`;

interface Page {
  readonly totalCount: number;
  readonly edges: readonly {
    readonly cursor: string;
    readonly node: { readonly id: string; readonly content: string };
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

describe('pages of memories', () => {
  let database: PostgresStoreUnderTest;
  let host: GraphQLApp;

  beforeAll(async () => {
    database = await openPostgresStore();
    host = await graphqlApp({ store: database.store });
  });
  afterAll(async () => {
    await host.close();
    await database.close();
  });

  const memoryOf = (subject: string): ScopedMemory =>
    host.app.get(MemoryService).for({ tenantId: 'acme', scope: `user:${subject}` });

  /** By one statement, so under one stamp. */
  async function fill(subject: string, count: number): Promise<string[]> {
    const inputs = Array.from({ length: count }, (_, index) => ({ content: `Counts to ${index}` }));
    return (await memoryOf(subject).addMany(inputs)).map(({ memory }) => memory?.id ?? '');
  }

  async function page(subject: string, first: number, after: string | null): Promise<Page> {
    const { data, errors } = await host.as(`acme/${subject}`)(PAGE, { first, after });
    expect(errors).toEqual([]);
    return data?.['memories'] as Page;
  }

  /** Every id of every page, in order. */
  async function walk(
    subject: string,
    first: number,
    between: (number: number) => Promise<unknown> = async () => 0,
  ): Promise<string[]> {
    const ids: string[] = [];
    for (let after: string | null = null, number = 0; ; number += 1) {
      const { edges, pageInfo }: Page = await page(subject, first, after);
      ids.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) return ids;
      expect(edges).toHaveLength(first);
      after = pageInfo.endCursor;
      await between(number);
    }
  }

  it.each([1, 7, 100])('of %i show each of many rows of one stamp once', async (first) => {
    const subject = `stamp${first}`;
    const ids = await fill(subject, 40);
    const [{ stamps } = { stamps: 0 }] = await database.dataSource.query<{ stamps: number }[]>(
      'SELECT count(DISTINCT created_at)::int AS stamps FROM engram.memories WHERE scope = $1',
      [`user:${subject}`],
    );
    expect(stamps).toBe(1);
    expect(await walk(subject, first)).toEqual([...ids].sort().reverse());
  });

  it('show each row once whose stamp another writer gave in microseconds: the column keeps no more than a cursor does', async () => {
    const ids = await fill('micro', 40);
    await database.dataSource.query(
      `UPDATE engram.memories m SET created_at = m.created_at + n.place * interval '37 microseconds'
       FROM (SELECT id, row_number() OVER (ORDER BY md5(id::text)) AS place FROM engram.memories WHERE scope = 'user:micro') n
       WHERE m.scope = 'user:micro' AND m.id = n.id`,
    );
    for (const first of [1, 7]) {
      const walked = await walk('micro', first);
      expect(walked).toHaveLength(40);
      expect([...walked].sort()).toEqual([...ids].sort());
    }
  });

  it('show each row once that is there throughout, while others are added, changed and forgotten', async () => {
    const ids = await fill('busy', 40);
    const memory = memoryOf('busy');
    const [forgotten, changed, restored] = [ids.slice(0, 8), ids.slice(8, 16), ids.slice(16, 20)];
    const walked = await walk('busy', 5, async (number) => {
      await memory.add(`Came while page ${number} was read`);
      if (forgotten[number]) await memory.forget(forgotten[number]);
      if (changed[number]) await memory.update(changed[number], { content: `Was changed after page ${number}` });
      if (restored[number]) {
        await memory.forget(restored[number]);
        await memory.restore(restored[number], 1);
      }
    });
    expect(new Set(walked).size).toBe(walked.length);
    const throughout = ids.filter((id) => !forgotten.includes(id));
    expect(walked.filter((id) => !forgotten.includes(id)).sort()).toEqual([...throughout].sort());
  });

  it("show nothing but the caller's own rows, whatever the cursor", async () => {
    await fill('ada', 5);
    const own = new Set(await fill('ben', 5));
    const { edges } = await page('ada', 5, null);
    const [{ node, cursor } = { node: { id: '' }, cursor: '' }] = edges;
    const forged = [
      cursor,
      ...edges.map((edge) => edge.cursor),
      `${Date.now() + 10_000}:${node.id}`,
      `-62135596800000:${node.id}`,
      `0:00000000-0000-0000-0000-000000000000`,
      `${Date.now()}:${node.id}:user:ada`,
      'user:ada',
      JSON.stringify({ scope: 'user:ada', after: node.id }),
      `1 OR 1=1:${node.id}`,
      '',
    ].flatMap((text) => [text, Buffer.from(text).toString('base64url'), Buffer.from(text).toString('base64')]);
    for (const after of forged) {
      const { data, errors } = await host.as('acme/ben')(PAGE, { first: 100, after });
      if (errors.length > 0) {
        expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'after' } }]);
        expect(data).toBeNull();
      } else {
        const { totalCount, edges: shown } = data?.['memories'] as Page;
        expect(totalCount).toBe(5);
        expect(shown.filter((edge) => !own.has(edge.node.id))).toEqual([]);
      }
    }
    expect((await page('ben', 5, edges[2]?.cursor ?? '')).totalCount).toBe(5);
  });
});
