import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import {
  buildSchema,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { MemoryFieldsResolver } from '../../src/graphql/memory-fields.resolver.js';
import { MemoryHistoryResolver } from '../../src/graphql/memory-history.resolver.js';
import { MemoryScopeResolver } from '../../src/graphql/memory-scope.resolver.js';
import { MemoryResolver } from '../../src/graphql/memory.resolver.js';
import { ObservationResolver } from '../../src/graphql/observation.resolver.js';
import { OWN_ROOT_FIELDS, OWN_TYPES } from '../../src/graphql/own-fields.js';
import { MemoryEventsResolver } from '../../src/graphql/subscriptions/memory-events.resolver.js';

const FILE = new URL('../../schema.graphql', import.meta.url);
/** What hosts and clients are promised, apart from the code that makes it: a field that changes has to change here too. */
const CONTRACT = `
scalar DateTime
scalar JSONObject
enum MemoryKind { FACT PREFERENCE GOAL INSTRUCTION EPISODIC }
enum MemorySource { MANUAL OBSERVED IMPORTED }
enum MemoryRecallMode { HYBRID VECTOR KEYWORD }
enum MemoryObservationStatus { PENDING RUNNING APPLIED NOTHING REJECTED DISABLED FAILED DEAD }
enum MemoryDecisionAction { ADD UPDATE FORGET NOOP MERGE }
enum MemoryRevisionEnd { UPDATE FORGET EXPIRE MERGE RESTORE }
enum MemoryEventAction { ADDED UPDATED FORGOTTEN RESTORED EXPIRED ERASED }
enum MemoryMessageRole { SYSTEM USER ASSISTANT TOOL }
type Memory { id: ID! content: String! kind: MemoryKind! importance: Float! metadata: JSONObject! source: MemorySource! version: Int!
  createdAt: DateTime! updatedAt: DateTime! expiresAt: DateTime lastAccessedAt: DateTime accessCount: Int! history: [MemoryRevision!]! }
type MemoryRevision { version: Int! content: String! kind: MemoryKind! importance: Float! validFrom: DateTime! validTo: DateTime! endedBy: MemoryRevisionEnd! }
type RecalledMemory { memory: Memory! score: Float! distance: Float keywordRank: Int vectorRank: Int }
type MemoryEdge { cursor: String! node: Memory! }
type MemoryPageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type MemoryConnection { edges: [MemoryEdge!]! pageInfo: MemoryPageInfo! totalCount: Int! }
type MemorySettings { enabled: Boolean! }
type MemoryKindCount { kind: MemoryKind! count: Int! }
type MemoryStats { total: Int! byKind: [MemoryKindCount!]! staleEmbeddings: Int! pendingTurns: Int! deadTurns: Int! }
type MemoryRejection { reason: String! message: String! }
type AddMemoryPayload { memory: Memory rejection: MemoryRejection }
type UpdateMemoryPayload { memory: Memory rejection: MemoryRejection }
type MemoryDecision { action: MemoryDecisionAction! memoryId: ID }
type MemoryObservation { turnId: ID! status: MemoryObservationStatus! duplicate: Boolean! decisions: [MemoryDecision!]! error: String }
type MemoryErasureReceipt { id: ID! erasedAt: DateTime! memories: Int! revisions: Int! turns: Int! }
type MemoryEvent { action: MemoryEventAction! memoryId: ID scope: String! at: DateTime! memory: Memory }
input AddMemoryInput { content: String! kind: MemoryKind = FACT importance: Float = 0.5 metadata: JSONObject expiresAt: DateTime scope: String }
input UpdateMemoryInput { id: ID! content: String kind: MemoryKind importance: Float metadata: JSONObject expiresAt: DateTime scope: String }
input MemoryMessageInput { role: MemoryMessageRole! content: String! }
input ObserveMemoryInput { messages: [MemoryMessageInput!]! turnId: ID occurredAt: DateTime timeZone: String scope: String }
type Query {
  memories(scope: String, kinds: [MemoryKind!], search: String, first: Int = 20, after: String): MemoryConnection!
  memory(id: ID!, scope: String): Memory
  memoryHistory(id: ID!, scope: String): [MemoryRevision!]!
  recall(query: String!, scope: String, kinds: [MemoryKind!], limit: Int = 5, mode: MemoryRecallMode = HYBRID, maxDistance: Float, asOf: DateTime): [RecalledMemory!]!
  memoryPrompt(query: String!, scope: String, kinds: [MemoryKind!], limit: Int = 5, maxTokens: Int): String!
  memorySettings(scope: String): MemorySettings!
  memoryStats(scope: String): MemoryStats!
  observation(turnId: ID!, scope: String): MemoryObservation
}
type Mutation {
  addMemory(input: AddMemoryInput!): AddMemoryPayload!
  updateMemory(input: UpdateMemoryInput!): UpdateMemoryPayload!
  forgetMemory(id: ID!, scope: String): Boolean!
  restoreMemory(id: ID!, version: Int!, scope: String): Memory!
  forgetStaleMemories(olderThanDays: Int!, minImportance: Float, scope: String): Int!
  forgetAllMemories(scope: String): MemoryErasureReceipt!
  observe(input: ObserveMemoryInput!): MemoryObservation!
  observeLater(input: ObserveMemoryInput!): MemoryObservation!
  retryObservation(turnId: ID!, scope: String): MemoryObservation!
  setMemoryEnabled(enabled: Boolean!, scope: String): MemorySettings!
}
type Subscription { memoryEvents(scope: String, actions: [MemoryEventAction!]): MemoryEvent! }
`;

/** Types, fields, arguments, defaults and nullability; the order and the descriptions left out. */
function shapeOf(sdl: string): string {
  const bare = visit(parse(sdl), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
    // The library's own hint on a scalar of its own.
    Directive: () => null,
  });
  return printSchema(lexicographicSortSchema(buildSchema(print(bare))));
}

const HEADER =
  '# The memory fields that MemoryGraphQLModule adds. Generated: ENGRAM_WRITE_SCHEMA=1 npx jest test/graphql/schema.spec.ts\n\n';

describe('the GraphQL schema', () => {
  let module: TestingModule;
  let schema: GraphQLSchema;

  beforeAll(async () => {
    module = await Test.createTestingModule({ imports: [GraphQLSchemaBuilderModule] }).compile();
    schema = await module
      .get(GraphQLSchemaFactory)
      .create([
        MemoryResolver,
        MemoryFieldsResolver,
        MemoryHistoryResolver,
        MemoryScopeResolver,
        ObservationResolver,
        MemoryEventsResolver,
      ]);
  });
  afterAll(() => module.close());

  it('is the one that is committed', async () => {
    const printed = `${HEADER}${printSchema(lexicographicSortSchema(schema))}\n`;
    if (process.env['ENGRAM_WRITE_SCHEMA']) await writeFile(FILE, printed);
    expect(printed).toBe(await readFile(FILE, 'utf8'));
  });

  it('is the contract, field by field', async () => {
    expect(shapeOf(await readFile(FILE, 'utf8'))).toBe(shapeOf(CONTRACT));
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

  it('counts each of its fields as one of its own', () => {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType);
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const own = types.filter((type) => !type.name.startsWith('__') && !roots.includes(type));
    expect([...OWN_TYPES].sort()).toEqual(own.map(({ name }) => name).sort());
    for (const root of roots) {
      expect([...(OWN_ROOT_FIELDS[root?.name ?? ''] ?? [])].sort()).toEqual(
        Object.keys(root?.getFields() ?? {}).sort(),
      );
    }
  });
});
