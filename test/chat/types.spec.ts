import { describe, expect, it } from '@jest/globals';
import { OpenAI } from 'openai';
import type { APIPromise, AzureOpenAI } from 'openai';
import type { ChatCompletionCreateParamsBase } from 'openai/resources/chat/completions/completions';
import type { Stream } from 'openai/streaming';
import { withMemory } from 'nestjs-engram/openai';
import type { ChatMemory } from 'nestjs-engram/openai';
import type { ScopedMemory } from 'nestjs-engram';
import { ListeningMemory } from './chat-memory.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Held by the compiler (`npm run types`): the call compiles only where the value has exactly that type. */
function typed<Expected>(): <Actual>(value: Actual, same: Same<Actual, Expected>) => void {
  return () => undefined;
}

const BODY = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Hi' }] };

/** Never runs; its lines are what a host writes. */
export function written(client: OpenAI, azure: AzureOpenAI, memory: ScopedMemory, stream: boolean): void {
  const { completions } = withMemory(client, memory).chat;
  typed<OpenAI>()(withMemory(client, memory), true);
  typed<AzureOpenAI>()(withMemory(azure, memory), true);
  typed<APIPromise<OpenAI.ChatCompletion>>()(completions.create(BODY), true);
  typed<APIPromise<Stream<OpenAI.ChatCompletionChunk>>>()(completions.create({ ...BODY, stream: true }), true);
  typed<APIPromise<Stream<OpenAI.ChatCompletionChunk> | OpenAI.ChatCompletion>>()(
    completions.create({ ...BODY, stream }),
    true,
  );
  typed<Promise<{ data: OpenAI.ChatCompletion; response: Response; request_id: string | null }>>()(
    completions.create(BODY).withResponse(),
    true,
  );
  // @ts-expect-error a body without a model is none
  void completions.create({ messages: [] });

  withMemory(client, (params) => {
    typed<ChatCompletionCreateParamsBase>()(params, true);
    return params.user === 'ada' ? memory : null;
  });
  // @ts-expect-error a memory is asked for its scope first
  withMemory(client, { tenantId: 'acme', scope: 'user:42' });
  // @ts-expect-error what is found later is found too late
  withMemory(client, () => Promise.resolve(memory));
  // @ts-expect-error when it was said is known
  withMemory(client, memory, { observe: { occurredAt: new Date() } });
  const narrow: ChatMemory = memory;
  withMemory(client, narrow, { recall: { limit: 3 }, observe: false, timeoutMs: 500 });
}

describe('the type of a client with memory', () => {
  it('is the type of the client, and so is the object', () => {
    const client = new OpenAI({ apiKey: 'sk-test' });
    const openai: OpenAI = withMemory(client, new ListeningMemory());
    expect(Object.keys(openai)).toEqual(Object.keys(client));
    expect(openai.constructor).toBe(OpenAI);
    expect(openai.chat.constructor).toBe(client.chat.constructor);
  });
});
