import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { words } from '../model/search-text.js';

/** A request as it came in. */
export interface OpenAiServerRequest {
  readonly path: '/v1/embeddings' | '/v1/chat/completions';
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** What the server does with one request. */
export type OpenAiServerReply =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** `silence` accepts and never answers, `stall` stops after the first bytes of the body, `reset` closes the connection. */
  | 'silence'
  | 'stall'
  | 'reset';

export type OpenAiServerScript = OpenAiServerReply | ((request: OpenAiServerRequest) => OpenAiServerReply);

/** Parameters that some models and services do not take. */
export type RefusableParameter = 'dimensions' | 'encoding_format' | 'temperature' | 'json_schema' | 'json_object';

export interface OpenAiServerOptions {
  /** Requests with another key get 401. Default: any key will do. */
  readonly apiKey?: string;
  /** Requests with one of these get 400 `unsupported_parameter`. Default none. */
  readonly refuses?: readonly RefusableParameter[];
  /** Answers chat requests that no script takes: the text of the answer. Default `{}`. */
  readonly answer?: (request: OpenAiServerRequest) => string;
  /** Replies to any request that no script takes; null leaves it to the defaults. */
  readonly intercept?: (request: OpenAiServerRequest) => OpenAiServerReply | null;
}

/** A failure in OpenAI's form. */
export function openAiFailure(
  status: number,
  error: { code?: string; type?: string; message?: string; param?: string } = {},
  headers: Readonly<Record<string, string>> = {},
): OpenAiServerReply {
  const { code = null, type = 'invalid_request_error', message = 'refused', param = null } = error;
  return { status, body: { error: { message, type, param, code } }, headers };
}

/** An answer of `/v1/embeddings`; each entry takes the place of one vector, whatever it is. */
export function openAiVectors(vectors: readonly unknown[]): OpenAiServerReply {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return {
    status: 200,
    body: { object: 'list', data, model: 'scripted', usage: { prompt_tokens: 1, total_tokens: 1 } },
  };
}

/** An answer of `/v1/chat/completions`. */
export function openAiChat(
  content: string | null,
  { finishReason = 'stop', refusal = null }: { finishReason?: string; refusal?: string | null } = {},
): OpenAiServerReply {
  return {
    status: 200,
    body: {
      id: 'chatcmpl-scripted',
      object: 'chat.completion',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', content, refusal } }],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    },
  };
}

/**
 * Speaks OpenAI's protocol on loopback, for tests that drive the real client: deterministic vectors (texts that share
 * words are near), scripted chat answers, and every way to fail. Takes embeddings as floats or base64.
 */
export class OpenAiServer {
  /** In the order they came in. */
  readonly requests: OpenAiServerRequest[] = [];
  private readonly scripts: OpenAiServerScript[] = [];

  private constructor(
    private readonly http: Server,
    private readonly options: OpenAiServerOptions,
  ) {}

  /** Listens on a free port of 127.0.0.1. */
  static async start(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
    // It never closes a connection that is idle: a client that takes it in that moment, as on a busy machine, gets a reset.
    const http = createServer({ keepAliveTimeout: 0 });
    const server = new OpenAiServer(http, options);
    http.on('request', (request, response) => void server.serve(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** For the client's `baseURL`. */
  get baseURL(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/v1`;
  }

  /** The next requests, of either path, get these replies, one each; later ones the default again. */
  script(...replies: readonly OpenAiServerScript[]): void {
    this.scripts.push(...replies);
  }

  /** Forgets requests and scripts. */
  reset(): void {
    this.requests.length = 0;
    this.scripts.length = 0;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.http.close(() => resolve()));
    this.http.closeAllConnections();
    await closed;
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url;
    if (incoming.method !== 'POST' || (path !== '/v1/embeddings' && path !== '/v1/chat/completions')) {
      return send(response, openAiFailure(404, { code: 'unknown_url' }));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
    const request: OpenAiServerRequest = { path, headers: incoming.headers, body };
    this.requests.push(request);
    send(response, this.reply(request));
  }

  private reply(request: OpenAiServerRequest): OpenAiServerReply {
    const { apiKey, refuses = [], answer, intercept } = this.options;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return openAiFailure(401, { code: 'invalid_api_key' });
    }
    const script = this.scripts.shift();
    if (script !== undefined) return typeof script === 'function' ? script(request) : script;
    const intercepted = intercept?.(request);
    if (intercepted) return intercepted;
    for (const parameter of refuses) {
      if (!uses(request.body, parameter)) continue;
      const param = parameter.startsWith('json_') ? 'response_format' : parameter;
      return openAiFailure(400, { code: 'unsupported_parameter', param, message: `Unsupported parameter: '${param}'` });
    }
    if (request.path === '/v1/embeddings') return embeddings(request.body);
    return openAiChat(answer?.(request) ?? '{}');
  }
}

function uses(body: Record<string, unknown>, parameter: RefusableParameter): boolean {
  if (!parameter.startsWith('json_')) return parameter in body;
  return (body['response_format'] as { type?: unknown } | undefined)?.type === parameter;
}

function embeddings(body: Record<string, unknown>): OpenAiServerReply {
  const texts = [body['input']].flat() as unknown[];
  if (texts.some((text) => typeof text !== 'string' || text === '')) {
    return openAiFailure(400, { param: 'input', message: "'$.input' is invalid" });
  }
  const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : 1536;
  return openAiVectors(
    texts.map((text) => {
      const vector = wordVector(text as string, dimensions);
      return body['encoding_format'] === 'base64'
        ? Buffer.from(Float32Array.from(vector).buffer).toString('base64')
        : vector;
    }),
  );
}

/** The sum of one fixed direction per word, of unit length. */
function wordVector(text: string, dimensions: number): number[] {
  const sum = new Float64Array(dimensions);
  const found = words(text);
  for (const word of found.length > 0 ? found : [text]) {
    for (let place = 0, block = 0; place < dimensions; block += 1) {
      for (const byte of createHash('sha256').update(`${block} ${word}`).digest()) {
        for (let bit = 0; bit < 8 && place < dimensions; bit += 1, place += 1) {
          sum[place] = (sum[place] ?? 0) + ((byte >> bit) & 1 ? 1 : -1);
        }
      }
    }
  }
  const norm = Math.hypot(...sum);
  return Array.from(sum, (value) => value / norm);
}

function send(response: ServerResponse, reply: OpenAiServerReply): void {
  if (reply === 'silence') return;
  if (reply === 'reset') {
    response.socket?.destroy();
    return;
  }
  if (reply === 'stall') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"object":');
    return;
  }
  const isText = typeof reply.body === 'string';
  response.writeHead(reply.status, { 'content-type': isText ? 'text/html' : 'application/json', ...reply.headers });
  response.end(isText ? (reply.body as string) : JSON.stringify(reply.body));
}
