import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import { ForbiddenException, Inject, Logger, ValidationPipe } from '@nestjs/common';
import type { CanActivate } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Args, Query, Resolver } from '@nestjs/graphql';
import { Test } from '@nestjs/testing';
import { InvalidOptionsError, MemoryModule, MemoryService, ProviderError, UnavailableError } from 'nestjs-engram';
import type { Scope } from 'nestjs-engram';
import {
  MemoryGraphQLModule,
  MemoryScopeParam,
  MemorySubscriptions,
  RequireMemoryAccess,
  engramGraphQLDefaults,
} from 'nestjs-engram/graphql';
import type { AccessPolicy, MemoryGraphQLOptions } from 'nestjs-engram/graphql';
import { DeterministicEmbedder, InMemoryMemoryStore, ScriptedCompletion, inMemoryStorage } from 'nestjs-engram/testing';
import WebSocket from 'ws';
import { EventClient } from './event-client.js';
import { graphqlApp, identifyByHeader } from './graphql-app.js';
import type { GraphQLApp, GraphQLAppOptions, Platform } from './graphql-app.js';

const ADD = 'mutation ($input: AddMemoryInput!) { addMemory(input: $input) { memory { content kind importance } } }';

/** A team whose notes everyone may read and only its lead may write. */
const teamPolicy: AccessPolicy = {
  grants: ({ subject }) => [
    { scope: `user:${subject}`, actions: ['read', 'write'] },
    { scope: 'team:7', actions: subject === 'lead' ? ['read', 'write'] : ['read'] },
  ],
};

@Resolver()
class HostResolver {
  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  @Query(() => String)
  @RequireMemoryAccess('read')
  async firstMemory(
    @MemoryScopeParam() scope: Scope,
    @Args('scope', { type: () => String, nullable: true }) _scope: string | null,
  ): Promise<string> {
    const { memories } = await this.memories.for(scope).list({ first: 1 });
    return memories[0]?.content ?? 'nothing';
  }

  @Query(() => String)
  unguarded(@MemoryScopeParam() scope: Scope): string {
    return scope.scope;
  }
}

class RefusingGuard implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('Too many requests of the host');
  }
}

