import type { Completion, CompletionRequest, CompletionResult, CompletionTask } from '../completion/completion.js';
import { ProviderError } from '../errors/provider-error.js';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import type { ProviderCircuit } from './circuit.js';
import { thrownFault } from './thrown-fault.js';
import { timeoutError } from './timeout-error.js';

export interface CompletionGuards {
  /** Milliseconds for one call. */
  readonly timeoutMs: number;
  readonly circuit: ProviderCircuit;
}

/**
 * The completion as use cases see it: every call ends in time, whatever the adapter does with its signal; fails with one
 * of our errors, or gives a text; and is not made while the circuit is open.
 */
export class GuardedCompletion implements Completion {
  readonly name: string;
  readonly tasks: readonly CompletionTask[];

  constructor(
    private readonly completion: Completion,
    private readonly guards: CompletionGuards,
  ) {
    this.name = completion.name;
    this.tasks = completion.tasks;
  }

  /** @throws ProviderError; the reason of the request's signal */
  complete(request: CompletionRequest): Promise<CompletionResult> {
    return this.guards.circuit.call(() => this.ask(request), request.signal);
  }

  /** One call that the circuit does not stop: its probe. */
  async ask(request: CompletionRequest): Promise<CompletionResult> {
    const { name, guards } = this;
    let result: CompletionResult;
    try {
      result = await withDeadline(
        guards.timeoutMs,
        (signal) => this.completion.complete({ ...request, signal }),
        request.signal,
      );
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      throw error instanceof DeadlineError ? timeoutError(name, guards.timeoutMs) : thrownFault(name, error);
    }
    if (typeof result?.text !== 'string') {
      throw new ProviderError(
        name,
        'malformed',
        true,
        `${name} gave no text: its complete() must resolve to { text }, with a string.`,
      );
    }
    return result;
  }
}
