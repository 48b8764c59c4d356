import { Logger } from '@nestjs/common';
import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import type { RecallInput } from '../memory/recall.js';
import type { ObserveInput } from '../memory/submit-turn.js';
import { errorClass } from '../memory/telemetry.js';
import type { PromptMessage } from '../model/prompt-block.js';
import { ChatTurn } from './chat-turn.js';
import type { ChatMemory, ChatTurnSettings } from './chat-turn.js';
import { DeferredCall } from './deferred-call.js';
import { fieldsOf, lastSaid } from './spoken.js';
import { standIn } from './stand-in.js';

/** The official `openai` client (6 or 7, `AzureOpenAI` too), or what has its shape. */
export interface ChatClient {
  readonly chat: { readonly completions: { create(...args: never[]): unknown } };
}

/** What `chat.completions.create` of that client takes. */
export type ChatParams<Client extends ChatClient> = Parameters<Client['chat']['completions']['create']>[0];

export interface WithMemoryOptions {
  /** How memories are recalled by the user's last message; false recalls none. @default true: as the module's options say */
  readonly recall?: boolean | RecallInput;
  /**
   * Whether finished turns are handed to `observeLater`, and with what. A `turnId` is for a client that is wrapped for one
   * turn. @default true: a fresh id for each
   */
  readonly observe?: boolean | Pick<ObserveInput, 'turnId' | 'timeZone'>;
  /** Milliseconds, 1-60,000, that a chat waits for its memories; then it goes on without them. @default 2000 */
  readonly timeoutMs?: number;
}

const LONGEST_WAIT_MS = 60_000;

/** The client's methods that are built on `create`: they run on the stand-in, and so have memory too. */
const HELPERS = ['parse', 'stream', 'runTools'];

type Method = (...args: unknown[]) => unknown;

interface ChatCompletions {
  create: Method;
  readonly [helper: string]: unknown;
}

/**
 * The client with a memory: `chat.completions.create`, plain and streaming, recalls by the user's last message, puts the
 * block of memories before the first system or developer message, and hands the finished turn to `observeLater`. So do
 * `parse`, `stream`, `runTools`, and clients made by `withOptions`. All other members are the client's own, the Responses
 * API too. What the caller passes is left untouched, request options (signals, time-outs, headers) go through.
 *
 * A turn is what the user said since the last answer, and the answer; a completion that calls tools is not finished, so
 * a loop through tools is one turn, handed in at its end. Not in it: system prompts, tool output, images. A stream is
 * handed in when it ends or its reader stops, with what was answered until then; one that breaks is not, nor is a body
 * that is read through `asResponse()`. Of several choices the first counts. What is longer than `limits` is cut.
 *
 * Memory never fails a chat and holds it up for `timeoutMs` at most: a failure is logged by its class and told by the
 * telemetry events. Turns that are being handed in when the app closes are finished first.
 *
 * @param memory whose memory it is: one scope, or a function of the call's parameters, asked at each call; null is none
 * @throws InvalidOptionsError
 * @example
 * const openai = withMemory(new OpenAI(), memoryService.for({ tenantId: 'acme', scope: 'user:42' }));
 * await openai.chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi!' }] });
 */
export function withMemory<Client extends ChatClient>(
  client: Client,
  memory: ChatMemory | ((params: ChatParams<Client>) => ChatMemory | null),
  options: WithMemoryOptions = {},
): Client {
  const completions = completionsOf(client);
  if (typeof memory !== 'function' && !isMemory(memory)) throw noMemory();
  const memoryFor = typeof memory === 'function' ? (memory as (params: unknown) => unknown) : () => memory;
  const settings = resolve(options);
  const logger = new Logger('ChatMemory');

  /** Null: this call has no memory, and is the client's own. */
  const beginTurn = (params: unknown): ChatTurn | null => {
    const { messages } = fieldsOf(params);
    if (!Array.isArray(messages) || lastSaid(messages) === null) return null;
    try {
      const found = memoryFor(params);
      if (found === null) return null;
      if (!isMemory(found)) throw noMemory();
      return new ChatTurn(found, messages as PromptMessage[], settings, logger);
    } catch (error) {
      logger.warn(`A chat went on without memory, since its scope was not found: ${errorClass(error)}.`);
      return null;
    }
  };

  const replaced: Record<string, unknown> = {
    create: (...args: unknown[]) => {
      const [params, requestOptions, ...rest] = args;
      const turn = beginTurn(params);
      if (!turn) return completions.create(...args);
      const body = { ...fieldsOf(params) };
      const sent = turn.remembered(signalOf(requestOptions)).then((messages) => ({
        call: completions.create({ ...body, messages }, requestOptions, ...rest),
      }));
      return new DeferredCall(sent, (data) => turn.answered(data));
    },
  };
  const remembering = standIn(completions, replaced);
  for (const name of HELPERS) {
    const helper = completions[name];
    if (typeof helper !== 'function') continue;
    replaced[name] = (...args: unknown[]): unknown => Reflect.apply(helper, remembering, args);
  }
  const chat = standIn(client.chat, { completions: remembering });
  const wrapped = standIn(client, {
    chat,
    withOptions: (...args: unknown[]) => {
      const { withOptions } = client as Client & { withOptions: Method };
      return withMemory(Reflect.apply(withOptions, client, args) as Client, memory, options);
    },
  });
  replaced['_client'] = wrapped;
  return wrapped;
}

function completionsOf(client: ChatClient): ChatCompletions {
  const completions = fieldsOf(fieldsOf(client)['chat'])['completions'];
  if (typeof fieldsOf(completions)['create'] === 'function') return completions as ChatCompletions;
  throw new InvalidOptionsError(
    'withMemory.client',
    'withMemory.client has no chat.completions.create: give a client of the package openai.',
  );
}

function isMemory(value: unknown): value is ChatMemory {
  const { promptBlock, observeLater } = fieldsOf(value);
  return typeof promptBlock === 'function' && typeof observeLater === 'function';
}

function noMemory(): InvalidOptionsError {
  return new InvalidOptionsError(
    'withMemory.memory',
    'withMemory.memory is no memory: give memoryService.for(scope), or a function that returns it or null.',
  );
}

function resolve({ recall = true, observe = true, timeoutMs = 2_000 }: WithMemoryOptions): ChatTurnSettings {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_WAIT_MS) {
    throw new InvalidOptionsError(
      'withMemory.timeoutMs',
      `withMemory.timeoutMs must be a whole number from 1 to ${LONGEST_WAIT_MS}. Leave it out for 2000.`,
    );
  }
  return {
    recall: recall === true ? {} : recall || null,
    observe: observe === true ? {} : observe || null,
    timeoutMs,
  };
}

function signalOf(requestOptions: unknown): AbortSignal | undefined {
  const { signal } = fieldsOf(requestOptions);
  return signal instanceof AbortSignal ? signal : undefined;
}
