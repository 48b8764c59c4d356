import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HostProcess } from '../support/host-process.js';
import { http, startBuiltHost } from './built/built-host.js';
import type { HttpAnswer } from './built/built-host.js';
import { EventClient } from './event-client.js';
import type { Platform } from './graphql-app.js';

const A_MINUTE = 3;
const READ = '{ memories { totalCount } }';
const REFUSED = 'TOO_MANY_REQUESTS';

describe.each<Platform>(['express', 'fastify'])('MemoryThrottlerGuard on %s', (platform) => {
  let host: HostProcess;
  beforeAll(async () => {
    host = await startBuiltHost({ platform, fieldsAMinute: A_MINUTE });
  }, 600_000);
  afterAll(() => host.stop());

  const caller = (name: string | null): Record<string, string> => (name === null ? {} : { 'x-caller': name });

  async function ask(
    name: string | null,
    { query = READ, from = '127.0.0.1', forwardedFor = '' } = {},
  ): Promise<HttpAnswer> {
    return http(`${host.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...caller(name),
        ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
      },
      body: JSON.stringify({ query }),
      from,
    });
  }

  /** `null` where the field was served. */
  async function codeOf(answer: Promise<HttpAnswer>): Promise<string | null> {
    const { errors = [] } = JSON.parse((await answer).text) as { errors?: { extensions: { code: string } }[] };
    return errors[0]?.extensions.code ?? null;
  }

  it('counts each subject for itself behind one address', async () => {
    for (let count = 0; count < A_MINUTE; count += 1) expect(await codeOf(ask('acme/ada'))).toBeNull();
    expect(await codeOf(ask('acme/ada'))).toBe(REFUSED);
    expect(await codeOf(ask('acme/bob'))).toBeNull();
    expect(await codeOf(ask('other/ada'))).toBeNull();
  });

  it('counts a subject once, whatever addresses and connections it comes by', async () => {
    const answers = [1, 2, 3, 4].map((place) => codeOf(ask('acme/carl', { from: `127.0.0.${place}` })));
    expect((await Promise.all(answers)).filter((code) => code === REFUSED)).toHaveLength(1);
  });

  it('counts the fields of a request, not the request', async () => {
    const query =
      '{ a: memories { totalCount } b: memories { totalCount } c: memories { totalCount } d: memories { totalCount } }';
    expect(await codeOf(ask('acme/dora', { query }))).toBe(REFUSED);
  });

  it('says by code, extension and header when to come back', async () => {
    for (let count = 0; count < A_MINUTE; count += 1) await ask('acme/eve');
    const { status, headers, text } = await ask('acme/eve');
    const { data, errors } = JSON.parse(text) as { data: unknown; errors: { extensions: Record<string, unknown> }[] };
    const { code, retryAfter, ...others } = errors[0]?.extensions ?? {};
    expect({ status, data, code, others }).toEqual({ status: 200, data: null, code: REFUSED, others: {} });
    expect(headers['retry-after']).toBe(`${String(retryAfter)}`);
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
  });

  it('counts those who are not known by their address', async () => {
    for (let count = 0; count < A_MINUTE; count += 1) {
      expect(await codeOf(ask(null, { from: '127.0.0.8' }))).toBe('UNAUTHENTICATED');
    }
    expect(await codeOf(ask(null, { from: '127.0.0.8' }))).toBe(REFUSED);
    expect(await codeOf(ask(null, { from: '127.0.0.9' }))).toBe('UNAUTHENTICATED');
    expect(await codeOf(ask('acme/fred', { from: '127.0.0.8' }))).toBeNull();
  });

  it('counts them by the address that a trusted proxy names', async () => {
    for (let count = 0; count < A_MINUTE; count += 1) await ask(null, { forwardedFor: '192.0.2.1' });
    expect(await codeOf(ask(null, { forwardedFor: '192.0.2.1' }))).toBe(REFUSED);
    expect(await codeOf(ask(null, { forwardedFor: '192.0.2.2' }))).toBe('UNAUTHENTICATED');
  });

  it("counts the app's own routes the same way", async () => {
    const hello = (name: string): Promise<HttpAnswer> => http(`${host.url}/hello`, { headers: caller(name) });
    for (let count = 0; count < A_MINUTE; count += 1) expect(await hello('acme/gus')).toMatchObject({ text: 'hello' });
    const { status, headers, text } = await hello('acme/gus');
    expect(status).toBe(429);
    expect(JSON.parse(text)).toMatchObject({
      statusCode: 429,
      code: REFUSED,
      retryAfter: Number(headers['retry-after']),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await hello('acme/hana')).toMatchObject({ status: 200 });
  });

  it('lets a route be that the app takes out', async () => {
    for (let count = 0; count <= A_MINUTE; count += 1) {
      expect(await http(`${host.url}/free`, { headers: caller('acme/ivo') })).toMatchObject({ text: 'free' });
    }
  });

  it('counts subscriptions over all sockets of a subject', async () => {
    const clients = Array.from({ length: A_MINUTE + 1 }, () => {
      return new EventClient(host.url, { connectionParams: { caller: 'acme/ines' } });
    });
    try {
      const [error] = (await Promise.race(clients.map((client) => client.subscribe().ended))) as {
        extensions: Record<string, unknown>;
      }[];
      expect(error?.extensions).toEqual({ code: REFUSED, retryAfter: expect.any(Number) });
    } finally {
      await Promise.all(clients.map((client) => client.close()));
    }
  });
});
