import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MemoryService } from 'nestjs-engram';
import type { ScopedMemory } from 'nestjs-engram';
import { engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { IdentifiableRequest, Identity } from 'nestjs-engram/graphql';
import { InMemoryMemoryStore } from 'nestjs-engram/testing';
import WebSocket from 'ws';
import { MemorySubscriptions } from '../../src/graphql/subscriptions/memory-subscriptions.js';
import { EVENTS, EventClient } from './event-client.js';
import type { EventClientOptions, Subscription } from './event-client.js';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp, GraphQLAppOptions } from './graphql-app.js';
import { until } from '../support/until.js';

/** Identities that end, by the name of the subject. */
const expiries = new Map<string, Date>();
/** Scopes that a subject may read beside its own, as long as they stand here. */
const teams = new Map<string, string>();

function identify({ connectionParams, headers }: IdentifiableRequest): Identity | null {
  const [tenantId, subject] = String(connectionParams?.['caller'] ?? headers['x-caller'] ?? '').split('/');
  if (!tenantId || !subject) return null;
  const expiresAt = expiries.get(subject);
  return { tenantId, subject, ...(expiresAt && { expiresAt }) };
}

const start = (options: GraphQLAppOptions = {}): Promise<GraphQLApp> =>
  graphqlApp({
    store: new InMemoryMemoryStore(),
    identify,
    policy: {
      grants: ({ subject }) => [
        { scope: `user:${subject}`, actions: ['read', 'write'] },
        ...(teams.has(subject) ? [{ scope: teams.get(subject) ?? '', actions: ['read'] as const }] : []),
      ],
    },
    host: engramGraphQLDefaults({ identify }),
    ...options,
  });

let host: GraphQLApp;
const clients: EventClient[] = [];

beforeAll(async () => {
  host = await start();
});
afterAll(() => host.close());
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(clients.splice(0).map((client) => client.close()));
  expiries.clear();
  teams.clear();
  await expectNothingLeft();
});

const openSubscriptions = (): MemorySubscriptions['size'] => host.app.get(MemorySubscriptions).size;

async function expectNothingLeft(): Promise<void> {
  await until(() => openSubscriptions().subscriptions === 0);
  expect(openSubscriptions()).toEqual({ scopes: 0, subscriptions: 0 });
}

async function url(): Promise<string> {
  return (await host.app.getUrl()).replace('[::1]', '127.0.0.1');
}

async function client(caller: string | null, options: EventClientOptions = {}): Promise<EventClient> {
  const made = new EventClient(await url(), { ...(caller !== null && { connectionParams: { caller } }), ...options });
  clients.push(made);
  return made;
}

function memory(tenantId: string, scope: string): ScopedMemory {
  return host.app.get(MemoryService).for({ tenantId, scope });
}

const AN_HOUR = 3_600_000;

/** A clock that stands: an identity does not expire before the test says so, however busy the machine is. */
function stopTheClock(): { advance(milliseconds: number): void } {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'],
  });
  return { advance: (milliseconds) => void jest.advanceTimersByTime(milliseconds) };
}

/** Subscribed for certain: the server follows the scope. */
async function follow(by: EventClient, variables: Record<string, unknown> = {}, query = EVENTS): Promise<Subscription> {
  const before = openSubscriptions().subscriptions;
  const subscription = by.subscribe(query, variables);
  await until(() => openSubscriptions().subscriptions === before + 1);
  return subscription;
}

