import { describe, expect, it } from '@jest/globals';
import type { CompletionRequest } from '../completion/completion.js';
import { ProviderError } from '../errors/provider-error.js';
import { ScriptedCompletion } from './scripted-completion.js';

const request: CompletionRequest = {
  task: 'extract',
  prompt: { system: '', user: '' },
  schema: { name: 'x', schema: {} },
  input: { messages: [], occurredAt: new Date(0), timeZone: null },
};

describe('ScriptedCompletion', () => {
  it('answers in order, fails as told, and says when no answer is left', async () => {
    const completion = new ScriptedCompletion(['{"a":1}', new Error('down')]).answer(({ task }) => task);
    expect((await completion.complete(request)).text).toBe('{"a":1}');
    await expect(completion.complete(request)).rejects.toThrow('down');
    expect((await completion.complete(request)).text).toBe('extract');
    await expect(completion.complete(request)).rejects.toThrow(ProviderError);
    expect(completion.requests).toHaveLength(4);
  });
});
