import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly body: { readonly messages: readonly Record<string, unknown>[]; readonly [parameter: string]: unknown };
}

/** A message of the assistant, or what else the server does. */
export type ChatReply = Record<string, unknown> | ((request: ChatRequest, response: ServerResponse) => void);

/** A `chat.completion` object with one choice for each message. */
export function completionOf(...messages: readonly Record<string, unknown>[]): Record<string, unknown> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: messages.map((message, index) => ({
      index,
      finish_reason: message['tool_calls'] ? 'tool_calls' : 'stop',
      logprobs: null,
      message: { role: 'assistant', content: null, refusal: null, ...message },
    })),
  };
}

/** A `chat.completion.chunk` object of one choice. */
export function chunkOf(
  delta: Record<string, unknown>,
  finish: string | null = null,
  index = 0,
): Record<string, unknown> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index, delta, finish_reason: finish, logprobs: null }],
  };
}

/** An answer that is sent chunk by chunk, at the test's command. */
export class StreamedReply {
  /** Resolves when the request is there. */
  readonly asked: Promise<void>;
  /** Resolves when the connection is closed, by whom ever. */
  readonly closed: Promise<void>;
  private response: ServerResponse | null = null;
  private began: () => void = () => undefined;
  private ended: () => void = () => undefined;

  constructor() {
    this.asked = new Promise((resolve) => (this.began = resolve));
    this.closed = new Promise((resolve) => (this.ended = resolve));
  }

  readonly reply = (_request: ChatRequest, response: ServerResponse): void => {
    this.response = response;
    response.on('close', this.ended);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_streamed' });
    response.flushHeaders();
    this.began();
  };

  async send(...chunks: readonly Record<string, unknown>[]): Promise<void> {
    await this.asked;
    for (const chunk of chunks) this.response?.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  /** The proper end. */
  async end(): Promise<void> {
    await this.asked;
    this.response?.end('data: [DONE]\n\n');
  }

  /** The connection breaks. */
  async break(): Promise<void> {
    await this.asked;
    this.response?.destroy();
  }
}

/** Sends a whole answer in the form that was asked for: plain, or word by word. */
function answer(message: Record<string, unknown>, { body }: ChatRequest, response: ServerResponse): void {
  response.setHeader('x-request-id', 'req_1');
  if (body['stream'] !== true) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(completionOf(message)));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const { content, ...rest } = message;
  const words = typeof content === 'string' ? content.split(/(?<= )/u).map((word) => ({ content: word })) : [];
  const calls = Array.isArray(rest['tool_calls'])
    ? [{ ...rest, tool_calls: rest['tool_calls'].map((call: object, index) => ({ index, ...call })) }]
    : [rest];
  for (const delta of [{ role: 'assistant' }, ...words, ...calls])
    response.write(`data: ${JSON.stringify(chunkOf(delta))}\n\n`);
  response.write(`data: ${JSON.stringify(chunkOf({}, rest['tool_calls'] ? 'tool_calls' : 'stop'))}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Speaks the chat protocol on loopback, plain and as server-sent events. Without a script it answers `Hello there.` */
export class ChatServer {
  /** In the order they came in. */
  readonly requests: ChatRequest[] = [];
  private readonly replies: ChatReply[] = [];

  private constructor(private readonly http: Server) {}

  static async start(): Promise<ChatServer> {
    // It never closes a connection that is idle: a client that takes it in that moment gets a reset.
    const http = createServer({ keepAliveTimeout: 0 });
    const server = new ChatServer(http);
    http.on('request', (incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as ChatRequest['body'];
        const request = { headers: incoming.headers, url: incoming.url ?? '', body };
        server.requests.push(request);
        const reply = server.replies.shift() ?? { content: 'Hello there.' };
        if (typeof reply === 'function') reply(request, response);
        else answer(reply, request, response);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get baseURL(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/v1`;
  }

  /** The messages of the last request. */
  get asked(): readonly Record<string, unknown>[] {
    return this.requests.at(-1)?.body.messages ?? [];
  }

  /** The next requests get these replies, one each. */
  script(...replies: readonly ChatReply[]): void {
    this.replies.push(...replies);
  }

  reset(): void {
    this.requests.length = 0;
    this.replies.length = 0;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.http.close(() => resolve()));
    this.http.closeAllConnections();
    await closed;
  }
}

/** Calls of one tool, as the assistant's message has them. */
export function toolCalls(id: string): Record<string, unknown> {
  return {
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
  };
}
