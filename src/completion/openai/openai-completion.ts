import { ProviderError } from '../../errors/provider-error.js';
import { callOpenAi } from '../../openai-service/openai-call.js';
import type { OpenAiRequestOptions } from '../../openai-service/openai-call.js';
import { refusesParameter } from '../../openai-service/openai-fault.js';
import { clientFor, resolveService } from '../../openai-service/openai-options.js';
import type { OpenAiService, OpenAiServiceOptions } from '../../openai-service/openai-options.js';
import type { Completion, CompletionRequest, CompletionResult, CompletionTask } from '../completion.js';
import { answerIn, AnswerFault } from './chat-answer.js';

interface ChatMessage {
  role: 'system' | 'user';
  content: string;
}

type ResponseFormat =
  | { type: 'json_schema'; json_schema: { name: string; strict: true; schema: Record<string, unknown> } }
  | { type: 'json_object' };

/** The part of the `openai` client (6 or 7) that is called; a host may pass anything of this shape. */
export interface OpenAiChatClient {
  readonly chat: {
    readonly completions: {
      create(
        body: { model: string; messages: ChatMessage[]; response_format?: ResponseFormat },
        options?: OpenAiRequestOptions,
      ): PromiseLike<unknown>;
    };
  };
}

export interface OpenAiCompletionOptions extends OpenAiServiceOptions<OpenAiChatClient> {
  /** Milliseconds for one request with all its retries, at most 600,000. Default 30,000. */
  readonly timeoutMs?: number;
}

/** How the form of the answer is asked for, the strictest first. A service that refuses one is asked by the next. */
const FORMS = ['json_schema', 'json_object', 'prompt'] as const;
type Form = (typeof FORMS)[number];

/** How services name the parameter beside its own name. */
const FORM_WORDS = ['response format', 'json_schema', 'json_object', 'structured output'];

/**
 * Asks a chat model of OpenAI, or of a service that speaks its protocol, for JSON by the schema. Nothing else is asked:
 * each further parameter (a temperature, say) is refused by some model.
 */
export class OpenAiCompletion implements Completion {
  readonly name: string;
  readonly tasks: readonly CompletionTask[] = ['extract', 'consolidate'];

  private readonly service: OpenAiService;
  private readonly client: () => Promise<OpenAiChatClient>;
  /** Index into `FORMS`: the strictest one that the service has not refused. */
  private form = 0;

  /** @throws InvalidOptionsError */
  constructor(options: OpenAiCompletionOptions) {
    this.service = resolveService('OpenAiCompletion', options, 30_000);
    this.client = clientFor('OpenAiCompletion', options);
    this.name = `${this.service.provider}:${this.service.model}`;
  }

  /** @throws ProviderError */
  async complete(request: CompletionRequest): Promise<CompletionResult> {
    const client = await this.client();
    const response = await this.ask(client, request, this.form);
    try {
      return answerIn(response);
    } catch (fault) {
      if (!(fault instanceof AnswerFault)) throw fault;
      throw this.failure(fault);
    }
  }

  private async ask(client: OpenAiChatClient, request: CompletionRequest, form: number): Promise<unknown> {
    const body = { model: this.service.model, ...formed(request, FORMS[form] ?? 'prompt') };
    let isRefusedForm = false;
    try {
      return await callOpenAi(
        this.service,
        async (options) => {
          try {
            return await client.chat.completions.create(body, options);
          } catch (error) {
            isRefusedForm = form < FORMS.length - 1 && refusesParameter(error, 'response_format', FORM_WORDS);
            throw error;
          }
        },
        request.signal,
      );
    } catch (error) {
      if (!isRefusedForm) throw error;
      const answer = await this.ask(client, request, form + 1);
      // Remembered once the laxer form was answered: then it was the form, and not the request, that was refused.
      this.form = Math.max(this.form, form + 1);
      return answer;
    }
  }

  private failure({ fault, message, usage }: AnswerFault): ProviderError {
    const { provider, model } = this.service;
    // A refusal stands; a broken answer may come out whole the next time.
    const isFinal = fault === 'refused';
    return new ProviderError(
      provider,
      fault,
      !isFinal,
      `${provider} (${model}) ${message}: ${isFinal ? 'nothing was learned from it' : 'retry later'}.`,
      usage && { usage },
    );
  }
}

function formed(
  { prompt, schema }: CompletionRequest,
  form: Form,
): { messages: ChatMessage[]; response_format?: ResponseFormat } {
  const user: ChatMessage = { role: 'user', content: prompt.user };
  if (form === 'json_schema') {
    return {
      messages: [{ role: 'system', content: prompt.system }, user],
      response_format: { type: 'json_schema', json_schema: { name: schema.name, strict: true, schema: schema.schema } },
    };
  }
  const described = `${prompt.system}\n\nAnswer with one JSON object by this JSON schema and with nothing else:\n${JSON.stringify(schema.schema)}`;
  const messages: ChatMessage[] = [{ role: 'system', content: described }, user];
  return form === 'json_object' ? { messages, response_format: { type: 'json_object' } } : { messages };
}
