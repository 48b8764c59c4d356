import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenAI } from 'openai';
import type { APIPromise } from 'openai';
import { Stream } from 'openai/streaming';
import { withMemory } from 'nestjs-engram/openai';
import { BLOCK, ListeningMemory } from './chat-memory.js';
import { ChatServer, chunkOf, StreamedReply, toolCalls } from './chat-server.js';

type Chunk = OpenAI.ChatCompletionChunk;

const word = (content: string): Record<string, unknown> => chunkOf({ content });
const wordOf = (chunk: Chunk): string => chunk.choices[0]?.delta.content ?? '';

describe('a streamed chat with memory', () => {
  let server: ChatServer;
  let client: OpenAI;
  let memory: ListeningMemory;
  let reply: StreamedReply;

  beforeAll(async () => {
    server = await ChatServer.start();
    client = new OpenAI({ apiKey: 'sk-test', baseURL: server.baseURL, maxRetries: 0 });
  });
  beforeEach(() => {
    server.reset();
    memory = new ListeningMemory();
    reply = new StreamedReply();
    server.script(reply.reply);
  });
  afterAll(() => server.stop());

  const ask = (openai: OpenAI, options?: OpenAI.RequestOptions): APIPromise<Stream<Chunk>> =>
    openai.chat.completions.create(
      { model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'I sail.' }] },
      options,
    );
  const open = (options?: OpenAI.RequestOptions): Promise<Stream<Chunk>> => ask(withMemory(client, memory), options);

  it('recalls before, and hands the whole answer in when it has ended, not sooner', async () => {
    const opened = open();
    await reply.send(chunkOf({ role: 'assistant' }), word('Fair '));
    const stream = await opened;
    expect(server.asked[0]).toEqual({ role: 'system', content: BLOCK });
    const words: string[] = [];
    for await (const chunk of stream) {
      words.push(wordOf(chunk));
      expect(memory.turns).toEqual([]);
      if (words.at(-1) === 'Fair ') await reply.send(word('winds!'), chunkOf({}, 'stop'));
      if (chunk.choices[0]?.finish_reason) await reply.end();
    }
    expect(words).toEqual(['', 'Fair ', 'winds!', '']);
    expect(memory.turns).toEqual([['user: I sail.', 'assistant: Fair winds!']]);
  });

  it('passes each chunk on at once, as the service sent it', async () => {
    const stream = (await open())[Symbol.asyncIterator]();
    for (const sent of [
      chunkOf({ role: 'assistant', content: '' }),
      word('One'),
      chunkOf({ own: [1] }),
      { choices: [], usage: {} },
      { odd: true },
    ]) {
      const next = stream.next();
      await reply.send(sent);
      // The service sends the next one only after this one has arrived here.
      expect(await next).toEqual({ done: false, value: sent });
    }
    await reply.end();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(memory.turns).toEqual([['user: I sail.', 'assistant: One']]);
  });

  it('is a stream of the client, with its controller and its response', async () => {
    const { data, response, request_id: id } = await ask(withMemory(client, memory)).withResponse();
    expect(data).toBeInstanceOf(Stream);
    expect(data.controller.signal.aborted).toBe(false);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(id).toBe('req_streamed');
    await reply.send(word('Ahoy!'));
    await reply.end();
    const words: string[] = [];
    for await (const chunk of data) words.push(wordOf(chunk));
    expect(words).toEqual(['Ahoy!']);
    expect(memory.turns).toHaveLength(1);
  });

  it('hands in what was read when the reader stops, and the request ends as with the client', async () => {
    const stream = await open();
    await reply.send(word('Fair '), word('winds '));
    for await (const chunk of stream) if (wordOf(chunk) === 'winds ') break;
    await reply.closed;
    expect(stream.controller.signal.aborted).toBe(true);
    expect(memory.turns).toEqual([['user: I sail.', 'assistant: Fair winds ']]);
  });

  it.each(['controller', 'signal'])('hands in what was read when it is given up by its %s', async (way) => {
    const given = new AbortController();
    const stream = await open({ signal: given.signal });
    await reply.send(word('Fair '));
    const words: string[] = [];
    for await (const chunk of stream) {
      words.push(wordOf(chunk));
      if (way === 'controller') stream.controller.abort();
      else given.abort();
    }
    await reply.closed;
    expect(words).toEqual(['Fair ']);
    expect(memory.turns).toEqual([['user: I sail.', 'assistant: Fair ']]);
  });

  it('hands nothing in when it is given up before the first word: the user may say it otherwise', async () => {
    const stream = await open();
    await reply.send(chunkOf({ role: 'assistant', content: '' }));
    for await (const _ of stream) break;
    await reply.closed;
    expect(memory.handedIn).toEqual([]);
  });

  it('hands nothing in when it breaks on the way, and fails as the client does', async () => {
    const readThrough = async (stream: Stream<Chunk>): Promise<string> => {
      await reply.send(word('Fair '));
      try {
        for await (const _ of stream) await reply.break();
        return 'ended';
      } catch (error) {
        return (error as Error).constructor.name;
      }
    };
    const failure = await readThrough(await ask(client));
    expect(failure).not.toBe('ended');
    reply = new StreamedReply();
    server.script(reply.reply);
    expect(await readThrough(await open())).toBe(failure);
    expect(memory.handedIn).toEqual([]);
  });

  it('hands nothing in where the service reports an error in the stream', async () => {
    const stream = await open();
    await reply.send(word('Fair '), { error: { message: 'overloaded' } });
    await expect(async () => {
      for await (const _ of stream);
    }).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(memory.handedIn).toEqual([]);
  });

  it('hands nothing in of a stream that nobody reads', async () => {
    const stream = await open();
    await reply.send(word('Fair winds.'), chunkOf({}, 'stop'));
    await reply.end();
    stream.controller.abort();
    expect(memory.handedIn).toEqual([]);
  });

  it('reads once: a second reader is told so, and the turn is handed in once', async () => {
    const stream = await open();
    await reply.send(word('Fair.'));
    await reply.end();
    for await (const _ of stream);
    await expect(async () => {
      for await (const _ of stream);
    }).rejects.toThrow('consumed stream');
    expect(memory.handedIn).toHaveLength(1);
  });

  it('can be split in two', async () => {
    const [left, right] = (await open()).tee();
    await reply.send(word('Fair '), word('winds.'));
    await reply.end();
    for (const half of [left, right]) {
      const words: string[] = [];
      for await (const chunk of half) words.push(wordOf(chunk));
      expect(words).toEqual(['Fair ', 'winds.']);
    }
    expect(memory.turns).toEqual([['user: I sail.', 'assistant: Fair winds.']]);
  });

  it('can be sent on as lines, wholly or until the reader leaves', async () => {
    const whole = (await open()).toReadableStream();
    await reply.send(word('Fair '), word('winds.'));
    await reply.end();
    const text = await new Response(whole).text();
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => wordOf(JSON.parse(line) as Chunk)),
    ).toEqual(['Fair ', 'winds.']);
    expect(memory.turns).toEqual([['user: I sail.', 'assistant: Fair winds.']]);

    reply = new StreamedReply();
    server.script(reply.reply);
    const reader = (await open()).toReadableStream().getReader();
    await reply.send(word('Half '));
    await reader.read();
    await reader.cancel();
    await reply.closed;
    expect(memory.turns[1]).toEqual(['user: I sail.', 'assistant: Half ']);
  });

  it('does not hand in an answer that calls tools, whole or given up', async () => {
    server.reset();
    server.script(toolCalls('a'), toolCalls('b'));
    for await (const _ of await open());
    for await (const chunk of await open()) if (chunk.choices[0]?.delta.tool_calls) break;
    expect(memory.handedIn).toEqual([]);
  });

  it('takes the first of several choices, texts in parts, refusals and spoken words', async () => {
    const parts = [{ type: 'text', text: 'First.' }];
    const deltas = [
      { content: 'First.' },
      { content: parts },
      { refusal: 'First.' },
      { audio: { transcript: 'First.' } },
    ];
    for (const delta of deltas) {
      const stream = await open();
      await reply.send(
        chunkOf({ content: 'Second.' }, null, 1),
        chunkOf(delta),
        chunkOf({}, 'stop', 1),
        chunkOf({}, 'stop'),
      );
      await reply.end();
      for await (const _ of stream);
      expect(memory.turns.at(-1)).toEqual(['user: I sail.', 'assistant: First.']);
      reply = new StreamedReply();
      server.script(reply.reply);
    }
  });

  it('hands in what the user said where the model ended without a word', async () => {
    const stream = await open();
    await reply.send(chunkOf({}, 'content_filter'));
    await reply.end();
    for await (const _ of stream);
    expect(memory.turns).toEqual([['user: I sail.']]);
  });

  it('may be an iterable of the host, of another shape inside', async () => {
    const create = async (): Promise<AsyncGenerator<unknown>> =>
      (async function* () {
        yield word('Mocked ');
        yield word('words.');
      })();
    const mocked = { chat: { completions: { create } } } as unknown as OpenAI;
    const words: string[] = [];
    for await (const chunk of await ask(withMemory(mocked, memory))) words.push(wordOf(chunk));
    expect(words).toEqual(['Mocked ', 'words.']);
    expect(memory.turns).toEqual([['user: I sail.', 'assistant: Mocked words.']]);
  });
});
