import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { OpenAI } from 'openai';
import { ProviderError, UnavailableError } from 'nestjs-engram';
import { withMemory } from 'nestjs-engram/openai';
import type { WithMemoryOptions } from 'nestjs-engram/openai';
import { BLOCK, ListeningMemory } from './chat-memory.js';
import { ChatServer } from './chat-server.js';

const SECRET = 'I sail with Captain Nemo.';
const never = (): Promise<never> => new Promise(() => undefined);

describe('a chat whose memory fails', () => {
  let server: ChatServer;
  let client: OpenAI;
  let memory: ListeningMemory;
  let warnings: string[];

  beforeAll(async () => {
    server = await ChatServer.start();
    client = new OpenAI({ apiKey: 'sk-test', baseURL: server.baseURL, maxRetries: 0 });
  });
  beforeEach(() => {
    server.reset();
    memory = new ListeningMemory();
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => void warnings.push(String(message)));
  });
  afterEach(async () => {
    // A rejection that is left to nobody comes now, and jest fails the test by it.
    await sleep(5);
    jest.restoreAllMocks();
    // Only the class of a fault is told, never what was said.
    expect(warnings.join(' ')).not.toMatch(/Nemo|sail|winds/);
  });
  afterAll(async () => {
    await server.stop();
  });

  const chat = async (options: WithMemoryOptions = {}, request: OpenAI.RequestOptions = {}): Promise<string | null> => {
    const completion = await withMemory(client, memory, options).chat.completions.create(
      { model: 'gpt-4o-mini', messages: [{ role: 'user', content: SECRET }] },
      request,
    );
    return completion.choices[0]?.message.content ?? null;
  };

  it.each<[string, () => Promise<string>, string]>([
    ['rejects', () => Promise.reject(new UnavailableError(`cannot recall ${SECRET}`)), 'UNAVAILABLE'],
    [
      'rejects by a provider',
      () => Promise.reject(new ProviderError('x', 'quota', false, SECRET)),
      'PROVIDER_FAILED:quota',
    ],
    ['rejects with what is no error of ours', () => Promise.reject(new TypeError(SECRET)), 'INTERNAL'],
    ['rejects with nothing', () => Promise.reject(undefined as unknown as Error), 'INTERNAL'],
    [
      'throws',
      () => {
        throw new Error(SECRET);
      },
      'INTERNAL',
    ],
  ])('goes on without its memories where recall %s, and still hands the turn in', async (_how, recall, told) => {
    memory.recall = recall;
    expect(await chat()).toBe('Hello there.');
    expect(server.asked).toEqual([{ role: 'user', content: SECRET }]);
    expect(memory.turns).toHaveLength(1);
    expect(warnings).toEqual([`A chat went on without its memories: ${told}.`]);
  });

  it('waits for a recall that hangs no longer than told, and does not mind its late failure', async () => {
    let fail = (_error: Error): void => undefined;
    memory.recall = () => new Promise((_, reject) => (fail = reject));
    expect(await chat({ timeoutMs: 20 })).toBe('Hello there.');
    expect(server.asked).toEqual([{ role: 'user', content: SECRET }]);
    expect(warnings).toEqual(['A chat went on without its memories: no answer within 20 ms.']);
    fail(new Error(SECRET));
  });

  it('is given up while it recalls, by its signal, without asking the model', async () => {
    memory.recall = never;
    const given = new AbortController();
    const call = chat({ timeoutMs: 60_000 }, { signal: given.signal });
    given.abort();
    await expect(call).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(server.requests).toEqual([]);
    expect(memory.handedIn).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is given up before it begins', async () => {
    await expect(chat({}, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(server.requests).toEqual([]);
  });

  it.each<[string, () => never]>([
    ['rejects', () => Promise.reject(new UnavailableError(SECRET)) as never],
    [
      'throws',
      () => {
        throw new UnavailableError(SECRET);
      },
    ],
  ])('answers where the hand-in %s', async (_how, accept) => {
    memory.accept = accept;
    expect(await chat()).toBe('Hello there.');
    await sleep(0);
    expect(warnings).toEqual(['A turn of a chat was not handed in: UNAVAILABLE. Nothing is learned from it.']);
  });

  it('answers at once while the hand-in hangs, streamed too', async () => {
    memory.accept = never;
    expect(await chat()).toBe('Hello there.');
    const stream = await withMemory(client, memory).chat.completions.create({
      model: 'gpt-4o-mini',
      stream: true,
      messages: [{ role: 'user', content: SECRET }],
    });
    const words: string[] = [];
    for await (const chunk of stream) words.push(chunk.choices[0]?.delta.content ?? '');
    expect(words.join('')).toBe('Hello there.');
    expect(memory.handedIn).toHaveLength(2);
  });

  it.each<[string, () => ListeningMemory | null]>([
    [
      'is not found',
      () => {
        throw new UnavailableError(SECRET);
      },
    ],
    ['is undefined', () => undefined as unknown as null],
    ['comes later', () => Promise.resolve(new ListeningMemory()) as unknown as null],
  ])('goes on without memory where its scope %s, and never with another one', async (_how, find) => {
    const completion = await withMemory(client, find).chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: SECRET }],
    });
    expect(completion.choices[0]?.message.content).toBe('Hello there.');
    expect(server.asked).toEqual([{ role: 'user', content: SECRET }]);
    expect(warnings).toEqual([
      expect.stringMatching(/^A chat went on without memory, since its scope was not found: [A-Z_]+\.$/),
    ]);
  });

  it('leaves a failed call to its caller alone: nobody waiting for it is no fault of memory', async () => {
    server.script((_request, response) => response.writeHead(500).end());
    await expect(chat()).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    expect(server.asked[0]).toEqual({ role: 'system', content: BLOCK });
    expect(warnings).toEqual([]);
  });
});
