import { afterEach, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import OpenAI from 'openai';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { ProviderError } from '../../errors/provider-error.js';
import type { ProviderFault } from '../../errors/provider-error.js';
import { OpenAiServer, openAiChat, openAiFailure } from '../../testing/openai-server.js';
import type { OpenAiServerOptions, OpenAiServerReply } from '../../testing/openai-server.js';
import type { CompletionRequest } from '../completion.js';
import { OpenAiCompletion } from './openai-completion.js';
import type { OpenAiCompletionOptions } from './openai-completion.js';

let server: OpenAiServer;
afterEach(() => server.stop());

const start = async (
  serverOptions: OpenAiServerOptions = {},
  options: Partial<OpenAiCompletionOptions> = {},
): Promise<OpenAiCompletion> => {
  server = await OpenAiServer.start(serverOptions);
  return new OpenAiCompletion({ apiKey: 'k', baseURL: server.baseURL, model: 'gpt-4o-mini', ...options });
};
const schema = {
  name: 'extraction',
  schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
};
const request: CompletionRequest = {
  task: 'consolidate',
  prompt: { system: 'Find facts.', user: 'my very private words' },
  schema,
  input: { candidate: { content: 'Likes tea', kind: 'preference' }, neighbours: [] },
};
const failureOf = async (work: Promise<unknown>): Promise<ProviderError> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ProviderError);
  return thrown as ProviderError;
};
const parts = (...content: unknown[]): OpenAiServerReply => ({
  status: 200,
  body: { choices: [{ message: { role: 'assistant', content } }] },
});
const inBody = (error: unknown): OpenAiServerReply => ({ status: 200, body: { error } });
const openAiToolCall = (): OpenAiServerReply => ({
  status: 200,
  body: {
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          content: null,
          tool_calls: [{ id: '1', type: 'function', function: { name: 'facts', arguments: '{"facts":[]}' } }],
        },
      },
    ],
  },
});
const stream: OpenAiServerReply = {
  status: 200,
  body: 'data: {"choices":[{"delta":{"content":"{\\"facts\\":[]}"}}]}\n\ndata: [DONE]\n\n',
  headers: { 'content-type': 'text/event-stream' },
};
const forms = (): unknown[] =>
  server.requests.map(({ body }) => (body['response_format'] as { type: string } | undefined)?.type ?? 'none');

