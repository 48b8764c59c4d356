import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { INestApplication } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { Test } from '@nestjs/testing';
import { PubSub } from 'graphql-subscriptions';
import type { AddressInfo, Server } from 'node:net';
import { MemoryModule, MemoryService, SecretlintPersistencePolicy } from 'nestjs-engram';
import type { Embedder, MemoryEvent, Message, ScopedMemory } from 'nestjs-engram';
import { engramGraphQLDefaults, MemoryGraphQLModule } from 'nestjs-engram/graphql';
import type { Identify } from 'nestjs-engram/graphql';
import { OpenAiCompletion, OpenAiEmbedder } from 'nestjs-engram/openai';
import { OpenAiServer } from 'nestjs-engram/testing';
import type { OpenAiServerReply, OpenAiServerRequest } from 'nestjs-engram/testing';
import type { Logger } from 'typeorm';
import { EventClient } from '../graphql/event-client.js';
import { decided, extracted } from '../memory/memory-app.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';
import { OpenTelemetrySdk } from './open-telemetry-sdk.js';
import { Outlets } from './outlets.js';

/** Stands in every text, query, message and piece of metadata. */
const SAID = 'Quagmire';
/** Stands in every id of a turn: domain events name the turn, nothing else does. */
const TURN = 'Turnstile';
/** Stands in tenant and scope: domain events name both, nothing else does. */
const OWNER = 'Ownerling';

const SCOPE = { tenantId: `tenant-${OWNER}`, scope: `user:${OWNER}` };
const SECRET = `The key of ${SAID} is AKIAIOSFODNN7EXAMPLA`;
const said = (content: string): Message[] => [{ role: 'user', content }];

/** Services quote what they were sent. */
const quoted = (status: number, { body }: OpenAiServerRequest): OpenAiServerReply => ({
  status,
  body: { error: { message: `Not this: ${JSON.stringify(body)}`, type: SAID, code: SAID, param: SAID } },
  headers: { 'x-request-id': SAID },
});

const identify: Identify = ({ headers, connectionParams }) =>
  (connectionParams?.['caller'] ?? headers['x-caller']) === 'owner'
    ? { tenantId: SCOPE.tenantId, subject: OWNER }
    : null;

