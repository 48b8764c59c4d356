import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { ProviderError } from '../../errors/provider-error.js';
import { embedderContract } from '../../testing/embedder-contract.js';
import { OpenAiServer, openAiFailure, openAiVectors } from '../../testing/openai-server.js';
import type { OpenAiServerReply, OpenAiServerRequest } from '../../testing/openai-server.js';
import { OpenAiEmbedder } from './openai-embedder.js';
import type { OpenAiEmbedderOptions } from './openai-embedder.js';

let server: OpenAiServer;
beforeAll(async () => {
  server = await OpenAiServer.start();
});
afterEach(() => server.reset());
afterAll(() => server.stop());

const embedder = (options: Partial<OpenAiEmbedderOptions> = {}): OpenAiEmbedder =>
  new OpenAiEmbedder({
    apiKey: 'k',
    baseURL: server.baseURL,
    model: 'text-embedding-3-small',
    dimensions: 3,
    ...options,
  });
const failureOf = async (work: Promise<unknown>): Promise<ProviderError> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ProviderError);
  return thrown as ProviderError;
};

embedderContract('OpenAiEmbedder', () => embedder({ dimensions: 256 }));

describe('OpenAiEmbedder', () => {
  it('asks for floats by name and for its dimensions', async () => {
    await embedder().embedQuery('Where do I live?');
    expect(server.requests[0]?.body).toEqual({
      model: 'text-embedding-3-small',
      input: ['Where do I live?'],
      encoding_format: 'float',
      dimensions: 3,
    });
  });

  it('sends dimensions only to models that know them, or when told to', async () => {
    const vectors = openAiVectors([[1, 0, 0]]);
    server.script(vectors, vectors);
    await embedder({ model: 'nomic-embed-text' }).embedQuery('x');
    await embedder({ model: 'own-model', sendDimensions: true }).embedQuery('x');
    expect(server.requests.map(({ body }) => body['dimensions'])).toEqual([undefined, 3]);
  });

  it('knows the length of the models of OpenAI and names the space by it', () => {
    const { space } = embedder({ model: 'text-embedding-3-large', dimensions: undefined });
    expect(space).toBe('openai:text-embedding-3-large:3072');
    expect(embedder({ provider: 'ollama', model: 'bge-m3:latest', dimensions: 1024 }).space).toBe(
      'ollama:bge-m3:latest:1024',
    );
    expect(embedder().calibration.maxDistance).toBe(0.6);
  });

  it("takes the host's own client", async () => {
    const client = new OpenAI({ apiKey: 'own', baseURL: server.baseURL });
    await embedder({ client, apiKey: undefined }).embedQuery('x');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer own');
  });

  it('puts the vectors into the order of the texts', async () => {
    server.script({
      status: 200,
      body: {
        data: [
          { index: 2, embedding: [0, 0, 3] },
          { index: 0, embedding: [1, 0, 0] },
          { index: 1, embedding: [0, 2, 0] },
        ],
      },
    });
    expect(await embedder().embedDocuments(['a', 'b', 'c'])).toEqual([
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 3],
    ]);
  });

  it('embeds in batches, and gives nothing when one of them fails', async () => {
    const texts = ['a', 'b', 'c', 'd', 'e'];
    expect(await embedder({ batchSize: 2 }).embedDocuments(texts)).toHaveLength(5);
    expect(server.requests.map(({ body }) => body['input'])).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    const ok = openAiVectors([
      [1, 0, 0],
      [1, 0, 0],
    ]);
    server.script(ok, openAiVectors([[1, 0, 0]]));
    expect((await failureOf(embedder({ batchSize: 2 }).embedDocuments(texts))).fault).toBe('malformed');
  });

  const one = (embedding: unknown): OpenAiServerReply => openAiVectors([embedding]);
  it.each<[string, OpenAiServerReply, boolean]>([
    ['fewer vectors', openAiVectors([]), true],
    [
      'more vectors',
      openAiVectors([
        [1, 0, 0],
        [1, 0, 0],
      ]),
      true,
    ],
    ['another length', one([1, 0]), false],
    ['null inside', one([1, null, 0]), true],
    ['text inside', one([1, 'NaN', 0]), true],
    ['a zero vector', one([0, 0, 0]), true],
    ['a vector that float16 rounds to zero', one([2 ** -25, -(2 ** -26), 0]), true],
    ['a number that float16 rounds to infinity', one([65_520, 0, 0]), true],
    ['null for a vector', one(null), true],
    ['base64', one('AACAPwAAAAAAAAAA'), false],
    ['no list', { status: 200, body: { data: null } }, true],
    ['no object', { status: 200, body: 'proxy page' }, true],
    ['a wrong index', { status: 200, body: { data: [{ index: 7, embedding: [1, 0, 0] }] } }, true],
  ])('refuses %s', async (_name, reply, retryable) => {
    server.script(reply);
    const failure = await failureOf(embedder().embedDocuments(['Lives in Ulm']));
    // What no retry mends is not the text's fault either.
    const fault = retryable ? 'malformed' : 'misconfigured';
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault, retryable });
    expect(server.requests).toHaveLength(1);
  });

  it('refuses the same index twice', async () => {
    const data = [0, 0].map((index) => ({ index, embedding: [1, 0, 0] }));
    server.script({ status: 200, body: { data } });
    expect((await failureOf(embedder().embedDocuments(['a', 'b']))).fault).toBe('malformed');
  });

  it('keeps numbers at the edge of float16', async () => {
    server.script(one([65_519, 2 ** -24, 0]));
    expect(await embedder().embedQuery('x')).toEqual([65_519, 2 ** -24, 0]);
  });

  it('refuses a blank text before any call', async () => {
    await expect(embedder().embedDocuments(['a', ' \n\u0000'])).rejects.toThrow(InvalidInputError);
    await expect(embedder().embedQuery('')).rejects.toThrow(InvalidInputError);
    expect(server.requests).toHaveLength(0);
  });

  it('sends text that every service can read', async () => {
    await embedder().embedDocuments(['half \uD83D and \u0000 nul', '🙂'.repeat(5_000)]);
    const [odd, long] = server.requests[0]?.body['input'] as string[];
    expect(odd).toBe('half \uFFFD and   nul');
    expect(long).toBe('🙂'.repeat(2_000));
  });

  it('splits a batch that is too large for one request', async () => {
    await embedder().embedDocuments(Array.from({ length: 40 }, () => 'a'.repeat(9_000)));
    expect(server.requests.map(({ body }) => (body['input'] as string[]).length)).toEqual([36, 4]);
  });

  const tooMany = openAiFailure(422, { message: 'batch size 8 > maximum allowed batch size 3' });
  const taking = (takes: (texts: readonly string[]) => boolean, refusal: OpenAiServerReply): void => {
    const reply = ({ body }: OpenAiServerRequest): OpenAiServerReply => {
      const texts = body['input'] as string[];
      return takes(texts) ? openAiVectors(texts.map((text) => [1, text.length, 0])) : refusal;
    };
    server.script(...Array.from({ length: 60 }, () => reply));
  };
  const sizes = (): number[] => server.requests.map(({ body }) => (body['input'] as string[]).length);

  it('halves a batch that the service refuses, keeps the order, and asks for no more than that from then on', async () => {
    taking((texts) => texts.length <= 3, tooMany);
    const own = embedder();
    const texts = Array.from({ length: 8 }, (_, n) => 'x'.repeat(n + 1));
    expect(await own.embedDocuments(texts)).toEqual(texts.map(({ length }) => [1, length, 0]));
    expect(sizes()).toEqual([8, 4, 2, 2, 4, 2, 2]);
    server.requests.length = 0;
    await own.embedDocuments(texts);
    expect(sizes()).toEqual([2, 2, 2, 2]);
  });

  it.each([
    ['by code', openAiFailure(400, { code: 'context_length_exceeded' })],
    ['in words', openAiFailure(400, { message: 'Input is too long: 600 tokens, the model reads 512.' })],
    ['by status', openAiFailure(413)],
  ])('cuts the one text that is too long for the model, told %s, and no other', async (_, refusal) => {
    taking((texts) => texts.every((text) => text.length <= 1_000), refusal);
    const own = embedder();
    const vectors = await own.embedDocuments(['a', 'b', 'c'.repeat(5_000), 'd'.repeat(900)]);
    expect(vectors.map(([, length]) => length)).toEqual([1, 1, 625, 900]);
    server.requests.length = 0;
    await own.embedDocuments(['a', 'b', 'c', 'd']);
    expect(sizes()).toEqual([4]);
  });

  it.each([
    ['says nothing of why', openAiFailure(400, { message: 'no' }), 4],
    ['never finds a text short enough', openAiFailure(413), 8],
  ])('ends after a few requests where a service %s', async (_, refusal, most) => {
    taking(() => false, refusal);
    const failure = await failureOf(embedder().embedDocuments(['a'.repeat(4_000), ...'bcdefgh']));
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault: 'refused', retryable: false });
    expect(server.requests).toHaveLength(most);
  });

  it.each(['dimensions', 'encoding_format'] as const)(
    'leaves %s out where it is refused by name, and remembers',
    async (parameter) => {
      const refusing = await OpenAiServer.start({ refuses: [parameter] });
      const own = embedder({ baseURL: refusing.baseURL, dimensions: 1_536, apiKey: 'secret' });
      await own.embedQuery('x');
      await own.embedQuery('y');
      expect(refusing.requests.map(({ body }) => parameter in body)).toEqual([true, false, false]);
      expect(refusing.requests.map(({ headers }) => headers.authorization)).toEqual(new Array(3).fill('Bearer secret'));
      await refusing.stop();
    },
  );

  it('leaves out two parameters that are refused one after the other', async () => {
    const refusing = await OpenAiServer.start({ refuses: ['dimensions', 'encoding_format'] });
    await embedder({ baseURL: refusing.baseURL, dimensions: 1_536 }).embedQuery('x');
    expect(refusing.requests.at(-1)?.body).toEqual({ model: 'text-embedding-3-small', input: ['x'] });
    await refusing.stop();
  });

  it('leaves out nothing that was not named, and forgets a try that did not help', async () => {
    server.script(openAiFailure(400, { param: 'input' }), openAiFailure(400, { param: 'user' }));
    await failureOf(embedder().embedQuery('x'));
    expect(server.requests).toHaveLength(1);
    server.reset();
    server.script(openAiFailure(400, { param: 'dimensions' }), openAiFailure(400, { param: 'model' }));
    const own = embedder();
    await failureOf(own.embedQuery('x'));
    await own.embedQuery('x');
    expect(server.requests.map(({ body }) => 'dimensions' in body)).toEqual([true, false, true]);
  });

  it('refuses vectors of another length from a service that does not know dimensions', async () => {
    server.script(openAiFailure(400, { param: 'dimensions' }), openAiVectors([[1, 0, 0, 0]]));
    expect(await failureOf(embedder().embedQuery('x'))).toMatchObject({ fault: 'misconfigured', retryable: false });
  });

  it("keeps to the host's client where that cannot leave a parameter out", async () => {
    const client = { embeddings: new OpenAI({ apiKey: 'own', baseURL: server.baseURL }).embeddings };
    server.script(openAiFailure(400, { param: 'encoding_format' }));
    expect(await failureOf(embedder({ client, apiKey: undefined }).embedQuery('x'))).toMatchObject({
      fault: 'refused',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('tells what each request cost', async () => {
    const spent: number[] = [];
    const onUsage = ({ inputTokens }: { inputTokens: number }): number => spent.push(inputTokens);
    await embedder({ batchSize: 2 }).embedDocuments(['a', 'b', 'c'], { onUsage });
    expect(spent).toEqual([1, 1]);
    server.script({ status: 200, body: { data: [{ embedding: [1, 0, 0] }] } });
    await embedder().embedDocuments(['a'], { onUsage });
    expect(spent).toHaveLength(2);
  });

  it.each<[Partial<OpenAiEmbedderOptions>, string]>([
    [{ model: '' }, 'OpenAiEmbedder.model'],
    [{ model: 'own', dimensions: undefined }, 'OpenAiEmbedder.dimensions'],
    [{ dimensions: 0 }, 'OpenAiEmbedder.dimensions'],
    [{ apiKey: undefined }, 'OpenAiEmbedder.apiKey'],
    [{ apiKey: '' }, 'OpenAiEmbedder.apiKey'],
    [{ provider: 'a:b' }, 'OpenAiEmbedder.provider'],
    [{ timeoutMs: 0 }, 'OpenAiEmbedder.timeoutMs'],
    [{ maxRetries: 99 }, 'OpenAiEmbedder.maxRetries'],
    [{ batchSize: Number.NaN }, 'OpenAiEmbedder.batchSize'],
  ])('names the wrong option of %j', (options, option) => {
    const build = (): OpenAiEmbedder => embedder(options);
    expect(build).toThrow(InvalidOptionsError);
    expect(build).toThrow(expect.objectContaining({ option }));
  });

  it('does not hang on a refused key', async () => {
    server.script(openAiFailure(401, { code: 'invalid_api_key' }));
    const failure = await failureOf(embedder().embedQuery('x'));
    expect({ fault: failure.fault, retryable: failure.retryable }).toEqual({ fault: 'unauthorized', retryable: false });
  });
});