describe('memoryEvents', () => {
  it('brings what happens in a scope, in order, with the scope and the time', async () => {
    const ana = await follow(await client('acme/ana'));
    const scoped = memory('acme', 'user:ana');
    const { memory: added } = await scoped.add('Lives in Porto');
    await scoped.update(added?.id ?? '', { content: 'Lives in Lisbon' });
    await scoped.forget(added?.id ?? '');
    await scoped.restore(added?.id ?? '', 1);
    await scoped.forgetAll();
    await ana.until(5);
    expect(ana.events.map(({ action }) => action)).toEqual(['ADDED', 'UPDATED', 'FORGOTTEN', 'RESTORED', 'ERASED']);
    expect(ana.events.map(({ memoryId }) => memoryId)).toEqual([added?.id, added?.id, added?.id, added?.id, null]);
    for (const { scope, at } of ana.events) {
      expect(scope).toBe('user:ana');
      expect(new Date(at).toISOString()).toBe(at);
    }
  });

  it('brings only the actions that are asked for', async () => {
    const ana = await follow(await client('acme/ana'), { actions: ['FORGOTTEN'] });
    const scoped = memory('acme', 'user:ana');
    const { memory: added } = await scoped.add('Plays chess');
    await scoped.forget(added?.id ?? '');
    await ana.until(1);
    expect(ana.events.map(({ action }) => action)).toEqual(['FORGOTTEN']);
  });

  it('reads the memory as it is now, and as null when it is gone', async () => {
    const query = 'subscription { memoryEvents { action memory { content } } }';
    const ana = await follow(await client('acme/ana'), {}, query);
    const scoped = memory('acme', 'user:ana');
    const { memory: added } = await scoped.add('Has a cat');
    await ana.until(1);
    await scoped.forget(added?.id ?? '');
    await ana.until(2);
    expect(ana.events.map((event) => event.memory)).toEqual([{ content: 'Has a cat' }, null]);
  });

  it.each([
    ['another tenant', 'other', 'user:ana'],
    ['another subject', 'acme', 'user:ben'],
    ['a scope whose name begins alike', 'acme', 'user:ana2'],
    ['a scope whose name is a pattern of hers', 'acme', 'user:an_'],
    ['a tenant and scope that join to the same string', 'acme:user', 'ana'],
  ])('brings nothing of %s', async (_, tenantId, scope) => {
    const ana = await follow(await client('acme/ana'));
    await memory(tenantId, scope).add('Is somebody else');
    await memory('acme', 'user:ana').add('Is Ana');
    await ana.until(1);
    expect(ana.events).toHaveLength(1);
    expect(ana.events[0]?.scope).toBe('user:ana');
    await memory('acme', 'user:ana').forgetAll();
  });

  it.each(['user:ben', 'team:7', 'user:%', '', 'user:ana ', '*'])(
    'refuses the scope "%s", which was not granted, as it refuses one that does not exist',
    async (scope) => {
      const made = await client('acme/ana');
      const refused = made.subscribe(EVENTS, { scope });
      const nonsense = made.subscribe(EVENTS, { scope: 'no such scope' });
      const codeOf = async ({ ended }: Subscription): Promise<unknown> => {
        const [error] = (await ended) as { message: string; extensions: unknown }[];
        return { message: error?.message, extensions: error?.extensions };
      };
      expect(await codeOf(refused)).toEqual(await codeOf(nonsense));
      expect(await codeOf(nonsense)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    },
  );

  it('serves a further scope that the policy grants, until it no longer does', async () => {
    teams.set('ana', 'team:7');
    const ana = await follow(await client('acme/ana'), { scope: 'team:7' });
    await memory('acme', 'team:7').add('Ships on Friday');
    await ana.until(1);
    teams.delete('ana');
    // A grant is taken for granted for a few seconds.
    await sleep(5_200);
    await memory('acme', 'team:7').add('Ships on Monday');
    expect(await ana.ended).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(ana.events).toHaveLength(1);
  });

  it.each([
    ['no identity', null, {}],
    ['an empty one', '', {}],
    ['a foreign Origin', 'acme/ana', { headers: { origin: 'https://evil.example' } }],
    ['an Origin that is none', 'acme/ana', { headers: { origin: 'null' } }],
  ])('lets nobody connect with %s', async (_, caller, options) => {
    const refused = (await client(caller, options)).subscribe();
    expect(await refused.ended).toMatchObject({ code: 4403 });
  });

  it('lets a page of its own Origin connect', async () => {
    const ana = await follow(await client('acme/ana', { headers: { origin: await url() } }));
    ana.unsubscribe();
  });

  it('says at each connection what is to be read again', async () => {
    const made = await client('acme/ana');
    const ana = await follow(made);
    expect(made.acknowledged).toEqual({ engram: { reread: expect.arrayContaining(['memories']) } });
    ana.unsubscribe();
  });

  it('closes the socket when the identity expires', async () => {
    const clock = stopTheClock();
    expiries.set('ana', new Date(Date.now() + AN_HOUR));
    const ana = await follow(await client('acme/ana'));
    clock.advance(AN_HOUR);
    expect(await ana.ended).toMatchObject({ code: 4403 });
    await expectNothingLeft();
  });

  it('refuses a subscription of an identity that expired after it connected', async () => {
    const made = await client('acme/ana');
    const first = await follow(made);
    expiries.set('ana', new Date(Date.now() - 1_000));
    const second = made.subscribe();
    expect(await second.ended).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    first.unsubscribe();
  });

  it.each([
    ['a query', '{ memories { totalCount } }'],
    ['a mutation', 'mutation { forgetAllMemories { id } }'],
    ['introspection', '{ __schema { types { name } } }'],
    ['the query of two operations', 'query A { memories { totalCount } } subscription B { memoryEvents { action } }'],
  ])('runs no %s over the socket', async (_, query) => {
    const refused = (await client('acme/ana')).subscribe(query);
    expect(await refused.ended).toMatchObject([{ message: expect.stringContaining('Only subscriptions') }]);
  });

  it.each([
    ['a @skip by a variable', 'subscription ($when: Boolean!) { memoryEvents @skip(if: $when) { action } }'],
    ['an @include by a variable', 'subscription ($when: Boolean!) { memoryEvents @include(if: $when) { action } }'],
    ['a @skip of all there is', 'subscription { memoryEvents @skip(if: true) { action } }'],
    [
      'an @include in a fragment',
      'subscription { ...f } fragment f on Subscription { memoryEvents @include(if: false) { action } }',
    ],
    ['an @include of a fragment', 'subscription { ... @include(if: false) { memoryEvents { action } } }'],
  ])('keeps the socket open when its field stands under %s, and says so', async (_, query) => {
    const made = await client('acme/ana');
    const events = made.subscribe();
    const refused = made.subscribe(query, { when: true });
    expect(await refused.ended).toMatchObject([
      { message: expect.stringMatching(/cannot stand under @(skip|include)/) },
    ]);
    expect(made.sockets.map(({ readyState }) => readyState)).toEqual([1]);
    events.unsubscribe();
  });

  it('holds the bounds of depth and size over the socket too', async () => {
    const made = await client('acme/ana');
    const wide = made.subscribe(
      `subscription { memoryEvents { ${Array.from({ length: 2_000 }, (_, index) => `a${index}: action`).join(' ')} } }`,
    );
    expect(await wide.ended).toMatchObject([{ message: expect.stringContaining('token') }]);
  });

  it('refuses a second connection_init, which could name somebody else', async () => {
    const socket = new WebSocket(`${(await url()).replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await new Promise((resolve) => socket.once('open', resolve));
    for (const caller of ['acme/ana', 'acme/ben'])
      socket.send(JSON.stringify({ type: 'connection_init', payload: { caller } }));
    const code = await new Promise((resolve) => socket.once('close', resolve));
    expect(code).toBe(4429);
  });

  it('lets one subject have no more than so many', async () => {
    const made = await client('acme/ana');
    const open: Subscription[] = [];
    for (let count = 0; count < 50; count += 1) open.push(await follow(made));
    expect(await made.subscribe().ended).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    const ben = await follow(await client('acme/ben'));
    for (const { unsubscribe } of [...open, ben]) unsubscribe();
  });

  it('leaves nothing behind after 500 connections that were cut off at any moment', async () => {
    const address = `${(await url()).replace('http', 'ws')}/graphql`;
    const listeners = host.app.getHttpServer().listenerCount('upgrade');
    const cut = async (index: number): Promise<void> => {
      const socket = new WebSocket(address, 'graphql-transport-ws');
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('open', resolve));
      if (index % 5 > 0)
        socket.send(JSON.stringify({ type: 'connection_init', payload: { caller: `acme/u${index}` } }));
      if (index % 5 > 1) await new Promise((resolve) => socket.once('message', resolve));
      if (index % 5 > 2) socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: EVENTS } }));
      if (index % 5 > 3) {
        await until(() => openSubscriptions().subscriptions > 0);
        void memory('acme', `user:u${index}`).add(`Is number ${index}`);
      }
      socket.terminate();
    };
    for (let batch = 0; batch < 10; batch += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => cut(batch * 50 + index)));
    }
    await expectNothingLeft();
    expect(host.app.getHttpServer().listenerCount('upgrade')).toBe(listeners);
  });

  it('leaves nothing behind of a client that gave an id up and took it again before its subscription had begun', async () => {
    const socket = new WebSocket(`${(await url()).replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { caller: 'acme/ana' } }));
    await new Promise((resolve) => socket.once('message', resolve));
    for (let round = 0; round < 3; round += 1) {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: EVENTS } }));
      if (round < 2) socket.send(JSON.stringify({ id: '1', type: 'complete' }));
    }
    await until(() => openSubscriptions().subscriptions === 3);
    socket.terminate();
    await expectNothingLeft();
  });
});

