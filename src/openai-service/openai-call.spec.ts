import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inspect } from 'node:util';
import OpenAI from 'openai';
import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';
import { OpenAiServer, openAiChat, openAiFailure } from '../testing/openai-server.js';
import type { OpenAiServerReply } from '../testing/openai-server.js';
import { callOpenAi } from './openai-call.js';
import type { OpenAiRequestOptions } from './openai-call.js';

let server: OpenAiServer;
let client: OpenAI;
/** Answers of which the client has the headers. */
let begun = 0;
beforeAll(async () => {
  server = await OpenAiServer.start();
  client = new OpenAI({
    apiKey: 'k',
    baseURL: server.baseURL,
    // The client's own retries are on, to show that the call switches them off.
    maxRetries: 5,
    fetch: async (...request) => {
      const answer = await fetch(...request);
      begun += 1;
      return answer;
    },
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  server.reset();
  begun = 0;
});
afterAll(() => server.stop());

const SAID = 'my very private words';
interface Bounds {
  timeoutMs?: number;
  maxRetries?: number;
  signal?: AbortSignal;
}
const call = ({ timeoutMs = 60_000, maxRetries = 2, signal }: Bounds = {}): Promise<unknown> =>
  callOpenAi(
    { provider: 'openai', model: 'gpt', timeoutMs, maxRetries },
    (options) => client.chat.completions.create({ model: 'gpt', messages: [{ role: 'user', content: SAID }] }, options),
    signal,
  );
/** Resolves when the client waits for what does not come: the answer, or the rest of it. */
const waitsFor = async (reply: 'silence' | 'stall'): Promise<void> => {
  while ((reply === 'silence' ? server.requests.length : begun) === 0)
    await new Promise((resolve) => setImmediate(resolve));
};
const failureOf = async (work: Promise<unknown>): Promise<ProviderError> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ProviderError);
  return thrown as ProviderError;
};

