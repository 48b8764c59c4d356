import { performance } from 'node:perf_hooks';
import type { Completion, CompletionRequest, CompletionResult, CompletionTask } from '../completion/completion.js';
import { ProviderError } from '../errors/provider-error.js';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import { addTokens } from '../observation/ask-model.js';
import type { TokenTally } from '../observation/ask-model.js';
import type { ProviderCircuit } from './circuit.js';
import { thrownFault } from './thrown-fault.js';
import { timeoutError } from './timeout-error.js';

export interface CompletionGuards {
  /** Milliseconds for one call. */
  readonly timeoutMs: number;
  readonly circuit: ProviderCircuit;
  /** Runs every call that is made; `ended` is to be told how it ended. */
  readonly measure: <T>(
    task: CompletionTask,
    call: (ended: (outcome: CompletionOutcome) => void) => Promise<T>,
  ) => Promise<T>;
}

export interface CompletionOutcome extends TokenTally {
  readonly task: CompletionTask;
  readonly durationMs: number;
  /** What was thrown, if something was. */
  readonly error?: unknown;
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
  ask(request: CompletionRequest): Promise<CompletionResult> {
    const { task } = request;
    return this.guards.measure(task, async (ended) => {
      const start = performance.now();
      const tally: TokenTally = { inputTokens: 0, outputTokens: 0 };
      const tell = (outcome: Pick<CompletionOutcome, 'error'>): void =>
        ended({ task, ...tally, durationMs: performance.now() - start, ...outcome });
      try {
        const result = await this.answer(request);
        addTokens(tally, result.usage);
        tell({});
        return result;
      } catch (error) {
        if (error instanceof ProviderError) addTokens(tally, error.usage);
        tell({ error });
        throw error;
      }
    });
  }

  private async answer(request: CompletionRequest): Promise<CompletionResult> {
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
