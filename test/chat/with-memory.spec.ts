import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AzureOpenAI, OpenAI } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { withMemory } from 'nestjs-engram/openai';
import { BLOCK, ListeningMemory } from './chat-memory.js';
import { ChatServer, completionOf, toolCalls } from './chat-server.js';

const MODEL = 'gpt-4o-mini';
const say = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });

describe('a chat with memory', () => {
  let server: ChatServer;
  let client: OpenAI;
  let memory: ListeningMemory;
  let openai: OpenAI;

  beforeAll(async () => {
    server = await ChatServer.start();
    client = new OpenAI({ apiKey: 'sk-test', baseURL: server.baseURL, maxRetries: 0 });
  });
  beforeEach(() => {
    server.reset();
    memory = new ListeningMemory();
    openai = withMemory(client, memory);
  });
  afterAll(() => server.stop());

  const create = (messages: ChatCompletionMessageParam[]): Promise<OpenAI.ChatCompletion> =>
    openai.chat.completions.create({ model: MODEL, messages });

  describe('recalls', () => {
    it("by the user's last message, and puts the block before the system prompt", async () => {
      await create([
        { role: 'system', content: 'Be kind.' },
        say('Hi!'),
        { role: 'assistant', content: 'Hi.' },
        say('Dinner?'),
      ]);
      expect(memory.queries).toEqual([{ query: 'Dinner?', options: {} }]);
      expect(server.asked[0]).toEqual({ role: 'system', content: `${BLOCK}\n\nBe kind.` });
      expect(server.asked.slice(1).map(({ content }) => content)).toEqual(['Hi!', 'Hi.', 'Dinner?']);
    });

    it('into a developer message, into a list of parts, or into a message of its own', async () => {
      await create([{ role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] }, say('Dinner?')]);
      expect(server.asked[0]).toEqual({
        role: 'developer',
        content: [
          { type: 'text', text: `${BLOCK}\n\n` },
          { type: 'text', text: 'Be kind.' },
        ],
      });
      await create([say('Dinner?')]);
      expect(server.asked).toEqual([{ role: 'system', content: BLOCK }, say('Dinner?')]);
    });

    it('nothing where nothing is relevant, and sends what was given', async () => {
      memory.recall = () => Promise.resolve('');
      await create([say('Dinner?')]);
      expect(server.asked).toEqual([say('Dinner?')]);
    });

    it('with the options given, or not at all', async () => {
      openai = withMemory(client, memory, { recall: { limit: 2, alsoIn: ['team:7'] } });
      await create([say('Dinner?')]);
      expect(memory.queries).toEqual([{ query: 'Dinner?', options: { limit: 2, alsoIn: ['team:7'] } }]);
      openai = withMemory(client, memory, { recall: false });
      await create([say('Dinner?')]);
      expect(memory.queries).toHaveLength(1);
      expect(server.asked).toEqual([say('Dinner?')]);
      expect(memory.turns).toHaveLength(2);
    });

    it('at each step of a loop through tools, so that no step forgets', async () => {
      await create([
        say('Weather?'),
        { role: 'assistant', ...toolCalls('a') },
        { role: 'tool', tool_call_id: 'a', content: 'rain' },
      ]);
      expect(memory.queries).toEqual([{ query: 'Weather?', options: {} }]);
      expect(server.asked[0]).toEqual({ role: 'system', content: BLOCK });
    });
  });

  describe('hands in', () => {
    it('the finished turn: what is new from the user, and the answer', async () => {
      const before = Date.now();
      await create([
        { role: 'system', content: 'Be kind.' },
        say('I am Ada.'),
        { role: 'assistant', content: 'Hi.' },
        say('I sail.'),
      ]);
      expect(memory.turns).toEqual([['user: I sail.', 'assistant: Hello there.']]);
      const { turnId, occurredAt } = memory.handedIn[0]?.options ?? {};
      expect(turnId).toMatch(/^[\da-f-]{36}$/);
      expect(occurredAt?.getTime()).toBeGreaterThanOrEqual(before);
    });

    it('what was said before the turn as its context: the last words of both, and nothing of tools or prompts', async () => {
      const talk = Array.from({ length: 8 }, (_, n): ChatCompletionMessageParam[] => [
        say(`Question ${n}`),
        { role: 'assistant', content: `Answer ${n}` },
      ]).flat();
      await create([
        { role: 'system', content: 'Be kind.' },
        ...talk,
        say(`${BLOCK}Where shall I go?`),
        { role: 'assistant', ...toolCalls('a') },
        { role: 'tool', tool_call_id: 'a', content: 'rain' },
        { role: 'assistant', content: 'Do you live in Oslo?' },
        say('Yes.'),
      ]);
      expect(memory.turns).toEqual([['user: Yes.', 'assistant: Hello there.']]);
      expect(memory.handedIn[0]?.options.context).toEqual([
        { role: 'user', content: 'Question 6' },
        { role: 'assistant', content: 'Answer 6' },
        { role: 'user', content: 'Question 7' },
        { role: 'assistant', content: 'Answer 7' },
        { role: 'user', content: 'Where shall I go?' },
        { role: 'assistant', content: 'Do you live in Oslo?' },
      ]);
    });

    it('each completion under an id of its own, also of the same words', async () => {
      await create([say('I moved to Berlin.')]);
      await create([say('I moved to Berlin.')]);
      const ids = memory.handedIn.map(({ options }) => options.turnId);
      expect(new Set(ids).size).toBe(2);
    });

    it('with the id and time zone given, or nothing', async () => {
      openai = withMemory(client, memory, { observe: { turnId: 'message:7', timeZone: 'Europe/Oslo' } });
      await create([say('I sail tomorrow.')]);
      expect(memory.handedIn[0]?.options).toMatchObject({ turnId: 'message:7', timeZone: 'Europe/Oslo' });
      openai = withMemory(client, memory, { observe: false });
      await create([say('I sail.')]);
      expect(memory.handedIn).toHaveLength(1);
      expect(memory.queries).toHaveLength(2);
    });

    it('a loop through tools once, at its end, without what the tools said', async () => {
      const messages = [say('I sail in Oslo. Weather?')];
      server.script(toolCalls('a'), toolCalls('b'), { content: 'Rain.' }, { content: 'Bye.' });
      for (const id of ['a', 'b']) {
        const { choices } = await create(messages);
        messages.push(choices[0]?.message as ChatCompletionMessageParam);
        messages.push({ role: 'tool', tool_call_id: id, content: 'rain' });
        expect(memory.turns).toEqual([]);
      }
      messages.push({ role: 'assistant', content: (await create(messages)).choices[0]?.message.content ?? '' });
      await create([...messages, say('Thanks, I stay home.')]);
      expect(memory.turns).toEqual([
        ['user: I sail in Oslo. Weather?', 'assistant: Rain.'],
        ['user: Thanks, I stay home.', 'assistant: Bye.'],
      ]);
    });

    it('the first of several choices; a refusal, the words of a spoken answer and those of a list of parts as the answer', async () => {
      const reply = (...messages: Record<string, unknown>[]): void =>
        server.script((_request, response) => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(completionOf(...messages)));
        });
      reply({ content: 'One.' }, { content: 'Two.' });
      reply({ refusal: 'No.' });
      reply({ audio: { id: 'a', transcript: 'Spoken.' } });
      reply({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'In ' },
          { type: 'text', text: 'parts.' },
        ],
      });
      reply({ content: '' });
      for (let call = 0; call < 5; call += 1) await create([say('I sail.')]);
      expect(memory.turns.map(([, answer]) => answer)).toEqual([
        'assistant: One.',
        'assistant: No.',
        'assistant: Spoken.',
        'assistant: In parts.',
        undefined,
      ]);
    });

    it('nothing of a call that failed, or that came back without an answer', async () => {
      server.script((_request, response) => response.writeHead(400).end('{}'));
      await expect(create([say('I sail.')])).rejects.toBeInstanceOf(OpenAI.BadRequestError);
      server.script((_request, response) => response.setHeader('content-type', 'application/json').end('{"error":{}}'));
      await create([say('I sail.')]);
      expect(memory.handedIn).toEqual([]);
    });

    it('what is too long for the memory cut to its limits', async () => {
      memory.limits = { turnMessages: 2, contextMessages: 1, messageLength: 5 } as ListeningMemory['limits'];
      server.script({ content: 'A long answer.' });
      const before: ChatCompletionMessageParam[] = [say('zero'), { role: 'assistant', content: 'An earlier one.' }];
      await create([...before, say('one'), say('two'), say('😀😀😀😀😀😀')]);
      expect(memory.turns).toEqual([['user: 😀😀😀😀😀', 'assistant: A lon']]);
      expect(memory.handedIn[0]?.options.context).toEqual([{ role: 'assistant', content: 'An ea' }]);
    });

    it('what was said at the call, whatever becomes of the list meanwhile', async () => {
      const messages = [say('I sail.')];
      const body = { model: MODEL, messages };
      const call = openai.chat.completions.create(body);
      messages.push({ role: 'assistant', content: 'Oh?' }, say('I lied.'));
      body.model = 'another';
      await call;
      expect(server.requests[0]?.body.model).toBe(MODEL);
      expect(server.asked.slice(1)).toEqual([say('I sail.')]);
      expect(memory.turns).toEqual([['user: I sail.', 'assistant: Hello there.']]);
    });
  });

  describe('keeps to the client', () => {
    it("leaves the caller's objects as they are, frozen to the bottom", async () => {
      const body = Object.freeze({
        model: MODEL,
        temperature: 0.5,
        metadata: Object.freeze({ chat: '7' }),
        messages: Object.freeze([
          Object.freeze({ role: 'system', content: 'Be kind.' }),
          Object.freeze({ role: 'user', content: Object.freeze([Object.freeze({ type: 'text', text: 'Dinner?' })]) }),
        ]) as unknown as ChatCompletionMessageParam[],
      });
      const before = JSON.stringify(body);
      await openai.chat.completions.create(body);
      expect(JSON.stringify(body)).toBe(before);
      const { messages, ...rest } = server.requests[0]?.body ?? { messages: [] };
      expect(rest).toEqual({ model: MODEL, temperature: 0.5, metadata: { chat: '7' } });
      expect(messages[1]).toEqual({ role: 'user', content: [{ type: 'text', text: 'Dinner?' }] });
    });

    it('passes request options on', async () => {
      await openai.chat.completions.create(
        { model: MODEL, messages: [say('Dinner?')] },
        { headers: { 'x-trace': '7' }, query: { debug: 'yes' } },
      );
      expect(server.requests[0]?.headers['x-trace']).toBe('7');
      expect(server.requests[0]?.url).toBe('/v1/chat/completions?debug=yes');
    });

    it('fails as it does: by a time-out, an abort, a service that is not there', async () => {
      const failureOf = (asked: OpenAI, options: OpenAI.RequestOptions): Promise<string> => {
        server.script(() => undefined);
        return asked.chat.completions.create({ model: MODEL, messages: [say('Dinner?')] }, options).then(
          () => 'none',
          (error: Error) => `${error.constructor.name}: ${error.message}`,
        );
      };
      const nowhere = new OpenAI({ apiKey: 'k', baseURL: 'http://127.0.0.1:9', maxRetries: 0 });
      const ways: [OpenAI, () => OpenAI.RequestOptions][] = [
        [client, () => ({ timeout: 50 })],
        [client, () => ({ signal: AbortSignal.timeout(50) })],
        [client, () => ({ signal: AbortSignal.abort() })],
        [nowhere, () => ({})],
      ];
      for (const [asked, options] of ways) {
        const expected = await failureOf(asked, options());
        expect(expected).not.toBe('none');
        expect(await failureOf(withMemory(asked, memory), options())).toBe(expected);
      }
      expect(memory.handedIn).toEqual([]);
    });

    it('gives its responses: raw, with the parsed data, and with the id of the request', async () => {
      const body = { model: MODEL, messages: [say('Dinner?')] };
      const call = openai.chat.completions.create(body);
      const { data, response, request_id: id } = await call.withResponse();
      expect(response.status).toBe(200);
      expect(id).toBe('req_1');
      expect(data).toBe(await call);
      expect(data).toHaveProperty('_request_id', 'req_1');
      expect(memory.turns).toHaveLength(1);

      const raw = await openai.chat.completions.create(body).asResponse();
      expect(((await raw.json()) as OpenAI.ChatCompletion).choices[0]?.message.content).toBe('Hello there.');
      expect(memory.turns).toHaveLength(1);
    });

    it('is a promise like any other', async () => {
      const body = { model: MODEL, messages: [say('Dinner?')] };
      const steps: string[] = [];
      const call = openai.chat.completions.create(body);
      expect(call).toBeInstanceOf(Promise);
      await call.finally(() => steps.push('finally')).then(() => steps.push('then'));
      await Promise.all([call, call]);
      server.script((_request, response) => response.writeHead(404).end());
      await openai.chat.completions.create(body).catch(() => steps.push('catch'));
      expect(steps).toEqual(['finally', 'then', 'catch']);
      expect(memory.turns).toHaveLength(1);
      expect(server.requests).toHaveLength(2);
    });

    it('is its class, shows its fields, and takes changes to them', async () => {
      const own = new OpenAI({ apiKey: 'sk-old', baseURL: server.baseURL });
      const remembering = withMemory(own, memory);
      expect(remembering).toBeInstanceOf(OpenAI);
      expect(remembering.baseURL).toBe(server.baseURL);
      remembering.apiKey = 'sk-new';
      expect(own.apiKey).toBe('sk-new');
      await remembering.chat.completions.create({ model: MODEL, messages: [say('Hi')] });
      expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-new');
    });

    it('leaves the other members to the client, methods with private fields too', async () => {
      expect(openai.embeddings).toBe(client.embeddings);
      expect(openai.responses).toBe(client.responses);
      expect(openai.post).toBe(openai.post);
      await openai.post('/own', { body: { messages: [] } });
      expect(server.requests[0]?.url).toBe('/v1/own');
      await openai.chat.completions.retrieve('chatcmpl-7');
      expect(server.requests[1]?.url).toBe('/v1/chat/completions/chatcmpl-7');
      await openai.responses.create({ model: MODEL, input: 'Dinner?' });
      expect(server.requests[2]?.body).toEqual({ model: MODEL, input: 'Dinner?' });
      expect(memory.queries).toEqual([]);
    });

    it('leaves the given client without memory', async () => {
      await client.chat.completions.create({ model: MODEL, messages: [say('Dinner?')] });
      expect(memory.queries).toEqual([]);
      expect(server.asked).toEqual([say('Dinner?')]);
    });

    it('keeps its memory in clients made by withOptions', async () => {
      const other = openai.withOptions({ defaultHeaders: { 'x-team': '7' } }).withOptions({ maxRetries: 1 });
      await other.chat.completions.create({ model: MODEL, messages: [say('Dinner?')] });
      expect(other.maxRetries).toBe(1);
      expect(server.requests[0]?.headers['x-team']).toBe('7');
      expect(server.asked[0]).toEqual({ role: 'system', content: BLOCK });
      expect(memory.turns).toHaveLength(1);
    });

    it('may be the client of Azure, whose path has the model in it', async () => {
      const azure = new AzureOpenAI({ apiKey: 'k', apiVersion: '1', baseURL: `${server.baseURL}/openai` });
      await withMemory(azure, memory).chat.completions.create({ model: 'own', messages: [say('Dinner?')] });
      expect(server.requests[0]?.url).toBe('/v1/openai/deployments/own/chat/completions?api-version=1');
      expect(memory.turns).toHaveLength(1);
    });

    it('may be a stand-in of the host, of another shape inside', async () => {
      const create = (): Promise<unknown> => Promise.resolve(completionOf({ content: 'Mocked.' }));
      const mocked = { chat: { completions: { create } } } as unknown as OpenAI;
      const { choices } = await withMemory(mocked, memory).chat.completions.create({
        model: MODEL,
        messages: [say('Hi')],
      });
      expect(choices[0]?.message.content).toBe('Mocked.');
      expect(memory.turns).toEqual([['user: Hi', 'assistant: Mocked.']]);
    });
  });

  describe('runs the helpers of the client', () => {
    it('parse: recalls, parses and hands in', async () => {
      server.script({ content: '{"dish":"soup"}' });
      const completion = await openai.chat.completions.parse({
        model: MODEL,
        messages: [say('Dinner?')],
        response_format: { type: 'json_schema', json_schema: { name: 'dish', strict: true, schema: {} } },
      });
      expect(completion.choices[0]?.message.content).toBe('{"dish":"soup"}');
      expect(completion.choices[0]?.message).toHaveProperty('parsed');
      expect(server.asked[0]).toEqual({ role: 'system', content: BLOCK });
      expect(server.requests[0]?.headers['x-stainless-helper-method']).toBe('chat.completions.parse');
      expect(memory.turns).toEqual([['user: Dinner?', 'assistant: {"dish":"soup"}']]);
    });

    it('stream: recalls, tells its events and hands in', async () => {
      server.script({ content: 'Soup and bread.' });
      const stream = openai.chat.completions.stream({ model: MODEL, messages: [say('Dinner?')] });
      const heard: string[] = [];
      stream.on('content', (words) => heard.push(words));
      expect(await stream.finalContent()).toBe('Soup and bread.');
      expect(heard).toEqual(['Soup ', 'and ', 'bread.']);
      expect(server.asked[0]).toEqual({ role: 'system', content: BLOCK });
      expect(memory.turns).toEqual([['user: Dinner?', 'assistant: Soup and bread.']]);
    });

    it.each([false, true])('runTools, stream %s: calls the tools, and hands the whole loop in once', async (stream) => {
      server.script(toolCalls('a'), { content: 'Rain.' });
      const called: string[] = [];
      const tool = {
        type: 'function' as const,
        function: {
          name: 'weather',
          description: 'The weather',
          parameters: { type: 'object', properties: {} },
          function: (given: string) => {
            called.push(given);
            return 'rain';
          },
        },
      };
      const messages = [say('I sail. Weather?')];
      const runner = stream
        ? openai.chat.completions.runTools({ model: MODEL, messages, tools: [tool], stream: true })
        : openai.chat.completions.runTools({ model: MODEL, messages, tools: [tool] });
      expect(await runner.finalContent()).toBe('Rain.');
      expect(called).toEqual(['{"city":"Oslo"}']);
      expect(server.requests.map(({ body }) => body.messages[0])).toEqual([
        { role: 'system', content: BLOCK },
        { role: 'system', content: BLOCK },
      ]);
      expect(memory.turns).toEqual([['user: I sail. Weather?', 'assistant: Rain.']]);
    });
  });

  describe('asks for the memory of each call', () => {
    it('by its parameters', async () => {
      const [ada, bob] = [new ListeningMemory(), new ListeningMemory()];
      openai = withMemory(client, ({ user }) => (user === 'ada' ? ada : bob));
      await openai.chat.completions.create({ model: MODEL, user: 'ada', messages: [say('I sail.')] });
      await openai.chat.completions.create({ model: MODEL, user: 'bob', messages: [say('I row.')] });
      expect(ada.turns).toEqual([['user: I sail.', 'assistant: Hello there.']]);
      expect(bob.turns).toEqual([['user: I row.', 'assistant: Hello there.']]);
    });

    it('and gives a call without one to the client as it is', async () => {
      openai = withMemory(client, () => null);
      const call = openai.chat.completions.create({ model: MODEL, messages: [say('I sail.')] });
      expect(call.constructor.name).toBe('APIPromise');
      await call;
      expect(server.asked).toEqual([say('I sail.')]);
    });

    it('gives a call in which no user speaks to the client, and one that makes no sense', async () => {
      await create([{ role: 'system', content: 'Greet.' }]);
      expect(server.asked).toEqual([{ role: 'system', content: 'Greet.' }]);
      // At once or by a rejection: that is the client's affair, and differs between its versions.
      const nonsense = undefined as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
      const asked = async (): Promise<unknown> => openai.chat.completions.create(nonsense);
      await expect(asked()).rejects.toThrow(TypeError);
      expect(memory.queries).toEqual([]);
    });
  });

  describe('refuses at once', () => {
    it.each([0, 1.5, 60_001, Number.NaN, '2000' as unknown as number])('a time-out of %s', (timeoutMs) => {
      expect(() => withMemory(client, memory, { timeoutMs })).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTIONS', option: 'withMemory.timeoutMs' }),
      );
    });

    it.each([undefined, null, {}, 'user:42'])('%s for a memory', (wrong) => {
      expect(() => withMemory(client, wrong as unknown as ListeningMemory)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTIONS', option: 'withMemory.memory' }),
      );
    });

    it.each([undefined, {}, { chat: {} }])('%j for a client', (wrong) => {
      expect(() => withMemory(wrong as unknown as OpenAI, memory)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTIONS', option: 'withMemory.client' }),
      );
    });
  });
});