describe('memoryEvents with a small backlog', () => {
  it('sends a subscriber that does not read away, to come back and read again', async () => {
    const own = await start({ limits: { eventBacklog: 5 } });
    try {
      const address = `${(await own.app.getUrl()).replace('[::1]', '127.0.0.1').replace('http', 'ws')}/graphql`;
      const socket = new WebSocket(address, 'graphql-transport-ws');
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(JSON.stringify({ type: 'connection_init', payload: { caller: 'acme/ana' } }));
      await new Promise((resolve) => socket.once('message', resolve));
      // Aliases make each event large, so that the buffers between the two are soon full.
      const fields = Array.from({ length: 300 }, (_, index) => `field_with_a_long_name_${index}: scope`).join(' ');
      socket.send(
        JSON.stringify({
          id: '1',
          type: 'subscribe',
          payload: { query: `subscription { memoryEvents { ${fields} } }` },
        }),
      );
      const subscriptions = own.app.get(MemorySubscriptions);
      await until(() => subscriptions.size.subscriptions === 1);
      socket.pause();
      const scoped = own.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ana' });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      for (let count = 0; count < 2_000 && subscriptions.size.subscriptions > 0; count += 1)
        await scoped.add(`Is number ${count}`);
      expect(subscriptions.size).toEqual({ scopes: 0, subscriptions: 0 });
      socket.resume();
      expect([1013, 1006]).toContain(await closed);
    } finally {
      await own.close();
    }
  });
});

