import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { ProviderError } from '../../errors/provider-error.js';
import { callOpenAi } from '../../openai-service/openai-call.js';
import type { OpenAiRequestOptions } from '../../openai-service/openai-call.js';
import { refusesParameter } from '../../openai-service/openai-fault.js';
import { clientFor, requireInteger, resolveService } from '../../openai-service/openai-options.js';
import type { OpenAiService, OpenAiServiceOptions } from '../../openai-service/openai-options.js';
import { TooLongError } from '../../openai-service/too-long-error.js';
import type { EmbedOptions, Embedder, EmbedderCalibration } from '../embedder.js';
import { VectorFault, vectorsInOrder } from './embedding-vectors.js';
import { withinBytes } from './within-bytes.js';

/** The part of the `openai` client (6 or 7) that is called; a host may pass anything of this shape. */
export interface OpenAiEmbeddingsClient {
  readonly embeddings: {
    create(
      body: { model: string; input: string[]; encoding_format: 'float'; dimensions?: number },
      options?: OpenAiRequestOptions,
    ): PromiseLike<unknown>;
  };
  /** For services that refuse `encoding_format`, which `create` cannot leave out. Absent: such a service cannot be used. */
  post?(
    path: string,
    options: OpenAiRequestOptions & { body: { model: string; input: string[]; dimensions?: number } },
  ): PromiseLike<unknown>;
}

/** Parameters that some services refuse. One that was named in a refusal is not sent again, if that is what helped. */
const OPTIONAL_PARAMETERS = ['encoding_format', 'dimensions'] as const;
type OptionalParameter = (typeof OPTIONAL_PARAMETERS)[number];

export interface OpenAiEmbedderOptions extends OpenAiServiceOptions<OpenAiEmbeddingsClient> {
  /** Numbers per vector. Default: the model's own where it is one of OpenAI's; needed for others. */
  readonly dimensions?: number;
  /** Whether `dimensions` goes into the request. Default: for `text-embedding-3-*` only, other models refuse it. */
  readonly sendDimensions?: boolean;
  /** Texts per request, 1-2,048. Default 128. */
  readonly batchSize?: number;
  /** Milliseconds for one request with all its retries, at most 600,000. Default 10,000. */
  readonly timeoutMs?: number;
  /** What counts as near. Default `OPENAI_CALIBRATION`. */
  readonly calibration?: EmbedderCalibration;
}

/** Full lengths, from OpenAI's model pages. */
const OWN_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

/** The usual start for text-embedding-3-small, not measured on it here: an API embedder counts more than the local one (0.5). */
export const OPENAI_CALIBRATION: EmbedderCalibration = {
  maxDistance: 0.6,
  minCoverage: 0.3,
  minScore: null,
  denseWeight: 0.7,
};

/** The models take 8,192 tokens and a token is a byte at least, so this much always fits. More is cut, not refused. */
const TEXT_BYTES = 8_000;
/** A request takes 300,000 tokens in all. */
const REQUEST_BYTES = 290_000;
/** What any model takes: those with the shortest inputs read 128 tokens. A text that is refused at this is not too long. */
const SHORT_TEXT_BYTES = 128;

interface Embedded {
  readonly vectors: number[][];
  /** How many it took. */
  readonly requests: number;
}

/** Embeds with OpenAI or a service that speaks its protocol. */
export class OpenAiEmbedder implements Embedder {
  readonly space: string;
  readonly dimensions: number;
  readonly calibration: EmbedderCalibration;

  private readonly service: OpenAiService;
  private readonly client: () => Promise<OpenAiEmbeddingsClient>;
  /** Falls when the service shows that it takes less. */
  private batchSize: number;
  private readonly sendsDimensions: boolean;
  private refused: ReadonlySet<OptionalParameter> = new Set();

  /** @throws InvalidOptionsError */
  constructor(options: OpenAiEmbedderOptions) {
    this.service = resolveService('OpenAiEmbedder', options, 10_000);
    const { model, provider } = this.service;
    const dimensions = options.dimensions ?? OWN_DIMENSIONS[model];
    if (dimensions === undefined) {
      throw new InvalidOptionsError(
        'OpenAiEmbedder.dimensions',
        `OpenAiEmbedder.dimensions is missing: ${model} is not one of OpenAI's models, so say how long its vectors are.`,
      );
    }
    requireInteger('OpenAiEmbedder.dimensions', dimensions, 1, 16_000);
    this.batchSize = options.batchSize ?? 128;
    requireInteger('OpenAiEmbedder.batchSize', this.batchSize, 1, 2_048);
    this.client = clientFor('OpenAiEmbedder', options);
    this.dimensions = dimensions;
    this.space = `${provider}:${model}:${dimensions}`;
    this.calibration = options.calibration ?? OPENAI_CALIBRATION;
    this.sendsDimensions = options.sendDimensions ?? model.startsWith('text-embedding-3-');
  }

