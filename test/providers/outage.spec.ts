import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryService } from 'nestjs-engram';
import type { MemoryModuleOptions, Message, Observation } from 'nestjs-engram';
import { OpenAiCompletion, OpenAiEmbedder } from 'nestjs-engram/openai';
import { OpenAiServer, openAiFailure, openAiVectors } from 'nestjs-engram/testing';
import type { OpenAiServerReply, OpenAiServerRequest } from 'nestjs-engram/testing';
import { memoryApp } from '../memory/memory-app.js';
import type { MemoryApp } from '../memory/memory-app.js';

type Answering = (request: OpenAiServerRequest) => OpenAiServerReply | null;

const said = (content: string): Message[] => [{ role: 'user', content }];
const DOWN = openAiFailure(503);

/** The real client against a local service, whose replies a test bends; null leaves a request to the service's own. */
describe('when a provider fails', () => {
  let server: OpenAiServer;
  let app: MemoryApp;
  let answering: Answering;

  const start = async (options: Partial<MemoryModuleOptions> = {}): Promise<void> => {
    const service = { apiKey: 'k', baseURL: server.baseURL, maxRetries: 0 };
    app = await memoryApp({
      embedder: new OpenAiEmbedder({ ...service, model: 'text-embedding-3-small', dimensions: 64 }),
      completion: new OpenAiCompletion({ ...service, model: 'gpt-4o-mini' }),
      circuit: { failures: 3, openMs: 20, maxOpenMs: 40 },
      ...options,
      observation: { consolidation: 'heuristic', retryDelayMs: 5, ...options.observation },
    });
  };
  const until = async (met: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await met())) await sleep(5);
  };
  const outcome = (user: string, turnId = 't'): Promise<Observation | null> => app.of(user).observation(turnId);
  const contents = async (user: string): Promise<string[]> =>
    (await app.of(user).list()).memories.map(({ content }) => content);
  const circuits = (): string[] => app.events.of('engram.circuit').map(({ state }) => state);

  beforeEach(async () => {
    answering = () => null;
    server = await OpenAiServer.start({
      answer: ({ body }) => {
        const [, place = ''] = /I live in (\w+)/.exec(JSON.stringify(body)) ?? [];
        const memory = { content: `Lives in ${place}`, kind: 'fact', importance: 0.5, message: 0 };
        return JSON.stringify({ memories: place === '' ? [] : [memory] });
      },
      intercept: (request) => answering(request),
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.close();
    await server.stop();
  });

  describe('recall', () => {
    /** Time enough for a request to come in on a busy machine, and waited for only where no answer comes. */
    const prepare = async (embedTimeoutMs: number): Promise<void> => {
      await start({ circuit: { failures: 3, openMs: 600_000 }, recall: { embedTimeoutMs } });
      await app.of('1').add('Lives in Ulm');
      server.requests.length = 0;
    };

    it.each<[string, OpenAiServerReply]>([
      ['answers with 503', DOWN],
      ['has too many requests', openAiFailure(429, {}, { 'retry-after': '30' })],
      ['accepts and never answers', 'silence'],
      ['stops in the middle of an answer', 'stall'],
      ['closes the connection', 'reset'],
    ])('answers by words where the embedder %s, and stops asking it', async (_, reply) => {
      await prepare(reply === 'silence' || reply === 'stall' ? 2_000 : 60_000);
      answering = () => reply;
      for (let n = 0; n < 6; n += 1) {
        const recalled = await app.of('1').recall('Ulm');
        expect(recalled.map(({ memory }) => memory.content)).toEqual(['Lives in Ulm']);
        // What the circuit learns of a call that was given up comes just after.
        await new Promise(setImmediate);
      }
      expect(app.events.of('engram.recall').map(({ degraded }) => degraded)).toEqual(new Array(6).fill(true));
      expect(server.requests).toHaveLength(3);
      expect(circuits()).toEqual(['open']);
    });

    it('of one scope spares that of the others the wait', async () => {
      await prepare(2_000);
      answering = () => 'silence';
      for (const user of ['1', '2', '3']) {
        await app.of(user).recall('Ulm');
        await new Promise(setImmediate);
      }
      await app.of('4').recall('Ulm');
      expect(server.requests).toHaveLength(3);
    });
  });

  it('keeps nothing by hand and says when to come back', async () => {
    await start({ circuit: { failures: 3, openMs: 600_000 } });
    const memory = app.of('1');
    const { memory: before } = await memory.add('Lives in Ulm');
    answering = () => DOWN;
    for (let n = 0; n < 3; n += 1)
      await expect(memory.add('Lives in Bonn')).rejects.toMatchObject({ fault: 'unavailable', retryable: true });
    const refused = { code: 'PROVIDER_FAILED', fault: 'circuit-open', retryable: true };
    for (const work of [
      () => memory.add('Lives in Bonn'),
      () => memory.addMany([{ content: 'Lives in Bonn' }, { content: 'Lives in Kiel' }]),
      () => memory.update(before?.id ?? '', { content: 'Lives in Bonn' }),
      () => memory.rebuildEmbeddings({ staleOnly: false }),
    ]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject(refused);
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(500_000);
    }
    expect(await contents('1')).toEqual(['Lives in Ulm']);
    expect(app.module.get(MemoryService).circuits()).toMatchObject([
      { calls: 'all', state: 'open' },
      { calls: 'queries', state: 'closed' },
      { calls: 'all', state: 'closed' },
    ]);
  });

  it('lets a turn wait for it, not before it is asked again, and counts no failure', async () => {
    await start({ circuit: { failures: 3, openMs: 600_000 } });
    answering = ({ path }) => (path === '/v1/chat/completions' ? DOWN : null);
    const failures = jest.spyOn(app.store.turns, 'fail');
    for (const user of ['1', '2', '3']) await app.of(user).observe(said('I live in Bonn'), { turnId: 't' });
    expect(failures.mock.calls.map(([, , failure]) => failure.failures)).toEqual([1, 1, 1]);
    failures.mockClear();
    for (let n = 4; n < 24; n += 1) {
      expect(await app.of(`${n}`).observe(said('I live in Bonn'), { turnId: 't' })).toMatchObject({
        status: 'failed',
        error: 'PROVIDER_FAILED:circuit-open',
      });
    }
    const delays = failures.mock.calls.map(([, , { delayMs }]) => delayMs);
    expect(failures.mock.calls.map(([, , failure]) => failure.failures > 0 || failure.dead)).toEqual(
      new Array(20).fill(false),
    );
    expect(Math.min(...delays)).toBeGreaterThan(590_000);
    // Not at one moment: those who wait for the same probe come back over a quarter of the wait.
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(60_000);
    expect(server.requests).toHaveLength(3);
    expect(app.events.of('observation.failed').at(-1)).toMatchObject({ willRetry: true });
  });

  it('learns every turn once it is back, of an outage that outlasts all tries of a turn, and asks little meanwhile', async () => {
    // Less than that a turn would be dead, or taken for one that crashes its workers, many times over.
    const outage = 25;
    await start({ observation: { sweepIntervalMs: 5, maxFailures: 5, maxAttempts: 6 } });
    let failed = 0;
    answering = () => {
      if (failed >= outage) return null;
      failed += 1;
      return DOWN;
    };
    const users = Array.from({ length: 40 }, (_, n) => `${n}`);
    for (const user of users) await app.of(user).observeLater(said('I live in Bonn'), { turnId: 't' });
    await until(async () => {
      const outcomes = await Promise.all(users.map((user) => outcome(user)));
      expect(outcomes.filter((turn) => turn?.status === 'dead')).toEqual([]);
      return outcomes.every((turn) => turn?.status === 'applied');
    });
    for (const user of users) expect(await contents(user)).toEqual(['Lives in Bonn']);
    expect(failed).toBe(outage);
    // Every failed request but the first few was a probe: the turns did not ask for themselves.
    const halfOpen = circuits().filter((state) => state === 'half-open');
    expect(halfOpen.length).toBeGreaterThanOrEqual(outage - 10);
    expect(circuits().at(-1)).toBe('closed');
  });

  it.each<[string, OpenAiServerReply, string]>([
    ['fails on', openAiFailure(500), 'PROVIDER_FAILED:unavailable'],
    ['never answers', 'silence', 'PROVIDER_FAILED:timeout'],
    ['cannot make anything of', openAiVectors([]), 'PROVIDER_FAILED:malformed'],
  ])("gives a turn up that a model %s, and learns everybody else's", async (_, reply, error) => {
    // Long enough for the others' answers on a busy machine, and waited for only where nothing comes.
    const modelTimeoutMs = reply === 'silence' ? 2_000 : 50_000;
    await start({ observation: { sweepIntervalMs: 5, maxFailures: 4, modelTimeoutMs } });
    answering = ({ body }) => (JSON.stringify(body).includes('poison') ? reply : null);
    await app.of('poisoned').observeLater(said('I live in poison'), { turnId: 't' });
    const users = Array.from({ length: 12 }, (_, n) => `${n}`);
    for (const user of users) {
      await app.of(user).observeLater(said('I live in Bonn'), { turnId: 't' });
      await app.of(user).observeLater(said('I live in Bonn, still'), { turnId: 'u' });
      await sleep(5);
    }
    const open = async (user: string): Promise<boolean> => (await app.of(user).stats()).pendingTurns > 0;
    await until(async () => !(await Promise.all(users.map(open))).includes(true));
    await until(async () => (await outcome('poisoned'))?.status === 'dead');
    expect(await outcome('poisoned')).toMatchObject({ error });
    for (const user of users) {
      expect((await outcome(user))?.status).toBe('applied');
      expect(await contents(user)).toEqual(['Lives in Bonn']);
    }
    expect(await contents('poisoned')).toEqual([]);
    expect(JSON.stringify(app.events.events)).not.toContain('I live');
  });

  it.each<[string, OpenAiServerRequest['path'], OpenAiServerReply]>([
    ['a model that is not there', '/v1/chat/completions', openAiFailure(404, { code: 'model_not_found' })],
    ['an address that leads elsewhere', '/v1/chat/completions', openAiFailure(405)],
    ['vectors of another length', '/v1/embeddings', openAiVectors([[1, 0, 0]])],
  ])('keeps a turn until somebody sets right what no turn is to blame for: %s', async (_, at, reply) => {
    await start();
    answering = ({ path }) => (path === at ? reply : null);
    const observation = await app.of('ada').observe(said('I live in Bonn'), { turnId: 't' });
    expect(observation).toMatchObject({ status: 'failed', error: 'PROVIDER_FAILED:misconfigured' });
    expect(await contents('ada')).toEqual([]);
    answering = () => null;
    expect(await app.of('ada').retryObservation('t')).toMatchObject({ status: 'pending' });
    await until(async () => (await outcome('ada'))?.status === 'applied');
    expect(await contents('ada')).toEqual(['Lives in Bonn']);
  });

  it('tells an outage from one turn that is too much for a model, even where nobody else says anything', async () => {
    await start({
      circuit: { failures: 2, openMs: 20, maxOpenMs: 20 },
      observation: { sweepIntervalMs: 5, maxFailures: 5 },
    });
    answering = ({ body }) => (JSON.stringify(body).includes('poison') ? DOWN : null);
    await app.of('1').observeLater(said('I live in poison'), { turnId: 't' });
    await until(async () => (await outcome('1'))?.status === 'dead');
    expect(circuits()).toContain('open');
    expect(await app.of('2').observe(said('I live in Bonn'), { turnId: 't' })).toMatchObject({ status: 'applied' });
    expect(circuits().at(-1)).toBe('closed');
  });

  it('counts the tokens of answers that could not be used', async () => {
    await start();
    const tokens = (): number[] => app.events.of('engram.extract').map(({ inputTokens }) => inputTokens);
    const answer = (content: string, finish_reason = 'stop'): OpenAiServerReply => ({
      status: 200,
      body: {
        choices: [{ finish_reason, message: { content } }],
        usage: { prompt_tokens: 100, completion_tokens: 9, total_tokens: 109 },
      },
    });
    const replies = [answer('no JSON at all'), answer('{"memories":[', 'length'), answer('{"memories":[]}')];
    for (const [index, reply] of replies.entries()) {
      answering = () => reply;
      await app.of(`${index}`).observe(said('I live in Bonn'), { turnId: 't' });
    }
    expect(tokens()).toEqual([100, 100, 100]);
  });
});
