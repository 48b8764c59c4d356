import type { Completion, CompletionRequest, CompletionResult, CompletionTask } from '../completion/completion.js';
import { ProviderError } from '../errors/provider-error.js';

/** One answer: its text, an error to throw, or a function of the request that gives either. */
export type ScriptedAnswer = string | Error | ((request: CompletionRequest) => string | Promise<string>);

export interface ScriptedCompletionOptions {
  /** Default both. */
  readonly tasks?: readonly CompletionTask[];
}

/** A double for tests: gives the answers in the order they were written, and keeps the requests. */
export class ScriptedCompletion implements Completion {
  readonly name = 'scripted:answers';
  readonly tasks: readonly CompletionTask[];
  /** In the order they came in. */
  readonly requests: CompletionRequest[] = [];
  private readonly answers: ScriptedAnswer[];

  constructor(answers: readonly ScriptedAnswer[] = [], options: ScriptedCompletionOptions = {}) {
    this.answers = [...answers];
    this.tasks = options.tasks ?? ['extract', 'consolidate'];
  }

  /** Adds answers behind those that are left. */
  answer(...answers: readonly ScriptedAnswer[]): this {
    this.answers.push(...answers);
    return this;
  }

  /** @throws ProviderError (not retryable) when no answer is left @throws the scripted error */
  async complete(request: CompletionRequest): Promise<CompletionResult> {
    request.signal?.throwIfAborted();
    this.requests.push(request);
    const answer = this.answers.shift();
    if (answer === undefined) {
      throw new ProviderError('scripted', 'unavailable', false, 'No scripted answer is left: write one more.');
    }
    if (answer instanceof Error) throw answer;
    const text = typeof answer === 'string' ? answer : await answer(request);
    return { text, usage: { inputTokens: 1, outputTokens: 1 } };
  }
}