// Real: the module over HTTP and web sockets, Postgres, the openai client, OpenTelemetry's SDK. Doubles: the service that
// speaks OpenAI's protocol, and exporters.
describe('what was said', () => {
  const sdk = new OpenTelemetrySdk();
  const outlets = new Outlets();
  let database: PostgresStoreUnderTest;
  let service: OpenAiServer;
  let app: INestApplication;
  let url: string;
  let memory: ScopedMemory;
  /** Of the model, in their order; then it finds nothing. */
  const answers: string[] = [];
  /** Status with which the service fails. */
  let failsWith: number | null = null;
  /** By the host's own embedder. */
  let thrown: Error | null = null;

  beforeAll(async () => {
    database = await openPostgresStore();
    const { dataSource } = database;
    // As a host has it that logs all that TypeORM does: every statement, slow ones, and those that fail.
    const logged = (...args: unknown[]): void => outlets.show('statement log', ...args.slice(0, -1));
    const logger: Logger = {
      logQuery: logged,
      logQueryError: (error, ...args) => logged(String(error), ...args),
      logQuerySlow: logged,
      logSchemaBuild: logged,
      logMigration: logged,
      log: () => undefined,
    };
    dataSource.setOptions({ logging: 'all', logger, maxQueryExecutionTime: 1 });
    service = await OpenAiServer.start({
      answer: () => answers.shift() ?? extracted(),
      intercept: (request) => (failsWith === null ? null : quoted(failsWith, request)),
    });
    const options = { apiKey: 'sk-test', baseURL: service.baseURL };
    const openAi = new OpenAiEmbedder({ ...options, model: 'text-embedding-3-small', dimensions: 64 });
    const { space, dimensions, calibration } = openAi;
    const embedder: Embedder = {
      space,
      dimensions,
      calibration,
      embedDocuments: (texts, own) => (thrown ? Promise.reject(thrown) : openAi.embedDocuments(texts, own)),
      embedQuery: (text, own) => (thrown ? Promise.reject(thrown) : openAi.embedQuery(text, own)),
    };
    const pubSub = new PubSub();
    const publish = pubSub.publish.bind(pubSub);
    pubSub.publish = (topic: string, message: object) => {
      outlets.show('bus', topic, { ...message, tenantId: null, scope: null });
      return publish(topic, message as never);
    };
    const module = await Test.createTestingModule({
      imports: [
        MemoryModule.forRoot({
          storage: { adapter: 'postgres', create: () => database.store },
          embedder,
          completion: new OpenAiCompletion({ ...options, model: 'gpt-4o-mini' }),
          policy: new SecretlintPersistencePolicy({
            denylist: [/denied/],
            hostPolicy: ({ content }) => {
              if (content.includes('throws')) throw new Error(`not ${content}`);
              return null;
            },
          }),
          observation: { sweepIntervalMs: 0, retryDelayMs: 1, maxFailures: 2 },
          circuit: { failures: 1_000 },
        }),
        MemoryGraphQLModule.forRoot({ identify, pubSub }),
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          autoSchemaFile: true,
          ...engramGraphQLDefaults({ identify }),
        }),
      ],
    })
      .setLogger(outlets)
      .compile();
    app = module.createNestApplication({ logger: outlets });
    await app.listen(0, '127.0.0.1');
    dataSource.subscribers.push({
      beforeQuery: ({ query, parameters }) => outlets.show('statement subscriber', query, parameters),
    });
    url = `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
    memory = app.get(MemoryService).for(SCOPE);
    app.get(MemoryService).onEvent(({ name, payload }: MemoryEvent) => {
      if (name.startsWith('engram.')) outlets.show('telemetry', name, payload);
      else outlets.show('domain event', name, { ...payload, tenantId: null, scope: null, turnId: null });
    });
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
    await sdk.stop();
  });
  beforeEach(async () => {
    answers.length = 0;
    failsWith = null;
    thrown = null;
    await memory.forgetAll();
  });

  const fails = async (call: () => unknown): Promise<void> => {
    let error: unknown;
    try {
      await call();
    } catch (caught) {
      error = caught;
    }
    if (!(error instanceof Error)) throw new Error(`${String(call)} did not fail`);
    outlets.show('error', error, String(error), JSON.stringify(error), error.stack ?? '');
  };
  const asked = async (query: string, variables: Record<string, unknown> = {}): Promise<unknown> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-caller': 'owner' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    if (errors) outlets.show('graphql error', errors);
    return data;
  };
  const added = async (content: string): Promise<string> => {
    const { memory: one } = await memory.add(content, { metadata: { [`key${SAID}`]: SAID } });
    if (!one) throw new Error('nothing was stored');
    return one.id;
  };

  it('does its work in every call', async () => {
    const boat = await added(`Owns a boat named ${SAID}`);
    await memory.addMany([{ content: `Keeps ${SAID} bees` }, { content: `Has a ${SAID} hat`, metadata: { a: SAID } }]);
    await memory.update(boat, { content: `Owns a ship named ${SAID}`, metadata: { b: [SAID] } });
    expect(await memory.recall(`the ship ${SAID}`, { metadata: { b: [SAID] } })).toHaveLength(1);
    expect(await memory.promptBlock(`bees of ${SAID}`)).toContain(SAID);
    await memory.list({ search: SAID });
    await memory.forget(boat);
    await memory.restore(boat, 1);
    answers.push(extracted(`Moved to ${SAID}`), decided('add'));
    const turn = { turnId: `${TURN} 1`, context: said(`Where to, ${SAID}?`) };
    expect(await memory.observe(said(`I moved to ${SAID}.`), turn)).toMatchObject({ status: 'applied' });
    await memory.observeLater(said(`I like it in ${SAID}.`), { turnId: `${TURN} later` });
    let lines = '';
    for await (const line of memory.export({ withVectors: true })) lines += line as string;
    expect(lines).toContain(SAID);
  });

  it('is refused', async () => {
    for (const content of [SECRET, `Is denied to ${SAID}`]) {
      const { rejection } = await memory.add(content);
      expect(rejection).not.toBeNull();
      outlets.show('rejection', rejection);
    }
    await fails(() => memory.add(`Is what ${SAID} throws`));
    answers.push(extracted(SECRET));
    const refused = await memory.observe(said(`My key is ${SAID}`), { turnId: `${TURN} 2` });
    expect(refused.status).toBe('rejected');
  });

  it('is malformed, or not what it should be', async () => {
    const bees = await added(`Keeps bees and ${SAID}`);
    await added(`Keeps ducks and ${SAID}`);
    await memory.observe(said(`I was told of ${SAID}.`), { turnId: `${TURN} 3` });
    const wrong = SAID as never;
    await fails(() => memory.add(SAID.repeat(1_000)));
    await fails(() => memory.add(`${SAID}\u0000`));
    await fails(() => memory.add({ [SAID]: SAID } as never));
    for (const option of ['kind', 'importance', 'expiresAt', 'metadata'])
      await fails(() => memory.add('Is', { [option]: wrong }));
    await fails(() => memory.add('Is', { metadata: { [SAID]: () => SAID } as never }));
    await fails(() => memory.add('Is', { metadata: { [`${SAID}\u0000`]: 1 } }));
    await fails(() => memory.add('Is', { metadata: { a: { [SAID]: `\uD800${SAID}` } } }));
    await fails(() => memory.add('Is', { metadata: { [SAID]: SAID.repeat(10_000) } }));
    await fails(() => memory.addMany([{ content: 'Is' }, { content: SAID.repeat(1_000) }]));
    await fails(() => memory.update(bees, { content: `Keeps ducks and ${SAID}` }));
    await fails(() => memory.update(SAID, { content: SAID }));
    await fails(() => memory.restore(SAID, 1));
    await fails(() => memory.recall({ [SAID]: SAID } as never));
    for (const option of ['limit', 'kinds', 'maxDistance', 'mode', 'maxTokens', 'asOf', 'alsoIn', 'metadata'])
      await fails(() => memory.recall('bees', { [option]: wrong }));
    await fails(() => memory.recall('bees', { kinds: [wrong] }));
    await fails(() => memory.list({ after: SAID }));
    await fails(() => memory.observe([{ role: wrong, content: SAID }], { turnId: `${TURN} 4` }));
    await fails(() => memory.observe(said(SAID.repeat(100_000))));
    await fails(() => memory.observe(said(SAID), { turnId: TURN.repeat(100) }));
    for (const option of ['timeZone', 'occurredAt', 'context'])
      await fails(() => memory.observe(said(SAID), { [option]: wrong }));
    await fails(() => memory.observe(said(`Other words of ${SAID}`), { turnId: `${TURN} 3` }));
    await fails(() => memory.retryObservation(`${TURN} 3`));
    await fails(() => memory.retryObservation(`${TURN} of nobody`));
    await fails(() => app.get(MemoryService).for({ ...SCOPE, scope: OWNER.repeat(100) }));
  });

  it('is quoted by a provider that fails', async () => {
    const tried = async (what: string): Promise<void> => {
      await fails(() => memory.add(`Was told ${what} about ${SAID}`));
      await memory.recall(`What of ${what} and ${SAID}?`);
    };
    for (failsWith of [400, 401, 404, 429, 500]) await tried(`a ${failsWith}`);
    failsWith = null;
    const named = Object.assign(new Error(SAID), { name: SAID, code: SAID });
    for (thrown of [new Error(`not ${SAID}`, { cause: SAID }), named]) await tried('an error');
    thrown = null;

    for (const status of [400, 500]) {
      const turnId = `${TURN} ${status}`;
      failsWith = status;
      const { status: outcome } = await memory.observe(said(`I was told of ${SAID}.`), { turnId });
      expect(outcome).toMatch(/failed|dead/);
      failsWith = null;
      outlets.show('error code', (await memory.observation(turnId))?.error);
      answers.push(`no JSON about ${SAID}`, `nor here about ${SAID}`);
      await memory.retryObservation(turnId);
      await memory.observe(said(`And I was told more of ${SAID}.`), { turnId: `${turnId} more` });
      outlets.show('error code', (await memory.observation(turnId))?.error);
    }
  });

  it('is quoted by the database', async () => {
    const { dataSource } = database;
    const tried = async (what: string): Promise<void> => {
      await fails(() => memory.add(`Is ${what} by ${SAID}`));
      await asked('mutation ($c: String!) { addMemory(input: { content: $c }) { memory { id } } }', {
        c: `Is ${what}, says ${SAID}`,
      });
    };
    await dataSource.query(`ALTER TABLE engram.memories ADD CONSTRAINT never CHECK (content NOT LIKE '%unwanted%')`);
    await tried('unwanted');
    answers.push(extracted(`Is unwanted by ${SAID}`));
    const failed = await memory.observe(said(`I am unwanted by ${SAID}.`), { turnId: `${TURN} unwanted` });
    expect(failed.status).toMatch(/failed|dead/);
    outlets.show('error code', failed.error);
    await dataSource.query('ALTER TABLE engram.memories DROP CONSTRAINT never');

    await dataSource.query('ALTER TABLE engram.memories RENAME TO elsewhere');
    await tried('lost');
    await fails(() => memory.recall(`Where is ${SAID}?`));
    await asked('query ($q: String!) { recall(query: $q) { score } }', { q: `Where is ${SAID}?` });
    await dataSource.query('ALTER TABLE engram.elsewhere RENAME TO memories');
  });

  it('is asked for over GraphQL, and subscribed to', async () => {
    const client = new EventClient(url, { connectionParams: { caller: 'owner' } });
    const subscription = client.subscribe('subscription { memoryEvents { action memoryId at } }');
    const add = `mutation ($c: String!, $m: JSONObject) {
      addMemory(input: { content: $c, metadata: $m }) { memory { id } rejection { reason message } } }`;
    // Until the subscription is there.
    for (let no = 0; subscription.events.length === 0; no += 1)
      await asked(add, { c: `Has ${no} hats of ${SAID}`, m: { [SAID]: SAID } });
    outlets.show('subscription', subscription.events, subscription.errors);
    await client.client.dispose();
    outlets.show('rejection', await asked(add, { c: SECRET }));
    await asked(add, { c: SAID.repeat(1_000) });
    await asked(add, { c: `${SAID}\u0000` });
    await asked('query ($q: String!) { recall(query: $q, limit: 1000) { score } }', { q: SAID });
    await asked('query ($q: ID!) { memoryHistory(id: $q) { version } }', { q: SAID });
    await asked('mutation ($q: ID!) { restoreMemory(id: $q, version: 1) { id } }', { q: SAID });
    await asked('query ($s: String!) { memories(after: $s) { totalCount } }', { s: SAID });
    await asked('mutation ($t: ID!) { retryObservation(turnId: $t) { status } }', { t: `${TURN} of nobody` });
    failsWith = 500;
    await asked('mutation ($m: [MemoryMessageInput!]!) { observe(input: { messages: $m }) { status error } }', {
      m: [{ role: 'USER', content: `I was told of ${SAID}.` }],
    });
  });

  it('has left by no event, log line, span, metric or error', async () => {
    await app.close();
    for (const { name, attributes, events, links, status, resource } of sdk.spans())
      outlets.show('span', { name, attributes, events, links, status, resource: resource.attributes });
    outlets.show('metric', await sdk.metrics());
    const seen = [...outlets.seen].sort();
    expect(seen).toEqual([
      'bus',
      'domain event',
      'error',
      'error code',
      'graphql error',
      'log',
      'metric',
      'rejection',
      'span',
      'statement log',
      'statement subscriber',
      'subscription',
      'telemetry',
    ]);
    expect(outlets.leaks([SAID, TURN, OWNER])).toEqual([]);
  });
});
