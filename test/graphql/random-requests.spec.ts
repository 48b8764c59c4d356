import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { MemoryService } from 'nestjs-engram';
import { MemorySubscriptions, engramGraphQLDefaults } from 'nestjs-engram/graphql';
import WebSocket from 'ws';
import { graphqlApp, identifyByHeader } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';
import { RandomOperations } from './random-operations.js';
import { Random } from '../support/random.js';
import type { Operation } from './random-operations.js';

/** What an answer never has: a fault of ours, a stack, SQL, or what somebody else's memory says. */
const NEVER =
  /INTERNAL_SERVER_ERROR|Internal server error|\\n {4}at |node_modules|QueryFailed|syntax error at|hides a zebra/;

/** Of the same seed always; more, and others, by the environment. */
const SEED = Number(process.env['RANDOM_SEED'] ?? 20);
const REQUESTS = Number(process.env['RANDOM_REQUESTS'] ?? 200);
const SLOW = 60_000 + REQUESTS * 200;

describe('random requests', () => {
  let host: GraphQLApp;
  let strings: string[];
  const logged = (): unknown[] => jest.mocked(console.error).mock.calls.map(([first]) => first);

  beforeAll(async () => {
    host = await graphqlApp({ host: engramGraphQLDefaults({ identify: identifyByHeader }) });
    const memories = host.app.get(MemoryService);
    const own = await memories.for({ tenantId: 'acme', scope: 'user:ada' }).add('Keeps bees');
    const foreign = await memories.for({ tenantId: 'acme', scope: 'user:bob' }).add('Bob hides a zebra');
    strings = [own.memory?.id ?? '', foreign.memory?.id ?? '', 'user:ada', 'user:bob', 'bees', 'zebra'];
  });
  afterAll(() => host.close());
  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const operations = (random: Random): RandomOperations =>
    new RandomOperations(host.app.get(GraphQLSchemaHost).schema, random, strings);

  async function send(operation: Operation, random: Random, next: () => Operation): Promise<Response> {
    const headers = { 'content-type': 'application/json', 'x-caller': 'acme/ada', 'apollo-require-preflight': '1' };
    if (random.chance(0.1)) {
      const asText = Object.entries(operation).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      return fetch(`${host.url}/graphql?${new URLSearchParams(Object.fromEntries(asText) as Record<string, string>)}`, {
        headers,
      });
    }
    const whole = JSON.stringify(random.chance(0.03) ? [operation, next()] : operation);
    const body = random.chance(0.02) ? whole.slice(0, random.upTo(whole.length)) : whole;
    return fetch(`${host.url}/graphql`, { method: 'POST', headers, body });
  }

  it(
    'over HTTP are answered, whatever is wrong with them, and never with a fault of ours',
    async () => {
      const random = new Random(SEED);
      const made = operations(random);
      const next = (): Operation => made.next(random.of(['query', 'query', 'mutation', 'subscription'] as const));
      const offences: unknown[] = [];
      let answered = 0;
      for (let count = 0; count < REQUESTS; count += 1) {
        const operation = next();
        const response = await send(operation, random, next);
        const text = await response.text();
        if (response.status >= 500 || NEVER.test(text)) offences.push([operation, response.status, text]);
        if (response.status === 200) answered += 1;
      }
      expect(offences).toEqual([]);
      expect(logged()).toEqual([]);
      // Most of them reach the resolvers, or nothing was tried.
      expect(answered).toBeGreaterThan(REQUESTS / 4);
      const { memories } = await host.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:bob' }).list();
      expect(memories.map(({ content }) => content)).toEqual(['Bob hides a zebra']);
    },
    SLOW,
  );

  it(
    'over graphql-ws are refused or followed, and never end with a fault of ours',
    async () => {
      const random = new Random(SEED);
      const made = operations(random);
      const subscriptions = host.app.get(MemorySubscriptions);
      const offences: unknown[] = [];
      let followed = 0;
      let socket: WebSocket | null = null;
      const connected = async (): Promise<WebSocket> => {
        if (socket?.readyState === WebSocket.OPEN) return socket;
        socket = new WebSocket(`${host.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
          headers: { 'x-caller': 'acme/ada' },
        });
        await new Promise((resolve) => socket?.once('open', resolve));
        socket.send(JSON.stringify({ type: 'connection_init' }));
        await new Promise((resolve) => socket?.once('message', resolve));
        return socket;
      };
      for (let count = 0; count < REQUESTS; count += 1) {
        const operation = made.next(random.of(['subscription', 'subscription', 'subscription', 'query'] as const));
        const current = await connected();
        let what = '';
        current.once('message', (data: Buffer) => (what = data.toString()));
        current.once('close', (code) => (what ||= `closed with ${code}`));
        current.send(JSON.stringify({ id: String(count), type: 'subscribe', payload: operation }));
        while (what === '' && subscriptions.size.subscriptions === 0) await sleep(2);
        if (NEVER.test(what) || what === 'closed with 4500') offences.push([operation, what]);
        if (subscriptions.size.subscriptions > 0) {
          followed += 1;
          current.send(JSON.stringify({ id: String(count), type: 'complete' }));
          while (subscriptions.size.subscriptions > 0) await sleep(2);
        }
        current.removeAllListeners('message').removeAllListeners('close');
      }
      (socket as WebSocket | null)?.terminate();
      expect(offences).toEqual([]);
      expect(logged()).toEqual([]);
      expect(followed).toBeGreaterThan(REQUESTS / 20);
    },
    SLOW,
  );
});
