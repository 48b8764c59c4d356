import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpException,
  Inject,
  Logger,
  NotFoundException,
  Param,
  Post,
  Res,
  UseFilters,
} from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ConflictError, MemoryHttpErrorFilter, MemoryModule, MemoryService, ProviderError } from 'nestjs-engram';
import type { Scope } from 'nestjs-engram';
import { MemoryGraphQLModule, MemoryScopeParam, RequireMemoryAccess } from 'nestjs-engram/graphql';
import { DeterministicEmbedder, ScriptedCompletion, inMemoryStorage } from 'nestjs-engram/testing';
import { identifyByHeader } from '../graphql/graphql-app.js';

@Controller('memories')
@UseFilters(MemoryHttpErrorFilter)
class MemoriesController {
  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  @Get()
  @RequireMemoryAccess('read')
  async list(@MemoryScopeParam() scope: Scope): Promise<string[]> {
    return (await this.memories.for(scope).list()).memories.map(({ content }) => content);
  }

  @Get('of/:scope')
  @RequireMemoryAccess('read')
  listOf(@MemoryScopeParam() scope: Scope): Promise<string[]> {
    return this.list(scope);
  }

  @Post()
  @RequireMemoryAccess('write')
  async add(@MemoryScopeParam() scope: Scope, @Body() body: { content?: unknown }): Promise<unknown> {
    return this.memories.for(scope).add(body.content as string);
  }

  @Post(':id')
  @RequireMemoryAccess('write')
  change(
    @MemoryScopeParam() scope: Scope,
    @Param('id') id: string,
    @Body() body: { content: string },
  ): Promise<unknown> {
    return this.memories.for(scope).update(id, body);
  }

  @Get('fault/:fault')
  @RequireMemoryAccess('read')
  fail(@Param('fault') fault: string): never {
    if (fault === 'host') throw new NotFoundException('A word of the host');
    if (fault === 'provider') throw new ProviderError('openai', 'unauthorized', false, 'The key ends in 1234.');
    throw new Error('SELECT content FROM engram.memories\n    at Buried a treasure');
  }

  @Get('unguarded')
  unguarded(@MemoryScopeParam() scope: Scope): string {
    return scope.scope;
  }
}

/** A controller without our filter: the guard has to answer by itself. */
@Controller('bare')
class BareController {
  @Delete()
  @RequireMemoryAccess('erase')
  erase(@MemoryScopeParam() scope: Scope): string {
    return scope.scope;
  }
}

@Controller('failing')
class FailingController {
  @Get('conflict')
  conflict(): never {
    throw new ConflictError('It was changed meanwhile.');
  }

  @Get('plain')
  plain(): never {
    throw new HttpException('A word of the host', 418);
  }