describe('OpenAiCompletion', () => {
  it('asks for strict JSON by the schema, and for nothing else', async () => {
    const completion = await start({ answer: () => '{"facts":[]}' });
    expect(await completion.complete(request)).toEqual({
      text: '{"facts":[]}',
      usage: { inputTokens: 11, outputTokens: 7 },
    });
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: 'Find facts.' },
        { role: 'user', content: 'my very private words' },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'extraction', strict: true, schema: schema.schema },
      },
    });
    expect(completion.name).toBe('openai:gpt-4o-mini');
  });

  it('asks a service without schemas for an object, then for plain text, and remembers', async () => {
    const completion = await start({ refuses: ['json_schema', 'json_object'], answer: () => '{}' });
    await completion.complete(request);
    expect(forms()).toEqual(['json_schema', 'json_object', 'none']);
    await completion.complete(request);
    expect(forms()).toEqual(['json_schema', 'json_object', 'none', 'none']);
    const [system] = server.requests.at(-1)?.body['messages'] as { content: string }[];
    expect(system?.content).toContain(JSON.stringify(schema.schema));
  });

  it('stays with an object where that is taken', async () => {
    const completion = await start({ refuses: ['json_schema'] });
    await completion.complete(request);
    await completion.complete(request);
    expect(forms()).toEqual(['json_schema', 'json_object', 'json_object']);
  });

  it('does not give up the schema for another fault', async () => {
    const completion = await start();
    server.script(
      openAiFailure(400, { code: 'context_length_exceeded', param: 'messages', message: 'response_format' }),
    );
    expect((await failureOf(completion.complete(request))).fault).toBe('refused');
    server.script(openAiFailure(400, { param: 'response_format' }), openAiFailure(400, { param: 'messages' }));
    await failureOf(completion.complete(request));
    await completion.complete(request);
    expect(forms()).toEqual(['json_schema', 'json_schema', 'json_object', 'json_schema']);
  });

  it.each<[string, OpenAiServerReply, ProviderFault, boolean]>([
    ['a refusal', openAiChat(null, { refusal: 'I cannot' }), 'refused', false],
    ['the content filter', openAiChat('{', { finishReason: 'content_filter' }), 'refused', false],
    ['an answer cut off', openAiChat('{"facts":["a', { finishReason: 'length' }), 'malformed', true],
    ...['max_tokens', 'MAX_TOKENS', 'model_length', 'max_output_tokens', 'error'].map(
      (finishReason): [string, OpenAiServerReply, ProviderFault, boolean] => [
        `a whole list that ends for the reason ${finishReason}`,
        openAiChat('{"memories":[]}', { finishReason }),
        'malformed',
        true,
      ],
    ),
    ['an empty answer', openAiChat(''), 'malformed', true],
    ['a blank answer', openAiChat(' \n'), 'malformed', true],
    ['no content', openAiChat(null), 'malformed', true],
    ['no choices', { status: 200, body: { choices: [] } }, 'malformed', true],
    ['no object', { status: 200, body: 'proxy page' }, 'malformed', true],
    ['an answer that is only thoughts', parts({ type: 'thinking', thinking: '{}' }), 'malformed', true],
    ['a refusal among parts', parts({ type: 'refusal', refusal: 'I cannot' }), 'refused', false],
    ['parts that are none', parts(null, 7, { type: 'image' }), 'malformed', true],
    ['a tool call', openAiToolCall(), 'malformed', true],
    ['a stream that nobody asked for', stream, 'malformed', true],
    ['an error with status 200', inBody({ message: 'I cannot', code: 429 }), 'rate-limited', true],
    ['an error with status 200 and without a code', inBody({ message: 'I cannot' }), 'unavailable', true],
  ])('reports %s', async (_name, reply, fault, retryable) => {
    const completion = await start({}, { maxRetries: 0 });
    server.script(reply);
    const failure = await failureOf(completion.complete(request));
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault, retryable });
    expect(inspect(failure, { depth: 9 })).not.toMatch(/I cannot|facts|private|proxy/u);
  });

  it('answers without usage where the service reports none', async () => {
    const completion = await start();
    server.script({ status: 200, body: { choices: [{ message: { content: '{}' } }] } });
    expect(await completion.complete(request)).toEqual({ text: '{}' });
  });

  it('reads an answer that comes in parts', async () => {
    const completion = await start();
    server.script(
      parts({ type: 'thinking', thinking: 'hm' }, { type: 'text', text: '{"facts":' }, { type: 'text', text: '[]}' }),
    );
    expect(await completion.complete(request)).toEqual({ text: '{"facts":[]}' });
  });

  it.each([
    ['cut off', openAiChat('{"facts":["a', { finishReason: 'length' })],
    ['declined', openAiChat(null, { refusal: 'I cannot' })],
  ])('tells what an answer cost that was %s', async (_, reply) => {
    const completion = await start();
    server.script(reply);
    expect((await failureOf(completion.complete(request))).usage).toEqual({ inputTokens: 11, outputTokens: 7 });
  });

  it.each([
    [openAiFailure(400, { message: 'This model does not support response format `json_schema`.' })],
    [openAiFailure(422, { param: 'response_format.type' })],
    [openAiFailure(400, { message: "Invalid value: 'json_schema'. Supported values are: 'text'." })],
  ])('knows by how it is named that the schema is refused: %j', async (refusal) => {
    const completion = await start();
    server.script(refusal);
    await completion.complete(request);
    expect(forms()).toEqual(['json_schema', 'json_object']);
  });

  it('gives up after the last form, whatever is named', async () => {
    const completion = await start();
    server.script(...new Array<OpenAiServerReply>(9).fill(openAiFailure(400, { message: 'response_format' })));
    expect((await failureOf(completion.complete(request))).fault).toBe('refused');
    expect(forms()).toEqual(['json_schema', 'json_object', 'none']);
  });

  it('reports a wrong key', async () => {
    const completion = await start({ apiKey: 'right' });
    expect((await failureOf(completion.complete(request))).fault).toBe('unauthorized');
  });

  it("takes the host's own client", async () => {
    await start();
    const client = new OpenAI({ apiKey: 'own', baseURL: server.baseURL });
    await new OpenAiCompletion({ client, model: 'gpt-4o' }).complete(request);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer own');
  });

  it('gives up with its caller', async () => {
    const completion = await start();
    server.script('silence');
    const failing = failureOf(completion.complete({ ...request, signal: AbortSignal.timeout(50) }));
    expect((await failing).fault).toBe('timeout');
  });

  it('names the option that is missing', async () => {
    await start();
    expect(() => new OpenAiCompletion({ model: 'gpt-4o' })).toThrow(InvalidOptionsError);
  });
});
