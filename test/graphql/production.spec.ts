import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HostProcess } from '../support/host-process.js';
import { http, startBuiltHost } from './built/built-host.js';
import type { HttpAnswer, HttpCall } from './built/built-host.js';
import { EventClient } from './event-client.js';
import type { Platform } from './graphql-app.js';

const START_MS = 600_000;
const INTROSPECTION = '{ __schema { types { name } } }';
const ADA = { 'x-caller': 'acme/ada' };
const JSON_BODY = { 'content-type': 'application/json' };

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
}

function asking(host: () => HostProcess) {
  const send = (call: HttpCall, search = ''): Promise<HttpAnswer> => http(`${host().url}/graphql${search}`, call);
  const post = (body: unknown): Promise<HttpAnswer> =>
    send({ method: 'POST', headers: { ...JSON_BODY, ...ADA }, body: JSON.stringify(body) });
  const ask = async (query: string): Promise<Answer> => JSON.parse((await post({ query })).text) as Answer;
  return { send, post, ask };
}

describe.each<Platform>(['express', 'fastify'])(
  'a host on %s with our defaults and NODE_ENV=production',
  (platform) => {
    let host: HostProcess;
    beforeAll(async () => {
      host = await startBuiltHost({ platform }, { NODE_ENV: 'production' });
    }, START_MS);
    afterAll(() => host.stop());
    const { send, post, ask } = asking(() => host);

    it('serves the fields', async () => {
      expect(await ask('{ __typename memories { totalCount } }')).toEqual({
        data: { __typename: 'Query', memories: { totalCount: 0 } },
      });
    });

    it('does not describe its schema, and gives no hints about it', async () => {
      expect((await ask(INTROSPECTION)).errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
      expect((await ask('{ __type(name: "Memory") { name } }')).data).toBeUndefined();
      expect((await ask('{ memoris { totalCount } }')).errors?.[0]?.message).not.toContain('Did you mean');
    });

    it('does neither over graphql-ws', async () => {
      const client = new EventClient(host.url, { connectionParams: { caller: 'acme/ada' } });
      try {
        expect(await client.subscribe(INTROSPECTION).ended).toMatchObject([
          { message: expect.stringContaining('Only subscriptions') },
        ]);
        const [fault] = (await client.subscribe('subscription { memoryEvent { action } }').ended) as {
          message: string;
        }[];
        expect(fault?.message).toContain('memoryEvent');
        expect(fault?.message).not.toContain('Did you mean');
      } finally {
        await client.close();
      }
    });

    it('opens a web socket to pages of origins that the app names, and to no others', async () => {
      const connect = (origin: string): EventClient =>
        new EventClient(host.url, { headers: { origin }, connectionParams: { caller: 'acme/ada' } });
      const [named, other] = [connect('https://app.example'), connect('https://app.example.evil.example')];
      try {
        expect(await other.subscribe().ended).toMatchObject({ code: 4403 });
        // Answered at all: it is connected.
        expect(await named.subscribe('subscription { nothing }').ended).toMatchObject([
          { message: expect.stringContaining('nothing') },
        ]);
      } finally {
        await Promise.all([named.close(), other.close()]);
      }
    });

    it('shows no page', async () => {
      const { status, headers, text } = await send({ headers: { accept: 'text/html' } });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(`${headers['content-type']} ${text}`).not.toMatch(/html|<script/i);
    });

    it.each<[string, HttpCall, string]>([
      ['a form', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"{ __typename }"}' }, ''],
      ['an image', {}, '?query=%7B__typename%7D'],
    ])('refuses what a page of another site can send as %s', async (_, call, search) => {
      const { status, text } = await send({ ...call, headers: { ...call.headers, ...ADA } }, search);
      expect([400, 415]).toContain(status);
      expect(text).not.toContain('"data"');
    });

    it('serves GET requests of a client that says by a header that it is none of those', async () => {
      const headers = { ...ADA, 'apollo-require-preflight': 'yes' };
      const { text } = await send({ headers }, '?query=%7Bmemories%7BtotalCount%7D%7D');
      expect(JSON.parse(text)).toEqual({ data: { memories: { totalCount: 0 } } });
    });

    it('runs no batch, and tells nothing of its code', async () => {
      const batch = await post([{ query: '{ __typename }' }, { query: '{ __typename }' }]);
      expect(batch.status).toBe(400);
      const failed = await post({ query: 'mutation { restoreMemory(id: "x", version: 1) { id } }' });
      expect(`${batch.text}${failed.text}`).not.toMatch(/stacktrace|node_modules|\.js/);
      expect(failed.text).toContain('errors');
    });

    it('warns of nothing', () => {
      expect(host.warnings.join('')).toBe('');
    });
  },
);

describe.each<Platform>(['express', 'fastify'])('a host on %s with our defaults in development', (platform) => {
  let host: HostProcess;
  beforeAll(async () => {
    host = await startBuiltHost({ platform, graphiql: true });
  }, START_MS);
  afterAll(() => host.stop());
  const { send, ask } = asking(() => host);

  it('describes its schema, and helps with mistakes', async () => {
    expect((await ask(INTROSPECTION)).data).toHaveProperty('__schema');
    expect((await ask('{ memoris { totalCount } }')).errors?.[0]?.message).toContain('Did you mean');
  });

  it('shows the GraphiQL that the host switched on after the defaults', async () => {
    const { status, headers, text } = await send({ headers: { accept: 'text/html' } });
    expect({ status, type: headers['content-type'] }).toMatchObject({
      status: 200,
      type: expect.stringContaining('html'),
    });
    expect(text).toContain('graphiql');
  });
});
