import type { CompletionResult } from '../completion.js';

/** An answer that holds nothing to read: the model declined, was cut off, or said nothing. */
export class AnswerFault extends Error {
  constructor(
    readonly fault: 'refused' | 'malformed',
    message: string,
  ) {
    super(message);
  }
}

/** The fields read of a chat completion. Compatible services deviate, so each is checked. */
interface ChatAnswer {
  readonly choices?: readonly {
    readonly finish_reason?: unknown;
    readonly message?: { readonly content?: unknown; readonly refusal?: unknown };
  }[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
}

/** @throws AnswerFault that quotes nothing of the answer */
export function answerIn(response: unknown): CompletionResult {
  const { choices, usage } = (typeof response === 'object' && response !== null ? response : {}) as ChatAnswer;
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  const message = choice?.message;
  if (choice === undefined || message === undefined || message === null) {
    throw new AnswerFault('malformed', 'answered without a message');
  }
  if (choice.finish_reason === 'content_filter')
    throw new AnswerFault('refused', 'stopped the answer by its content filter');
  if (typeof message.refusal === 'string' && message.refusal !== '') {
    throw new AnswerFault('refused', 'declined to answer');
  }
  if (choice.finish_reason === 'length') throw new AnswerFault('malformed', 'was cut off at its output limit');
  const { content } = message;
  if (typeof content !== 'string' || content.trim() === '') throw new AnswerFault('malformed', 'answered with nothing');
  const inputTokens = usage?.prompt_tokens;
  const outputTokens = usage?.completion_tokens;
  return typeof inputTokens === 'number' && typeof outputTokens === 'number'
    ? { text: content, usage: { inputTokens, outputTokens } }
    : { text: content };
}