describe('memoryEvents in a host without our graphql-ws hooks', () => {
  let bare: GraphQLApp;
  beforeAll(async () => {
    const { subscriptions: _, ...rest } = engramGraphQLDefaults({ identify });
    bare = await start({ host: { ...rest, subscriptions: { 'graphql-ws': true } } });
  });
  afterAll(() => bare.close());

  it('serves those who are known and refuses the others all the same', async () => {
    const address = (await bare.app.getUrl()).replace('[::1]', '127.0.0.1');
    const known = new EventClient(address, { connectionParams: { caller: 'acme/ana' } });
    const unknown = new EventClient(address);
    clients.push(known, unknown);
    const ana = known.subscribe();
    const subscriptions = bare.app.get(MemorySubscriptions);
    await until(() => subscriptions.size.subscriptions === 1);
    await bare.app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:ana' }).add('Lives in Porto');
    await ana.until(1);
    expect(await unknown.subscribe().ended).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await unknown.subscribe('mutation { forgetAllMemories { id } }').ended).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ]);
    ana.unsubscribe();
  });

  it('closes the socket when the identity expires', async () => {
    const subscriptions = bare.app.get(MemorySubscriptions);
    await until(() => subscriptions.size.subscriptions === 0);
    const clock = stopTheClock();
    expiries.set('eve', new Date(Date.now() + AN_HOUR));
    const made = new EventClient((await bare.app.getUrl()).replace('[::1]', '127.0.0.1'), {
      connectionParams: { caller: 'acme/eve' },
    });
    clients.push(made);
    const eve = made.subscribe();
    await until(() => subscriptions.size.subscriptions === 1);
    clock.advance(AN_HOUR);
    expect(await eve.ended).toMatchObject({ code: 4403 });
  });
});
