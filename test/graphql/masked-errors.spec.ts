import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApolloFederationDriver } from '@nestjs/apollo';
import { Logger } from '@nestjs/common';
import { MemoryService } from 'nestjs-engram';
import { engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { IdentifiableRequest, Identity } from 'nestjs-engram/graphql';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import { EventClient } from './event-client.js';
import { FIELDS } from './fields.js';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';
import { until } from '../support/until.js';

const LEAK = /SELECT|engram\.memories|treasure|QueryFailed|23505|node_modules|\.ts:|\s+at /;

/** What TypeORM throws of a failed statement: the statement, its parameters and the row. */
class QueryFailedError extends Error {
  override readonly name = 'QueryFailedError';
  readonly query = 'SELECT content FROM engram.memories WHERE content = $1';
  readonly parameters = ['Buried a treasure'];
  readonly code = '23505';
  readonly detail = 'Key (content)=(Buried a treasure) already exists.';

  constructor() {
    super('duplicate key: SELECT content FROM engram.memories\n    at Buried a treasure');
  }
}

/** Methods of the store that fail. */
const failing = new Set<string>();

function failable<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (object, name): unknown => {
      const value = Reflect.get(object, name, object) as unknown;
      if (typeof value === 'object' && value !== null) return failable(value);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (failing.has('*') || failing.has(String(name))) throw new QueryFailedError();
        return Reflect.apply(value, object, args);
      };
    },
  });
}

const identify = ({ connectionParams, headers }: IdentifiableRequest): Identity | null => {
  const [tenantId, subject] = String(connectionParams?.['caller'] ?? headers['x-caller'] ?? '').split('/');
  return tenantId && subject ? { tenantId, subject } : null;
};

describe('errors of the store', () => {
  let host: GraphQLApp;
  let logged: string[];
  let id = '';

  beforeAll(async () => {
    host = await graphqlApp({
      store: failable(new InMemoryMemoryStore()),
      identify,
      host: {
        driver: ApolloFederationDriver,
        autoSchemaFile: { federation: 2 },
        ...engramGraphQLDefaults({ identify }),
      },
    });
    const { memory } = await host.app
      .get(MemoryService)
      .for({ tenantId: 'acme', scope: 'user:1' })
      .add('Buried a treasure');
    id = memory?.id ?? '';
  });
  beforeEach(() => {
    logged = [];
    for (const level of ['error', 'warn', 'log'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((message: unknown) => void logged.push(String(message)));
    }
  });
  afterEach(() => {
    failing.clear();
    jest.restoreAllMocks();
  });
  afterAll(() => host.close());

  const expectMasked = (errors: readonly { message: string; extensions?: Record<string, unknown> }[]): void => {
    expect(errors).toMatchObject([
      { message: expect.stringContaining('Something went wrong'), extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ]);
    expect(JSON.stringify(errors)).not.toMatch(LEAK);
    expect(logged.join('\n')).not.toMatch(/SELECT|treasure/);
    expect(logged.join('\n')).toContain('QueryFailedError');
  };

  it.each(Object.keys(FIELDS))('say nothing of themselves through %s, and neither does the log', async (field) => {
    failing.add('*');
    const { errors, text } = await host.as('acme/1')(FIELDS[field]?.(id, 'scope: null') ?? '');
    expectMasked(errors);
    expect(text).not.toMatch(LEAK);
  });

  it('say nothing of themselves through the history of a memory', async () => {
    failing.add('histories');
    const { data, errors } = await host.as('acme/1')(`{ memory(id: "${id}") { history { version } } }`);
    expect(data).toEqual({ memory: null });
    expectMasked(errors);
  });

  it('say nothing of themselves through a reference', async () => {
    failing.add('getMany');
    const { data, errors } = await host.as('acme/1')(
      `{ _entities(representations: [{ __typename: "Memory", id: "${id}" }]) { ... on Memory { content } } }`,
    );
    expect(data).toEqual({ _entities: [null] });
    expectMasked(errors);
  });

  it('say nothing of themselves over a web socket', async () => {
    failing.add('getMany');
    const url = (await host.app.getUrl()).replace('[::1]', '127.0.0.1');
    const client = new EventClient(url, { connectionParams: { caller: 'acme/1' } });
    const received = client.subscribe('subscription { memoryEvents { action memory { content } } }');
    const memory = host.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:1' });
    // Until the subscription is there, an event passes it by.
    let number = 0;
    await until(async () => {
      await memory.add(`Buried treasure number ${(number += 1)}`);
      return received.errors.length > 0;
    });
    expectMasked(received.errors.slice(0, 1));
    expect(received.events[0]).toEqual({ action: 'ADDED', memory: null });
    await client.close();
  });

  it('say nothing of themselves where a subscription begins', async () => {
    const url = (await host.app.getUrl()).replace('[::1]', '127.0.0.1');
    const client = new EventClient(url, { connectionParams: { caller: 'acme/1' } });
    const [refused] = (await client.subscribe('subscription { memoryEvents(scope: "treasure") { action } }').ended) as {
      message: string;
    }[];
    expect(refused).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect(JSON.stringify(refused)).not.toMatch(LEAK);
    await client.close();
  });
});
