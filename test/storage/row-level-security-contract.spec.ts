import { describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Scope } from '../../src/model/scope.js';
import type { NewMemory, RecallQuery } from '../../src/storage/memory-store.js';
import { createScopeIndex } from '../../src/storage/postgres/scope-index.js';
import { memoryStoreContract } from '../../src/testing/memory-store-contract.js';
import { newMemory } from '../support/new-memory.js';
import { openSecuredStore } from '../support/secured-store.js';
import { filesNotSent } from '../support/statement-sources.js';

const SPACE = 'test:plane:2';
const NEAREST: Omit<RecallQuery, 'limit'> = {
  searchText: '',
  vector: { space: SPACE, values: [1, 0] },
  mode: 'vector',
  denseWeight: 1,
  maxDistance: 1,
  minCoverage: null,
  minScore: null,
};

function ownBoat({ scope }: Scope, n: number): NewMemory {
  return newMemory(`The boat number ${n} belongs to ${scope}.`, { vector: { space: SPACE, values: [1, n / 100] } });
}

const seen = new Set<string>();
/** As they were sent. */
const prepared = new Set<string>();

/** The filters of every statement, as each spells them. Its parameters stay, so that their types are known. */
const FILTER = /(?:\b\w+\.)?tenant_id = \$1 AND (?:\b\w+\.)?scope = \$2/g;
const NO_FILTER = '($1::text IS NOT NULL AND $2::text IS NOT NULL)';

const unfiltered = new WeakMap<Client, Pick<Client, 'query'>>();

/** The connection, of which a statement that is kept prepared goes without its filters too. */
function preparingWithoutFilters(client: Client): Pick<Client, 'query'> {
  const known = unfiltered.get(client);
  if (known) return known;
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const without = Object.create(client, {
    query: {
      value: (statement: unknown, ...rest: unknown[]) => {
        if (!isPrepared(statement)) return query(statement, ...rest);
        seen.add(statement.text);
        prepared.add(statement.text.replace(FILTER, NO_FILTER));
        return query({ ...statement, text: statement.text.replace(FILTER, NO_FILTER) }, ...rest);
      },
    },
  }) as Pick<Client, 'query'>;
  unfiltered.set(client, without);
  return without;
}

function isPrepared(statement: unknown): statement is { name: string; text: string } {
  return typeof statement === 'object' && statement !== null && 'name' in statement && 'text' in statement;
}

/** Takes the WHERE of tenant and scope out of every statement that goes over the DataSource's connections. */
function withoutFilters(dataSource: DataSource): void {
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const queryRunner: QueryRunner = create(mode);
    const query = queryRunner.query.bind(queryRunner) as QueryRunner['query'];
    queryRunner.query = ((sql: string, ...rest: [unknown[], true]) => {
      seen.add(sql);
      return query(sql.replace(FILTER, NO_FILTER), ...rest);
    }) as QueryRunner['query'];
    const connect = queryRunner.connect.bind(queryRunner);
    queryRunner.connect = async () => preparingWithoutFilters((await connect()) as Client);
    return queryRunner;
  };
}

// The tests of the contract share one database and each looks for what it put there: with the filters gone, a row of any
// of the others that is read, counted, changed or deleted makes one of them fail. What holds them apart is the policies.
memoryStoreContract('PostgresMemoryStore, its filters removed, under row level security', async () => {
  const { store, dataSource, close } = await openSecuredStore();
  withoutFilters(dataSource);
  return { store, close };
});

describe('the statements without filters', () => {
  it('recall nothing of another scope from a large scope, in any mode', async () => {
    const { store, dataSource, admin, close } = await openSecuredStore({ hnswFrom: 1 });
    await store.start();
    try {
      const [scope, other] = ['user:1', 'user:2'].map((name) => ({ tenantId: 'acme', scope: name })) as [Scope, Scope];
      for (const one of [scope, other]) {
        await store.write(one, (writer) => writer.insert(Array.from({ length: 30 }, (_, n) => ownBoat(one, n))));
        await createScopeIndex(admin, one);
      }
      withoutFilters(dataSource);
      for (const mode of ['hybrid', 'vector', 'keyword'] as const) {
        const hits = await store.recall(scope, {
          searchText: 'boat',
          vector: mode === 'keyword' ? null : { space: SPACE, values: [1, 0] },
          mode,
          limit: 50,
          denseWeight: 0.5,
          maxDistance: mode === 'keyword' ? null : 1,
          minCoverage: mode === 'keyword' ? 0.1 : null,
          minScore: null,
        });
        expect(hits.map(({ memory }) => memory.content).filter((content) => !content.includes(scope.scope))).toEqual(
          [],
        );
        expect(hits).toHaveLength(30);
      }
      // With fewer than there are, the scope's index answers.
      const [byIndex, near] = [
        { ...NEAREST, limit: 10 },
        { searchText: 'boat', mode: 'hybrid', approximate: true } as const,
      ];
      const bare = { tenantId: 'acme', scope: 'user:3' };
      await store.write(bare, (writer) => writer.insert(Array.from({ length: 12 }, (_, n) => ownBoat(bare, n))));
      for (const [owner, query] of [
        [scope, byIndex],
        [scope, { ...byIndex, searchText: 'boat', mode: 'hybrid' }],
        [scope, { ...byIndex, ...near }],
        // Without an index: by a pass over the scope, in one statement of its own and in a first part of the other.
        [bare, byIndex],
        [bare, { ...byIndex, ...near }],
      ] as [Scope, RecallQuery][]) {
        const hits = await store.recall(owner, query);
        expect(hits.filter(({ memory }) => !memory.content.endsWith(`${owner.scope}.`))).toEqual([]);
        expect(hits).toHaveLength(10);
      }
    } finally {
      await close();
    }
  });

  it('are every one that touches the tables, but those of the command that makes an index', () => {
    // The owner of the tables runs them, and names the scope to the policies as well; or the first, which is refused where
    // there are any.
    const ofTheOwner = ['find-large-scopes.ts', 'find-largest-space.ts', 'write-index-statements.ts'];
    expect(filesNotSent(seen)).toEqual(ofTheOwner);
  });

  // The embedded database keeps none: all of its connections are one session.
  (process.env['ENGRAM_TEST_DATABASE_URL'] ? it : it.skip)('are among them those that stay prepared', () => {
    expect(prepared.size).toBeGreaterThan(1);
    for (const sql of prepared) expect(sql).not.toMatch(FILTER);
  });
});
