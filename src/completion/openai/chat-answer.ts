import type { TokenUsage } from '../../errors/provider-error.js';
import type { CompletionResult } from '../completion.js';

/** An answer that holds nothing to read: the model declined, was cut off, or said nothing. */
export class AnswerFault extends Error {
  constructor(
    readonly fault: 'refused' | 'malformed',
    message: string,
    /** It was paid for all the same. */
    readonly usage: TokenUsage | undefined,
  ) {
    super(message);
  }
}

/** The fields read of a chat completion. Compatible services deviate, so each is checked. */
interface ChatAnswer {
  readonly choices?: readonly {
    readonly finish_reason?: unknown;
    readonly message?: { readonly content?: unknown; readonly refusal?: unknown; readonly tool_calls?: unknown };
  }[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
}

/** A piece of content, as services give it that answer in a list of them. */
interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
}

/** How services say that an answer ends where it was long enough, or where something broke, and not because it is whole. */
const CUT_OFF = /^(length|model_length|max_(output_)?tokens)$/i;
const BROKEN_OFF = /^(error|abort)$/i;

/** @throws AnswerFault that quotes nothing of the answer */
export function answerIn(response: unknown): CompletionResult {
  // A service that streams whatever it is asked: the client hands its text on as it came.
  if (typeof response === 'string') throw new AnswerFault('malformed', 'answered with text that is no JSON', undefined);
  const answer = (typeof response === 'object' && response !== null ? response : {}) as ChatAnswer;
  const usage = usageIn(answer);
  const fail = (fault: AnswerFault['fault'], message: string): AnswerFault => new AnswerFault(fault, message, usage);

  const choice = Array.isArray(answer.choices) ? answer.choices[0] : undefined;
  const message = choice?.message;
  if (message === undefined || message === null) throw fail('malformed', 'answered without a message');
  if (choice?.finish_reason === 'content_filter') throw fail('refused', 'stopped the answer by its content filter');
  const parts = partsOf(message.content);
  if ([message, ...parts].some(({ refusal }) => typeof refusal === 'string' && refusal !== '')) {
    throw fail('refused', 'declined to answer');
  }
  const finish = typeof choice?.finish_reason === 'string' ? choice.finish_reason : '';
  if (CUT_OFF.test(finish)) throw fail('malformed', 'was cut off at its output limit');
  if (BROKEN_OFF.test(finish)) throw fail('malformed', 'broke off in its answer');
  const text = parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
  if (text.trim() !== '') return usage ? { text, usage } : { text };
  const called = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  throw fail('malformed', called ? 'called a tool that it was not given' : 'answered with nothing');
}

/** Content is a text, or a list of parts of which some are text; thoughts are parts of their own and left out. */
function partsOf(content: unknown): readonly ContentPart[] {
  if (typeof content === 'string') return [{ text: content }];
  if (!Array.isArray(content)) return [];
  return (content as unknown[])
    .map((part): ContentPart => (typeof part === 'string' ? { text: part } : ((part ?? {}) as ContentPart)))
    .filter(({ type }) => type === undefined || type === 'text' || type === 'output_text' || type === 'refusal');
}

function usageIn({ usage }: ChatAnswer): TokenUsage | undefined {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage ?? {};
  return typeof inputTokens === 'number' && typeof outputTokens === 'number'
    ? { inputTokens, outputTokens }
    : undefined;
}
