import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import type { DataSource, QueryRunner } from 'typeorm';
import { memoryStoreContract } from '../../src/testing/memory-store-contract.js';
import { openSecuredStore } from '../support/secured-store.js';

const seen = new Set<string>();

/** The filters of every statement, as each spells them. Its parameters stay, so that their types are known. */
const FILTER = /(?:\b\w+\.)?tenant_id = \$1 AND (?:\b\w+\.)?scope = \$2/g;
const NO_FILTER = '($1::text IS NOT NULL AND $2::text IS NOT NULL)';

const flat = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

/** Takes the WHERE of tenant and scope out of every statement that goes over the DataSource's connections. */
function withoutFilters(dataSource: DataSource): void {
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const queryRunner: QueryRunner = create(mode);
    const query = queryRunner.query.bind(queryRunner) as QueryRunner['query'];
    queryRunner.query = ((sql: string, ...rest: [unknown[], true]) => {
      seen.add(flat(sql));
      return query(sql.replace(FILTER, NO_FILTER), ...rest);
    }) as QueryRunner['query'];
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

describe('the contract without filters', () => {
  it('has run every statement that touches the tables', () => {
    const folder = new URL('../../src/storage/postgres/statements/', import.meta.url);
    const missed = readdirSync(folder).filter((file) => {
      const source = readFileSync(new URL(file, folder), 'utf8');
      const statements = [...source.matchAll(/(?:run|rows)(?:<[^(]*>)?\(\s*`([^`]*)`/g)].map(([, sql = '']) => sql);
      return statements.some((sql) => {
        if (!sql.includes('tenant_id')) return false;
        // What stands between two `${...}` is in the source as it is sent.
        const [longest = ''] = sql
          .split(/\$\{[^}]*\}/)
          .map(flat)
          .sort((a, b) => b.length - a.length);
        return ![...seen].some((sent) => sent.includes(longest));
      });
    });
    expect(missed).toEqual([]);
  });
});