  /** @throws InvalidInputError for a blank text @throws ProviderError */
  async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    const inputs = texts.map(embeddable);
    const vectors: number[][] = [];
    for (const batch of batches(inputs, () => this.batchSize)) {
      vectors.push(...(await this.embed(batch, options)).vectors);
    }
    return vectors;
  }

  /** @throws InvalidInputError for a blank text @throws ProviderError */
  async embedQuery(text: string, options: EmbedOptions = {}): Promise<number[]> {
    const [vector] = await this.embedDocuments([text], options);
    return vector as number[];
  }

  /**
   * A service may take fewer texts at once, or less of one, than OpenAI does: a batch that it refuses is halved, a text
   * that is too long is cut. Each step asks for less, so that a request which nothing cures ends after a few.
   */
  private async embed(input: readonly string[], options: EmbedOptions): Promise<Embedded> {
    try {
      return { vectors: await this.request(input, options, this.refused), requests: 1 };
    } catch (error) {
      if (!(error instanceof ProviderError) || error.fault !== 'refused') throw error;
      if (input.length > 1) return this.embedHalves(input, options);
      const [text = ''] = input;
      const bytes = Math.floor(Buffer.byteLength(text) / 2);
      if (!(error instanceof TooLongError) || bytes < SHORT_TEXT_BYTES) throw error;
      const { vectors, requests } = await this.embed([withinBytes(text, bytes)], options);
      return { vectors, requests: requests + 1 };
    }
  }

  private async embedHalves(input: readonly string[], options: EmbedOptions): Promise<Embedded> {
    const middle = Math.ceil(input.length / 2);
    const first = await this.embed(input.slice(0, middle), options);
    const second = await this.embed(input.slice(middle), options);
    const requests = first.requests + second.requests;
    // No text of them is refused by itself, so it was their number, or their length in all.
    if (requests === 2) this.batchSize = Math.min(this.batchSize, middle);
    return { vectors: [...first.vectors, ...second.vectors], requests };
  }

  private async request(
    input: readonly string[],
    options: EmbedOptions,
    refused: ReadonlySet<OptionalParameter>,
  ): Promise<number[][]> {
    const client = await this.client();
    let named: OptionalParameter | undefined;
    try {
      const response = await callOpenAi(
        this.service,
        async (request) => {
          try {
            return await this.send(client, [...input], request, refused);
          } catch (error) {
            named = OPTIONAL_PARAMETERS.find(
              (parameter) => this.canLeaveOut(client, parameter, refused) && refusesParameter(error, parameter),
            );
            throw error;
          }
        },
        options.signal,
      );
      return this.vectorsOf(response, input.length, options);
    } catch (error) {
      if (named === undefined) throw error;
      const vectors = await this.request(input, options, new Set([...refused, named]));
      // Remembered once the request was answered without it: then it was the parameter that was refused.
      this.refused = new Set([...this.refused, named]);
      return vectors;
    }
  }

  private canLeaveOut(
    client: OpenAiEmbeddingsClient,
    parameter: OptionalParameter,
    refused: ReadonlySet<OptionalParameter>,
  ): boolean {
    if (refused.has(parameter)) return false;
    return parameter === 'dimensions' ? this.sendsDimensions : typeof client.post === 'function';
  }

  private send(
    client: OpenAiEmbeddingsClient,
    input: string[],
    request: OpenAiRequestOptions,
    refused: ReadonlySet<OptionalParameter>,
  ): PromiseLike<unknown> {
    const sent = this.sendsDimensions && !refused.has('dimensions') ? { dimensions: this.dimensions } : {};
    const body = { model: this.service.model, input, ...sent };
    if (refused.has('encoding_format') && client.post) return client.post('/embeddings', { ...request, body });
    // Floats by name: left to itself the client asks for base64, which compatible services encode in their own ways.
    return client.embeddings.create({ ...body, encoding_format: 'float' }, request);
  }

  private vectorsOf(response: unknown, count: number, { onUsage }: EmbedOptions): number[][] {
    const { data, usage } = (response ?? {}) as { data?: unknown; usage?: { prompt_tokens?: unknown } | null };
    const inputTokens = usage?.prompt_tokens;
    if (typeof inputTokens === 'number') onUsage?.({ inputTokens });
    try {
      return vectorsInOrder(data, count, this.dimensions);
    } catch (fault) {
      if (!(fault instanceof VectorFault)) throw fault;
      const { provider, model } = this.service;
      throw new ProviderError(
        provider,
        fault.retryable ? 'malformed' : 'misconfigured',
        fault.retryable,
        `${provider} (${model}) ${fault.message}: ${fault.retryable ? 'retry later' : 'check model, dimensions and baseURL'}.`,
      );
    }
  }
}

/** The text as any service can read it: no NUL, no half emoji, not too long. */
function embeddable(text: string, index: number): string {
  const clean = text.toWellFormed().replaceAll('\u0000', ' ').trim();
  if (clean === '') {
    throw new InvalidInputError(`texts[${index}]`, `Text ${index} is blank and has no meaning to embed. Leave it out.`);
  }
  return withinBytes(clean, TEXT_BYTES);
}

function* batches(inputs: readonly string[], size: () => number): Iterable<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const input of inputs) {
    const length = Buffer.byteLength(input);
    if (batch.length >= size() || (batch.length > 0 && bytes + length > REQUEST_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(input);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}