/** The suite of what holds in every host, whatever it is built on. */
export function describeHost(platform: Platform): void {
  let host: GraphQLApp | null = null;
  const start = async (options: GraphQLAppOptions = {}): Promise<GraphQLApp> =>
    (host = await graphqlApp({ platform, store: new InMemoryMemoryStore(), ...options }));

  afterEach(async () => {
    jest.restoreAllMocks();
    await host?.close();
    host = null;
  });

  it.each([
    ['without identify', {}, 'identify'],
    ['with an identify that is no function', { identify: 'header' }, 'identify'],
    ['with a policy that is none', { identify: identifyByHeader, policy: {} }, 'policy'],
    ['with a limit that is none', { identify: identifyByHeader, limits: { rootFields: 0 } }, 'limits.rootFields'],
    ['with a limit that does not exist', { identify: identifyByHeader, limits: { width: 5 } }, 'limits.width'],
  ])('does not boot %s', async (_, options, option) => {
    const boot = Test.createTestingModule({
      imports: [
        MemoryModule.forRoot({
          storage: inMemoryStorage(),
          embedder: new DeterministicEmbedder(),
          completion: new ScriptedCompletion(),
        }),
        MemoryGraphQLModule.forRoot(options as unknown as MemoryGraphQLOptions),
      ],
    }).compile();
    await expect(boot).rejects.toThrow(InvalidOptionsError);
    await expect(boot).rejects.toMatchObject({ option, message: expect.stringContaining(option) });
  });

  it('warns at boot when the host has left the bounds out', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await start();
    expect(warn).not.toHaveBeenCalledWith(expect.stringContaining('engramGraphQLDefaults'));
    await host?.close();
    await start({ host: { validationRules: [] } });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('engramGraphQLDefaults'));
  });

  it("keeps its inputs whole under the host's strictest ValidationPipe", async () => {
    const { as } = await start({
      prepare: (app) =>
        app.useGlobalPipes(
          new ValidationPipe({
            whitelist: true,
            forbidNonWhitelisted: true,
            forbidUnknownValues: true,
            transform: true,
          }),
        ),
    });
    const { data, errors } = await as('acme/ada')(ADD, {
      input: { content: 'Likes tea', kind: 'PREFERENCE', importance: 0.9 },
    });
    expect(errors).toEqual([]);
    expect(data).toEqual({ addMemory: { memory: { content: 'Likes tea', kind: 'PREFERENCE', importance: 0.9 } } });
    expect((await as('acme/ada')('{ recall(query: "tea", limit: 1) { memory { content } } }')).data).toEqual({
      recall: [{ memory: { content: 'Likes tea' } }],
    });
    for (const [query, field] of [
      ['mutation { addMemory(input: { content: "Likes tea", importance: 2 }) { memory { content } } }', 'importance'],
      ['{ recall(query: "tea", limit: 0) { score } }', 'limit'],
    ] as const) {
      expect((await as('acme/ada')(query)).errors).toMatchObject([
        { message: expect.stringContaining(field), extensions: { code: 'BAD_USER_INPUT', field } },
      ]);
    }
  });

  it("grants what the host's policy grants, action by action", async () => {
    const { as } = await start({ policy: teamPolicy });
    const input = { content: 'Ships on Fridays', scope: 'team:7' };
    expect((await as('acme/lead')(ADD, { input })).errors).toEqual([]);
    expect((await as('acme/ada')(ADD, { input })).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const read = '{ memories(scope: "team:7") { totalCount } own: memories { totalCount } }';
    expect((await as('acme/ada')(read)).data).toEqual({ memories: { totalCount: 1 }, own: { totalCount: 0 } });
    expect((await as('other/ada')(read)).data).toEqual({ memories: { totalCount: 0 }, own: { totalCount: 0 } });
    expect((await as('acme/ada')('{ memories(scope: "user:lead") { totalCount } }')).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  it("guards the host's own resolvers the same way", async () => {
    const { as } = await start({ providers: [HostResolver], host: { formatError: (error) => error } });
    await as('acme/ada')(ADD, { input: { content: 'Keeps bees' } });
    expect((await as('acme/ada')('{ firstMemory }')).data).toEqual({ firstMemory: 'Keeps bees' });
    expect((await as('acme/bob')('{ firstMemory }')).data).toEqual({ firstMemory: 'nothing' });
    expect((await as('acme/bob')('{ firstMemory(scope: "user:ada") }')).data).toBeNull();
    expect((await as(null)('{ firstMemory }')).data).toBeNull();
    expect((await as('acme/ada')('{ unguarded }')).data).toBeNull();
  });

  it('tells over graphql-ws what happens in a scope, to those whose it is and to nobody else', async () => {
    const { app, url, as } = await start({ host: engramGraphQLDefaults({ identify: identifyByHeader }) });
    const clients = ['acme/ada', 'acme/bob', 'other/ada'].map(
      (caller) => new EventClient(url, { headers: { 'x-caller': caller } }),
    );
    const stranger = new EventClient(url);
    try {
      const [ada, bob, namesake] = clients.map((client) =>
        client.subscribe('subscription { memoryEvents { action scope memory { content } } }'),
      );
      expect(await stranger.subscribe().ended).toMatchObject({ code: 4403 });
      while (app.get(MemorySubscriptions).size.subscriptions < 3) await sleep(10);
      await as('acme/ada')(ADD, { input: { content: 'Keeps bees' } });
      await as('acme/bob')(ADD, { input: { content: 'Keeps hens' } });
      await as('other/ada')(ADD, { input: { content: 'Keeps cats' } });
      await Promise.all([ada?.until(1), bob?.until(1), namesake?.until(1)]);
      expect(ada?.events).toEqual([{ action: 'ADDED', scope: 'user:ada', memory: { content: 'Keeps bees' } }]);
      expect(bob?.events).toEqual([{ action: 'ADDED', scope: 'user:bob', memory: { content: 'Keeps hens' } }]);
      expect(namesake?.events).toEqual([{ action: 'ADDED', scope: 'user:ada', memory: { content: 'Keeps cats' } }]);
    } finally {
      await Promise.all([...clients, stranger].map((client) => client.close()));
    }
  });

  it.each([
    ['at /graphql', {}, '/graphql'],
    ['at a path of their own', { subscriptions: { 'graphql-ws': { path: 'events/' } } }, '/api/events'],
  ])('sends those away who begin a web socket message that is too long, known or not, %s', async (_, own, path) => {
    const { url } = await start({
      limits: { messageBytes: 1_000 },
      host: { ...engramGraphQLDefaults({ identify: identifyByHeader }), useGlobalPrefix: true, ...own },
      prepare: (app) => path.startsWith('/api') && app.setGlobalPrefix('api'),
    });
    const open = async (protocol: string | string[]): Promise<WebSocket> => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?a=b`, protocol, {
        headers: { 'x-caller': 'acme/ada' },
      });
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('open', resolve));
      return socket;
    };
    const init = (bytes: number): string => {
      const empty = JSON.stringify({ type: 'connection_init', payload: { a: '' } });
      return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
    };
    const answer = (socket: WebSocket): Promise<unknown> =>
      new Promise((resolve) => {
        socket.once('message', (data: Buffer) => resolve(data.toString()));
        socket.once('close', resolve);
      });

    const longest = await open('graphql-transport-ws');
    longest.send(init(1_000));
    expect(await answer(longest)).toContain('connection_ack');
    longest.terminate();

    const whole = await open('graphql-transport-ws');
    whole.send(init(1_001));
    expect(await answer(whole)).toBe(1009);

    const inFragments = await open('graphql-transport-ws');
    const [first, second] = [init(1_001).slice(0, 600), init(1_001).slice(600)];
    inFragments.send(first, { fin: false });
    inFragments.send(second, { fin: true });
    expect(await answer(inFragments)).toBe(1009);

    const endless = await open('graphql-transport-ws');
    const closed = answer(endless);
    while (endless.readyState === WebSocket.OPEN) {
      endless.send('x'.repeat(100), { fin: false });
      await sleep(1);
    }
    expect(await closed).toBe(1009);
  });

  it('asks identify once a request, and refuses an identity that has expired', async () => {
    const identify = jest.fn((request: Parameters<typeof identifyByHeader>[0]) => {
      const identity = identifyByHeader(request);
      return (
        identity && {
          ...identity,
          expiresAt: new Date(identity.subject === 'late' ? Date.now() - 1 : Date.now() + 60_000),
        }
      );
    });
    const { as } = await start({ identify });
    await as('acme/ada')('{ a: memories { totalCount } b: memories { totalCount } c: memories { totalCount } }');
    expect(identify).toHaveBeenCalledTimes(1);
    expect((await as('acme/late')('{ memories { totalCount } }')).errors).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ]);
  });

  it("refuses a field when the host's context has lost the request", async () => {
    const { as } = await start({ host: { context: () => ({ req: { url: 'no headers' } }) } });
    expect((await as('acme/ada')('{ memories { totalCount } }')).errors).toHaveLength(1);
    await host?.close();
    const other = await start({ host: { context: () => 'a string' } });
    expect((await other.as('acme/ada')('{ memories { totalCount } }')).errors).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ]);
  });

  it.each<[string, unknown]>([
    ['no tenant', { subject: 'ada' }],
    ['a tenant that is a number', { tenantId: 7, subject: 'ada' }],
    ['an empty subject', { tenantId: 'acme', subject: '' }],
    ['a subject too long for a scope', { tenantId: 'acme', subject: 'a'.repeat(252) }],
    ['a NUL in the tenant', { tenantId: 'ac\u0000me', subject: 'ada' }],
    ['an expiry that is no date', { tenantId: 'acme', subject: 'ada', expiresAt: 'never' }],
  ])('refuses an identity with %s', async (_, identity) => {
    const { as } = await start({ identify: () => identity as ReturnType<typeof identifyByHeader> });
    const { data, errors } = await as('x/y')('{ memories { totalCount } }');
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('masks what it does not know, and logs it without its words', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { as } = await start({
      identify: ({ headers }) => {
        if (headers['x-caller'] === 'down/1') throw new UnavailableError('The directory is down. Try again later.');
        throw new Error('SELECT secret FROM users failed for ada@example.org');
      },
    });
    const { errors, text } = await as('acme/ada')('{ memories { totalCount } }');
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    expect(text).not.toMatch(/SELECT|secret|example\.org|stack|\.ts/);
    expect(JSON.stringify(logged.mock.calls)).not.toMatch(/SELECT|example\.org/);
    expect(JSON.stringify(logged.mock.calls)).toContain('host-behaviour');
    expect((await as('down/1')('{ memories { totalCount } }')).errors).toMatchObject([
      { message: 'The directory is down. Try again later.', extensions: { code: 'UNAVAILABLE' } },
    ]);
  });

  it("leaves errors of the host's own guards to the host", async () => {
    const { as } = await start({ providers: [{ provide: APP_GUARD, useClass: RefusingGuard }] });
    const { errors } = await as('acme/ada')('{ memories { totalCount } }');
    expect(errors).toMatchObject([{ message: 'Too many requests of the host', extensions: { code: 'FORBIDDEN' } }]);
  });

  it('answers UNAVAILABLE, without the words of the provider, when the embedder fails', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const failure = new ProviderError('openai', 'unauthorized', false, 'The key ends in 1234 and was refused.');
    jest.spyOn(DeterministicEmbedder.prototype, 'embedDocuments').mockRejectedValue(failure);
    const { as } = await start();
    const { errors, text } = await as('acme/ada')(ADD, { input: { content: 'Likes tea' } });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
    expect(text).not.toContain('1234');
    expect(JSON.stringify(logged.mock.calls)).toContain('was refused');
    expect((await as('acme/ada')('{ memories { totalCount } }')).data).toEqual({ memories: { totalCount: 0 } });
  });

  it('bounds depth, root fields, aliases through fragments, and the length of a document', async () => {
    const { as } = await start({ limits: { depth: 4, rootFields: 3, tokens: 200 } });
    const refused = async (query: string): Promise<void> => {
      const { data, errors, status } = await as('acme/ada')(query);
      expect([query.slice(0, 60), status, data]).toEqual([query.slice(0, 60), 400, undefined]);
      expect(errors.length).toBeGreaterThan(0);
    };
    expect((await as('acme/ada')('{ memories { edges { node { content } } } }')).errors).toEqual([]);
    expect(
      (await as('acme/ada')('{ a: memories { totalCount } b: memories { totalCount } c: memories { totalCount } }'))
        .errors,
    ).toEqual([]);
    await refused(
      '{ a: memories { totalCount } b: memories { totalCount } c: memories { totalCount } d: memories { totalCount } }',
    );
    await refused('{ ...f ...f } fragment f on Query { a: memories { totalCount } b: memories { totalCount } }');
    await refused('query { ...f } fragment f on Query { ...f }');
    await refused(`{ recall(query: "x") { memory { content } } ${'x'.padEnd(20)} ${'a '.repeat(300)} }`);
    await refused(
      '{ __schema { types { fields { type { ofType { ofType { name } } } } } } memories { edges { node { content { deeper } } } } }',
    );
    await refused(
      'mutation { a: addMemory(input: {content: "A"}) { memory { id } } b: addMemory(input: {content: "B"}) { memory { id } } c: addMemory(input: {content: "C"}) { memory { id } } d: addMemory(input: {content: "D"}) { memory { id } } }',
    );
    expect((await as('acme/ada')('{ memories { totalCount } }')).data).toEqual({ memories: { totalCount: 0 } });
  });

  it('bounds the fields of a request even in a host without the defaults', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { as } = await start({ limits: { rootFields: 2 }, host: { validationRules: [] } });
    const { data, errors } = await as('acme/ada')(
      '{ a: observation(turnId: "1") { status } b: observation(turnId: "1") { status } c: observation(turnId: "1") { status } }',
    );
    expect(data).toEqual({ a: null, b: null, c: null });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
}
