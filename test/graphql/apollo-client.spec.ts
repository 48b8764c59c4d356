import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache, gql } from '@apollo/client';
import type { TypedDocumentNode } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OperationTypeNode } from 'graphql';
import { PubSub } from 'graphql-subscriptions';
import { createClient } from 'graphql-ws';
import { MemoryService } from 'nestjs-engram';
import type { ScopedMemory } from 'nestjs-engram';
import { MemorySubscriptions, engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { IdentifiableRequest, Identity, MemoryEventMessage } from 'nestjs-engram/graphql';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import WebSocket from 'ws';
import { graphqlApp, identifyByHeader } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';

interface Listed {
  readonly memories: { readonly totalCount: number; readonly edges: { readonly node: { readonly content: string } }[] };
}

const MEMORIES: TypedDocumentNode<Listed> = gql`
  query {
    memories {
      totalCount
      edges {
        node {
          id
          content
        }
      }
    }
  }
`;
const ADD: TypedDocumentNode<{ addMemory: { memory: { id: string } | null } }, { input: { content: string } }> = gql`
  mutation ($input: AddMemoryInput!) {
    addMemory(input: $input) {
      memory {
        id
        content
      }
    }
  }
`;
const EVENTS: TypedDocumentNode<{ memoryEvents: { action: string; memory: { content: string } | null } }> = gql`
  subscription {
    memoryEvents {
      action
      memory {
        id
        content
      }
    }
  }
`;

/** A bus whose connection breaks: what is published meanwhile is lost. */
class BreakingBus extends PubSub {
  private readonly connection = new EventEmitter();
  private broken = false;

  getSubscriber(): EventEmitter {
    return this.connection;
  }

  break(): void {
    this.broken = true;
    this.connection.emit('close');
  }

  mend(): void {
    this.broken = false;
    this.connection.emit('ready');
  }

  override async publish(topic: string, message: MemoryEventMessage): Promise<void> {
    if (!this.broken) await super.publish(topic, message);
  }
}

function identify({ connectionParams, headers }: IdentifiableRequest): Identity | null {
  return identifyByHeader({ headers: { 'x-caller': String(connectionParams?.['caller'] ?? headers['x-caller']) } });
}

describe('an Apollo Client', () => {
  const bus = new BreakingBus();
  let host: GraphQLApp;
  let memory: ScopedMemory;
  let client: ApolloClient;
  let closeSocket: () => void | Promise<void>;

  beforeEach(async () => {
    host = await graphqlApp({
      store: new InMemoryMemoryStore(),
      identify,
      pubSub: bus,
      host: engramGraphQLDefaults({ identify }),
    });
    memory = host.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ada' });
    const sockets = createClient({
      url: `${host.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { caller: 'acme/ada' },
      retryWait: () => sleep(10),
      on: {
        connected: (_socket, payload, wasRetry) => {
          if (!wasRetry) return;
          const { engram } = payload as { engram: { reread: string[] } };
          client.refetchQueries({
            updateCache: (cache) => engram.reread.forEach((fieldName) => cache.evict({ fieldName })),
          });
        },
      },
    });
    closeSocket = () => sockets.dispose();
    client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.split(
        ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
        new GraphQLWsLink(sockets),
        new HttpLink({ uri: `${host.url}/graphql`, headers: { 'x-caller': 'acme/ada' } }),
      ),
    });
  });
  afterEach(async () => {
    client.stop();
    await closeSocket();
    await host.close();
  });

  it('queries and mutates, and meets our codes', async () => {
    const { data } = await client.mutate({ mutation: ADD, variables: { input: { content: 'Keeps bees' } } });
    expect(data?.addMemory.memory?.id).toEqual(expect.any(String));
    expect((await client.query({ query: MEMORIES })).data?.memories.totalCount).toBe(1);
    const refused = client.query({ query: gql('{ memories(scope: "user:bob") { totalCount } }') });
    await expect(refused).rejects.toBeInstanceOf(CombinedGraphQLErrors);
    await expect(refused).rejects.toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });

  it('hears of what happens over its socket', async () => {
    const heard = new Promise((resolve, reject) =>
      client.subscribe({ query: EVENTS }).subscribe({ next: resolve, error: reject }),
    );
    while (host.app.get(MemorySubscriptions).size.subscriptions === 0) await sleep(10);
    await memory.add('Keeps bees');
    expect(await heard).toMatchObject({
      data: { memoryEvents: { action: 'ADDED', memory: { content: 'Keeps bees' } } },
    });
  });

  it('reads again what it shows when it comes back after events were missed', async () => {
    const subscriptions = host.app.get(MemorySubscriptions);
    const events: string[] = [];
    client
      .subscribe({ query: EVENTS })
      .subscribe(({ data }) => void events.push(data?.memoryEvents.memory?.content ?? 'nothing'));
    const shown = client.watchQuery({ query: MEMORIES });
    const counts: number[] = [];
    const watching = shown.subscribe(({ data, dataState }) => {
      if (dataState === 'complete') counts.push(data.memories.totalCount);
    });
    while (subscriptions.size.subscriptions === 0 || counts.length === 0) await sleep(10);

    bus.break();
    await memory.add('Keeps bees');
    bus.mend();
    while (counts.at(-1) !== 1) await sleep(10);
    while (subscriptions.size.subscriptions === 0) await sleep(10);
    await memory.add('Keeps hens');
    while (events.length === 0) await sleep(10);
    expect(events).toEqual(['Keeps hens']);
    expect(new Set(counts)).toEqual(new Set([0, 1]));
    watching.unsubscribe();
  });
});
