import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { isInputObjectType, isNonNullType, isObjectType, lexicographicSortSchema, printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { MemoryHistoryResolver } from '../../src/graphql/memory-history.resolver.js';
import { MemoryScopeResolver } from '../../src/graphql/memory-scope.resolver.js';
import { MemoryResolver } from '../../src/graphql/memory.resolver.js';
import { ObservationResolver } from '../../src/graphql/observation.resolver.js';
import { MemoryEventsResolver } from '../../src/graphql/subscriptions/memory-events.resolver.js';

const FILE = new URL('../../schema.graphql', import.meta.url);
const HEADER =
  '# The memory fields that MemoryGraphQLModule adds. Generated: ENGRAM_WRITE_SCHEMA=1 npx jest test/graphql/schema.spec.ts\n\n';

describe('the GraphQL schema', () => {
  let module: TestingModule;
  let schema: GraphQLSchema;

  beforeAll(async () => {
    module = await Test.createTestingModule({ imports: [GraphQLSchemaBuilderModule] }).compile();
    schema = await module
      .get(GraphQLSchemaFactory)
      .create([MemoryResolver, MemoryHistoryResolver, MemoryScopeResolver, ObservationResolver, MemoryEventsResolver]);
  });
  afterAll(() => module.close());

  it('is the one that is committed', async () => {
    const printed = `${HEADER}${printSchema(lexicographicSortSchema(schema))}\n`;
    if (process.env['ENGRAM_WRITE_SCHEMA']) await writeFile(FILE, printed);
    expect(printed).toBe(await readFile(FILE, 'utf8'));
  });

  it('takes a scope wherever it reads or writes, and a tenant nowhere', () => {
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );
    expect(fields.length).toBeGreaterThan(0);
    for (const field of fields) {
      const input = field.args.find(({ name }) => name === 'input')?.type;
      const named = input && isNonNullType(input) ? input.ofType : undefined;
      const names = [
        ...field.args.map(({ name }) => name),
        ...(named && isInputObjectType(named) ? Object.keys(named.getFields()) : []),
      ];
      expect([field.name, names]).toEqual([field.name, expect.arrayContaining(['scope'])]);
      expect(names.filter((name) => /tenant/i.test(name))).toEqual([]);
    }
  });

  it('names its types so that they do not collide with those of a host', () => {
    const own = Object.values(schema.getTypeMap()).filter(
      (type) => !type.name.startsWith('__') && (isObjectType(type) || isInputObjectType(type)),
    );
    expect(own.filter(({ name }) => !name.includes('Memory')).map(({ name }) => name)).toEqual([
      'Query',
      'Mutation',
      'Subscription',
    ]);
  });
});
