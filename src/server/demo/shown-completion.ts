import type { Completion, CompletionRequest, CompletionResult, CompletionTask } from '../../completion/completion.js';

/** Passes every question on, and shows what was answered to `extract` before anything is made of it. */
export class ShownCompletion implements Completion {
  readonly name: string;
  readonly tasks: readonly CompletionTask[];

  constructor(
    private readonly completion: Completion,
    private readonly show: (request: CompletionRequest, result: CompletionResult) => void,
  ) {
    this.name = completion.name;
    this.tasks = completion.tasks;
  }

  async complete(request: CompletionRequest): Promise<CompletionResult> {
    const result = await this.completion.complete(request);
    if (request.task === 'extract') this.show(request, result);
    return result;
  }
}
