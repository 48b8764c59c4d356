import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { ProviderError } from '../../errors/provider-error.js';
import { callOpenAi } from '../../openai-service/openai-call.js';
import type { OpenAiRequestOptions } from '../../openai-service/openai-call.js';
import { clientFor, requireInteger, resolveService } from '../../openai-service/openai-options.js';
import type { OpenAiService, OpenAiServiceOptions } from '../../openai-service/openai-options.js';
import type { EmbedOptions, Embedder, EmbedderCalibration } from '../embedder.js';
import { VectorFault, vectorsInOrder } from './embedding-vectors.js';

/** The part of the `openai` client (6 or 7) that is called; a host may pass anything of this shape. */
export interface OpenAiEmbeddingsClient {
  readonly embeddings: {
    create(
      body: { model: string; input: string[]; encoding_format: 'float'; dimensions?: number },
      options?: OpenAiRequestOptions,
    ): PromiseLike<{ readonly data: unknown }>;
  };
}

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

/** Embeds with OpenAI or a service that speaks its protocol. */
export class OpenAiEmbedder implements Embedder {
  readonly space: string;
  readonly dimensions: number;
  readonly calibration: EmbedderCalibration;

  private readonly service: OpenAiService;
  private readonly client: () => Promise<OpenAiEmbeddingsClient>;
  private readonly batchSize: number;
  private readonly sent: { readonly dimensions?: number };

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
    this.sent = (options.sendDimensions ?? model.startsWith('text-embedding-3-')) ? { dimensions } : {};
  }

  /** @throws InvalidInputError for a blank text @throws ProviderError */
  async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    const inputs = texts.map(embeddable);
    const vectors: number[][] = [];
    for (const batch of batches(inputs, this.batchSize)) vectors.push(...(await this.embed(batch, options)));
    return vectors;
  }

  /** @throws InvalidInputError for a blank text @throws ProviderError */
  async embedQuery(text: string, options: EmbedOptions = {}): Promise<number[]> {
    const [vector] = await this.embedDocuments([text], options);
    return vector as number[];
  }

  private async embed(input: string[], { signal }: EmbedOptions): Promise<number[][]> {
    const client = await this.client();
    const { provider, model } = this.service;
    const response = await callOpenAi(
      this.service,
      // Floats by name: left to itself the client asks for base64, which compatible services encode in their own ways.
      (request) => client.embeddings.create({ model, input, encoding_format: 'float', ...this.sent }, request),
      signal,
    );
    try {
      return vectorsInOrder(response?.data, input.length, this.dimensions);
    } catch (fault) {
      if (!(fault instanceof VectorFault)) throw fault;
      throw new ProviderError(
        provider,
        'malformed',
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
  const bytes = Buffer.byteLength(clean);
  if (bytes <= TEXT_BYTES) return clean;
  // A character cut in half at the end decodes to the replacement character, which is dropped.
  return Buffer.from(clean)
    .subarray(0, TEXT_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/u, '');
}

function* batches(inputs: readonly string[], size: number): Iterable<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const input of inputs) {
    const length = Buffer.byteLength(input);
    if (batch.length === size || (batch.length > 0 && bytes + length > REQUEST_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(input);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}