  /** Fails when the answer has begun. */
  @Get('begun')
  begun(@Res() response: { readonly raw?: ServerResponse } & ServerResponse): never {
    (response.raw ?? response).writeHead(200, { 'content-type': 'text/plain' }).write('The beginning');
    throw new ConflictError('It was changed meanwhile.');
  }
}

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
])('controllers of the host on %s', (_, adapter) => {
  let app: INestApplication;
  let logged: string[] = [];

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        MemoryModule.forRoot({
          storage: inMemoryStorage(),
          embedder: new DeterministicEmbedder(),
          completion: new ScriptedCompletion(),
        }),
        MemoryGraphQLModule.forRoot({
          identify: identifyByHeader,
          policy: {
            grants: ({ subject }) => [
              { scope: `user:${subject}`, actions: ['read', 'write'] },
              { scope: 'team:7', actions: ['read'] },
            ],
          },
        }),
      ],
      controllers: [MemoriesController, BareController],
    }).compile();
    app = module.createNestApplication(adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    await app.get(MemoryService).for({ tenantId: 'acme', scope: 'team:7' }).add('Ships on Fridays');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => app.close());

  interface Answer {
    readonly status: number;
    readonly body: unknown;
  }

  async function call(caller: string | null, method: string, path: string, body?: unknown): Promise<Answer> {
    logged = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((message: unknown) => void logged.push(String(message)));
    const response = await fetch(`${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/${path}`, {
      method,
      headers: {
        ...(caller !== null && { 'x-caller': caller }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
  }

  it('run in the scope that was granted: the caller’s own, or the one that the route, the query or the body names', async () => {
    await call('acme/ada', 'POST', 'memories', { content: 'Keeps bees' });
    expect((await call('acme/ada', 'GET', 'memories')).body).toEqual(['Keeps bees']);
    expect((await call('acme/ben', 'GET', 'memories')).body).toEqual([]);
    expect((await call('acme/ben', 'GET', 'memories?scope=team:7')).body).toEqual(['Ships on Fridays']);
    expect((await call('acme/ben', 'GET', 'memories/of/team:7')).body).toEqual(['Ships on Fridays']);
    expect((await call('other/ben', 'GET', 'memories/of/team:7')).body).toEqual([]);
    expect((await call('acme/ben', 'POST', 'memories', { content: 'Was here', scope: 'team:7' })).status).toBe(403);
  });

  it.each(['user:ada', 'user:', 'user:%', '*', '', 'user:ben%20', 'nobody'])(
    'answer 403 in the same words for the scope "%s"',
    async (scope) => {
      const refused = await call('acme/ben', 'GET', `memories?scope=${scope}`);
      expect(refused).toEqual(await call('acme/ben', 'GET', 'memories?scope=no-such-scope'));
      expect(refused).toMatchObject({ status: 403, body: { statusCode: 403, code: 'FORBIDDEN' } });
    },
  );

  it.each(['scope=user:ben&scope=user:ada', 'scope[]=user:ben', 'scope[$ne]=x'])(
    'answer 403, or read the own scope only, for the query %s',
    async (query) => {
      const { status, body } = await call('acme/ben', 'GET', `memories?${query}`);
      if (status !== 403) expect(body).toEqual([]);
      expect(JSON.stringify(body)).not.toContain('bees');
    },
  );

  it('answer 401 to one who is not known, also without our filter', async () => {
    for (const path of ['memories', 'memories/of/team:7']) {
      expect(await call(null, 'GET', path)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    }
    expect(await call(null, 'DELETE', 'bare')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect(await call('acme/ada', 'DELETE', 'bare')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it('answer 400 with the field, and 404 for an id of somebody else as for one of nobody', async () => {
    const blank = await call('acme/ada', 'POST', 'memories', { content: ' ' });
    expect(blank).toEqual({
      status: 400,
      body: { statusCode: 400, code: 'BAD_USER_INPUT', field: 'content', message: expect.stringContaining('content') },
    });
    const { memory } = await app
      .get(MemoryService)
      .for({ tenantId: 'acme', scope: 'user:ada' })
      .add('Hides a treasure');
    const foreign = await call('acme/ben', 'POST', `memories/${memory?.id}`, { content: 'Was taken over' });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const unknown = '01a22a2b-b2dc-73a7-9a11-e6993a003e7d';
    expect(await call('acme/ben', 'POST', `memories/${unknown}`, { content: 'Was taken over' })).toEqual(foreign);
  });

  it('answer 409 where a change would make two memories one', async () => {
    await call('acme/eve', 'POST', 'memories', { content: 'Plays the viola' });
    const { memory } = await app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:eve' }).add('Plays the cello');
    const { status, body } = await call('acme/eve', 'POST', `memories/${memory?.id}`, { content: 'plays the viola' });
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  it('say nothing of what they do not know, and neither does the log', async () => {
    const { status, body } = await call('acme/ada', 'GET', 'memories/fault/driver');
    expect(body).toEqual({
      statusCode: 500,
      code: 'INTERNAL_SERVER_ERROR',
      message: expect.stringContaining('Something went wrong'),
    });
    expect(status).toBe(500);
    expect(logged.join('\n')).not.toMatch(/SELECT|treasure/);
    expect(logged.join('\n')).toContain('controller.spec');
  });

  it('say nothing of the provider', async () => {
    const { status, body } = await call('acme/ada', 'GET', 'memories/fault/provider');
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(JSON.stringify(body)).not.toContain('1234');
  });

  it('keep what they throw on purpose', async () => {
    const { status, body } = await call('acme/ada', 'GET', 'memories/fault/host');
    expect({ status, body }).toMatchObject({ status: 404, body: { message: 'A word of the host' } });
  });

  it('are answered for by one filter of the whole app as well', async () => {
    const whole = await Test.createTestingModule({ controllers: [FailingController] }).compile();
    const own = whole.createNestApplication(adapter(), { logger: false });
    own.useGlobalFilters(new MemoryHttpErrorFilter());
    await own.listen(0, '127.0.0.1');
    try {
      jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const url = (await own.getUrl()).replace('[::1]', '127.0.0.1');
      const refused = await fetch(`${url}/failing/conflict`);
      expect(refused.status).toBe(409);
      expect(await refused.json()).toEqual({ statusCode: 409, code: 'CONFLICT', message: 'It was changed meanwhile.' });
      const plain = await fetch(`${url}/failing/plain`);
      expect([plain.status, await plain.json()]).toEqual([418, { statusCode: 418, message: 'A word of the host' }]);
      expect(await (await fetch(`${url}/failing/begun`)).text()).toBe('The beginning');
    } finally {
      await own.close();
    }
  });

  it('get no scope where no guard ran', async () => {
    expect((await call('acme/ada', 'GET', 'memories/unguarded')).status).toBe(403);
  });
});
