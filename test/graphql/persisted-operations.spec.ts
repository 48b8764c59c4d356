import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { MemorySubscriptions, engramGraphQLDefaults } from 'nestjs-engram/graphql';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import { EventClient } from './event-client.js';
import { graphqlApp, identifyByHeader } from './graphql-app.js';
import type { GraphQLApp, GraphQLAppOptions } from './graphql-app.js';

const READ = '{ memories { totalCount } }';
const EVENTS = 'subscription { memoryEvents { action } }';
const identify = identifyByHeader;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const known = new Set([READ, EVENTS].map(sha256));
const unknown = (): GraphQLError =>
  new GraphQLError('This operation is not one of ours.', { extensions: { code: 'FORBIDDEN' } });

/** Lets only those operations run whose documents the app was built with. */
const knownOperations: ApolloServerPlugin = {
  async requestDidStart(): Promise<GraphQLRequestListener<object>> {
    return {
      async didResolveOperation({ queryHash }) {
        if (!known.has(queryHash)) throw unknown();
      },
    };
  },
};

const defaults = engramGraphQLDefaults({ identify });
const hooks = defaults.subscriptions?.['graphql-ws'];
const knownSubscriptions = {
  'graphql-ws': {
    ...hooks,
    onSubscribe: (...args: Parameters<NonNullable<NonNullable<typeof hooks>['onSubscribe']>>) =>
      known.has(sha256(args[2].query)) ? hooks?.onSubscribe?.(...args) : [unknown()],
  },
};

describe('persisted operations', () => {
  let host: GraphQLApp;
  const start = async (options: GraphQLAppOptions['host'] = {}): Promise<GraphQLApp> =>
    (host = await graphqlApp({ store: new InMemoryMemoryStore(), host: { ...defaults, ...options } }));
  afterEach(() => host.close());

  const send = async (body: object): Promise<unknown> => {
    const response = await fetch(`${host.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-caller': 'acme/ada' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const byHash = (query: string): object => ({
    extensions: { persistedQuery: { version: 1, sha256Hash: sha256(query) } },
  });
  const data = { memories: { totalCount: 0 } };

  it('are taken by their hash once a client has sent them, as Apollo does it without a setting', async () => {
    await start();
    expect(await send(byHash(READ))).toMatchObject({ errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] });
    expect(await send({ query: READ, ...byHash(READ) })).toEqual({ data });
    expect(await send(byHash(READ))).toEqual({ data });
  });

  it('are not taken by their hash where the host switches that off', async () => {
    await start({ persistedQueries: false });
    expect(await send(byHash(READ))).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
    });
  });

  it('are all that runs where a plugin of the host says so, by their hash or in full', async () => {
    const { as } = await start({ plugins: [...defaults.plugins, knownOperations] });
    expect((await as('acme/ada')(READ)).data).toEqual(data);
    expect(await send({ query: READ, ...byHash(READ) })).toEqual({ data });
    const other = 'mutation { forgetAllMemories { id } }';
    for (const body of [{ query: other }, { query: other, ...byHash(other) }]) {
      expect(await send(body)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    }
    // What was refused was not kept to be called by its hash either.
    expect(await send(byHash(other))).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    });
  });

  it('are all that is subscribed to where a hook of the host says so', async () => {
    const { app, url, as } = await start({ subscriptions: knownSubscriptions });
    const client = new EventClient(url, { headers: { 'x-caller': 'acme/ada' } });
    try {
      expect(await client.subscribe('subscription { memoryEvents { memoryId } }').ended).toMatchObject([
        { extensions: { code: 'FORBIDDEN' } },
      ]);
      const events = client.subscribe(EVENTS);
      while (app.get(MemorySubscriptions).size.subscriptions === 0) await sleep(10);
      await as('acme/ada')('mutation { addMemory(input: { content: "Keeps bees" }) { memory { id } } }');
      await events.until(1);
      expect(events.events[0]).toEqual({ action: 'ADDED' });
    } finally {
      await client.close();
    }
  });
});