describe('callOpenAi', () => {
  it.each<[OpenAiServerReply, ProviderFault, boolean]>([
    [openAiFailure(400, { code: 'context_length_exceeded', message: SAID }), 'refused', false],
    [openAiFailure(401, { message: SAID }), 'unauthorized', false],
    [openAiFailure(403, { message: SAID }), 'unauthorized', false],
    [openAiFailure(404, { code: 'model_not_found', message: SAID }), 'misconfigured', false],
    [openAiFailure(400, { code: 'model_not_found', message: SAID }), 'misconfigured', false],
    [openAiFailure(422, { param: 'model', message: SAID }), 'misconfigured', false],
    ...[302, 304, 405, 410, 415, 451].map((status): [OpenAiServerReply, ProviderFault, boolean] => [
      openAiFailure(status, { message: SAID }),
      'misconfigured',
      false,
    ]),
    [openAiFailure(413, { message: SAID }), 'refused', false],
    [openAiFailure(402, { message: SAID }), 'quota', false],
    [openAiFailure(429, { code: 'insufficient_quota', message: SAID }), 'quota', false],
    [openAiFailure(429, { type: 'insufficient_quota', message: SAID }), 'quota', false],
    [openAiFailure(422, { message: SAID }), 'refused', false],
  ])('does not repeat %j', async (reply, fault, retryable) => {
    server.script(reply);
    const failure = await failureOf(call());
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault, retryable });
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, OpenAiServerReply, ProviderFault]>([
    ['rate limit', openAiFailure(429, { message: SAID }, { 'retry-after-ms': '1' }), 'rate-limited'],
    ['server error', openAiFailure(500, { message: SAID }, { 'retry-after-ms': '1' }), 'unavailable'],
    ['overload', openAiFailure(503, { message: SAID }, { 'retry-after': '0' }), 'unavailable'],
    ['conflict', openAiFailure(409, { message: SAID }, { 'retry-after-ms': '1' }), 'unavailable'],
    ['connection that is not for it', openAiFailure(425, { message: SAID }, { 'retry-after-ms': '1' }), 'unavailable'],
    ['failure behind it', openAiFailure(424, { message: SAID }, { 'retry-after-ms': '1' }), 'unavailable'],
    ['gateway that gave up', openAiFailure(499, { message: SAID }, { 'retry-after-ms': '1' }), 'unavailable'],
    ['request time-out', openAiFailure(408, { message: SAID }, { 'retry-after-ms': '1' }), 'timeout'],
  ])('repeats a %s as often as it may, then says so', async (_name, reply, fault) => {
    server.script(reply, reply, reply);
    const failure = await failureOf(call());
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault, retryable: true });
    expect(server.requests).toHaveLength(3);
    server.reset();
    server.script(reply, openAiChat('ok'));
    await expect(call()).resolves.toBeDefined();
    expect(server.requests).toHaveLength(2);
  });

  it('repeats a broken connection', async () => {
    server.script('reset', openAiChat('ok'));
    await expect(call()).resolves.toBeDefined();
    expect(server.requests).toHaveLength(2);
  });

  it('leaves a wait that does not fit to its caller', async () => {
    server.script(openAiFailure(429, {}, { 'retry-after': '3600' }));
    const failure = await failureOf(call());
    expect({ fault: failure.fault, wait: failure.retryAfterMs }).toEqual({ fault: 'rate-limited', wait: 3_600_000 });
    expect(server.requests).toHaveLength(1);
  });

  it('reads a date in Retry-After', async () => {
    const at = new Date(Date.now() + 600_000).toUTCString();
    server.script(openAiFailure(503, {}, { 'retry-after': at }));
    const { retryAfterMs } = await failureOf(call());
    expect(retryAfterMs).toBeGreaterThan(500_000);
    expect(retryAfterMs).toBeLessThanOrEqual(600_000);
  });

  const DAY = 86_400_000;
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': ' 1.5 ' }, 1_500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '99999999999999999999' }, DAY],
    [{ 'retry-after-ms': '1e9' }, undefined],
    [{ 'retry-after': new Date(Date.now() + 400 * DAY).toUTCString() }, DAY],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after-ms': '-5' }, undefined],
    [{ 'retry-after': '1.2.3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': new Date(Date.now() - DAY).toUTCString() }, undefined],
    [{ 'retry-after': '' }, undefined],
  ])('reads %j as a wait of %p ms', async (headers, wait) => {
    server.script(openAiFailure(429, {}, headers));
    expect((await failureOf(call({ maxRetries: 0 }))).retryAfterMs).toBe(wait);
  });

  it('comes back a little later than it was told, at random, so that not all come at once', async () => {
    const waits: number[] = [];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      if (ms !== undefined && ms >= 2_000 && ms < 5_000) waits.push(ms);
      return setImmediate(run) as unknown as NodeJS.Timeout;
    }) as typeof setTimeout);
    for (const random of [0, 0.5]) {
      jest.spyOn(Math, 'random').mockReturnValue(random);
      const hurried = { provider: 'p', model: 'm', timeoutMs: 60_000, maxRetries: 1 };
      const told = new Headers({ 'retry-after': '2' });
      await failureOf(
        callOpenAi(hurried, () => Promise.reject(Object.assign(new Error('x'), { status: 429, headers: told }))),
      );
    }
    jest.restoreAllMocks();
    expect(waits).toEqual([2_000, 2_250]);
  });

  it.each(['silence', 'stall'] as const)('ends %s at its time-out', async (reply) => {
    const clock = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    server.script(reply);
    const failing = failureOf(call({ timeoutMs: 60_000 }));
    await waitsFor(reply);
    clock.abort();
    const failure = await failing;
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault: 'timeout', retryable: true });
    expect(timeout).toHaveBeenCalledWith(60_000);
    expect(server.requests).toHaveLength(1);
  });

  it.each(['silence', 'stall'] as const)('ends %s when its caller gives up', async (reply) => {
    server.script(reply);
    const caller = new AbortController();
    const failing = failureOf(call({ signal: caller.signal }));
    await waitsFor(reply);
    caller.abort();
    expect((await failing).fault).toBe('timeout');
  });

  it('ends while it waits for a retry when its caller gives up', async () => {
    server.script(openAiFailure(429, {}, { 'retry-after': '4' }));
    const caller = new AbortController();
    const failing = failureOf(call({ signal: caller.signal }));
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    setTimeout(() => caller.abort(), 20);
    expect((await failing).message).toContain('given up');
    expect(server.requests).toHaveLength(1);
  });

  it('makes no request when its caller has given up already', async () => {
    await failureOf(call({ signal: AbortSignal.abort() }));
    expect(server.requests).toHaveLength(0);
  });

  it('hands the client what is left of the time, and leaves it no retries of its own', async () => {
    const given: OpenAiRequestOptions[] = [];
    const service = { provider: 'openai', model: 'gpt', timeoutMs: 60_000, maxRetries: 1 };
    await callOpenAi(service, (options) => {
      given.push(options);
      return given.length === 1
        ? Promise.reject(
            Object.assign(new Error('x'), { status: 500, headers: new Headers({ 'retry-after-ms': '30' }) }),
          )
        : Promise.resolve('ok');
    });
    const [first, second] = given.map(({ timeout = 0 }) => timeout);
    expect(first).toBeLessThanOrEqual(60_000);
    expect(second).toBeLessThan((first ?? 0) - 25);
    expect(given.map(({ maxRetries, signal }) => [maxRetries, signal instanceof AbortSignal])).toEqual([
      [0, true],
      [0, true],
    ]);
  });

  it('names the fault of a client that throws what is no error', async () => {
    for (const thrown of [undefined, null, 'my very private words', Object.create(null) as object]) {
      const failure = await failureOf(
        callOpenAi({ provider: 'openai', model: 'gpt', timeoutMs: 60_000, maxRetries: 0 }, () => {
          throw thrown as Error;
        }),
      );
      expect(failure.fault).toBe('unavailable');
      expect(failure.message).not.toContain('private');
    }
  });

  it('does not wait for a client that ignores its signal', async () => {
    const service = { provider: 'openai', model: 'gpt', timeoutMs: 50, maxRetries: 0 };
    // Keeps the loop alive: the deadline alone does not.
    const alive = setInterval(() => undefined, 1_000);
    const failure = await failureOf(callOpenAi(service, () => new Promise(() => undefined)));
    clearInterval(alive);
    expect(failure.fault).toBe('timeout');
  });

  it('says when nobody listens, by code', async () => {
    const gone = await OpenAiServer.start();
    const { baseURL } = gone;
    await gone.stop();
    const failure = await failureOf(
      callOpenAi({ provider: 'openai', model: 'gpt', timeoutMs: 60_000, maxRetries: 0 }, (options) =>
        new OpenAI({ apiKey: 'k', baseURL }).models.list(options),
      ),
    );
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault: 'unavailable', retryable: true });
    expect(failure.message).toContain('ECONNREFUSED');
  });

  it('quotes nothing of the request or of the answer', async () => {
    for (const status of [400, 401, 429, 500]) {
      server.script(openAiFailure(status, { message: SAID, code: `${SAID}!` }));
      expect(inspect(await failureOf(call({ maxRetries: 0 })), { depth: 9 })).not.toContain(SAID);
    }
    server.script({ status: 502, body: `<p>${SAID}</p>` });
    expect(inspect(await failureOf(call({ maxRetries: 0 })), { depth: 9 })).not.toContain(SAID);
  });

  it('reads an answer that is no JSON as malformed', async () => {
    server.script({ status: 200, body: SAID, headers: { 'content-type': 'application/json' } });
    const failure = await failureOf(call());
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault: 'malformed', retryable: true });
  });
});
