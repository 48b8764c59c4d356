import { InvalidInputError } from '../errors/invalid-input-error.js';
import { injectIntoPrompt, promptBlock as renderPromptBlock } from '../model/prompt-block.js';
import type { PromptBlockMessage, PromptMessage } from '../model/prompt-block.js';
import type { Scope } from '../model/scope.js';
import type { MemoryContext } from './memory-context.js';
import { recall } from './recall.js';
import type { RecallInput } from './recall.js';
import { measured } from './telemetry.js';

export interface InjectInput extends RecallInput {
  /** What to recall by: the user's last message, as a rule. */
  readonly query: string;
}

/** The block of recalled memories for a prompt; empty where nothing is relevant. */
export async function promptBlock(
  context: MemoryContext,
  scope: Scope,
  query: string,
  input: RecallInput = {},
): Promise<string> {
  const { block } = await measured(
    context,
    'engram.inject',
    scope,
    { count: 0, characters: 0 },
    async () => {
      const recalled = await recall(context, scope, query, input);
      return { count: recalled.length, block: renderPromptBlock(recalled.map(({ memory }) => memory)) };
    },
    ({ count, block }) => ({ count, characters: block.length }),
  );
  return block;
}

/** The prompt with the block of recalled memories in front. */
export async function injectIntoText(
  context: MemoryContext,
  scope: Scope,
  prompt: string,
  { query, ...input }: InjectInput,
): Promise<string> {
  return injectIntoPrompt(prompt, await promptBlock(context, scope, query, input));
}

/** @throws InvalidInputError naming what is neither a prompt nor a message */
function validatePromptMessages(messages: unknown): void {
  if (!Array.isArray(messages)) {
    throw new InvalidInputError(
      'promptOrMessages',
      'promptOrMessages must be a prompt or a list of { role, content }.',
    );
  }
  for (const [index, message] of messages.entries()) {
    if (typeof message !== 'object' || message === null) {
      const field = `promptOrMessages[${index}]`;
      throw new InvalidInputError(field, `${field} must be an object { role, content }.`);
    }
  }
}

/** The messages with the block of recalled memories in the system message; the caller's own list and messages are left untouched. */
export async function injectIntoMessages<M extends PromptMessage>(
  context: MemoryContext,
  scope: Scope,
  messages: readonly M[],
  { query, ...input }: InjectInput,
): Promise<(M | PromptBlockMessage)[]> {
  validatePromptMessages(messages);
  return injectIntoPrompt(messages, await promptBlock(context, scope, query, input));
}
