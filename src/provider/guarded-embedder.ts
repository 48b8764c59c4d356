import { performance } from 'node:perf_hooks';
import type { Embedder, EmbedOptions } from '../embedding/embedder.js';
import { answeredAtOnce } from '../memory/answered-at-once.js';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import type { ProviderCircuit } from './circuit.js';
import { thrownFault } from './thrown-fault.js';
import { timeoutError } from './timeout-error.js';
import { unlessAborted } from './unless-aborted.js';

/** Texts to which one `timeoutMs` is given. */
const TEXTS_PER_TIMEOUT = 100;

/** A text that any embedder takes. */
export const HARMLESS_TEXT = 'Prefers short answers.';

export interface EmbedderGuards {
  /** Milliseconds for each hundred texts. */
  readonly timeoutMs: number;
  /** Of every call. */
  readonly circuit: ProviderCircuit;
  /** Of queries that their caller gave up: words answer sooner than an embedder that is slow, while it goes on storing. */
  readonly queryCircuit: ProviderCircuit;
  /** Runs every call that is made; `ended` is to be told how it ended. */
  readonly measure: <T>(
    about: Pick<EmbeddingCall, 'calls' | 'texts'>,
    call: (ended: (outcome: EmbeddingCall) => void) => Promise<T>,
  ) => Promise<T>;
}

export interface EmbeddingCall {
  readonly calls: 'documents' | 'query';
  readonly texts: number;
  /** As the provider counted them; 0 where it does not. */
  readonly inputTokens: number;
  readonly durationMs: number;
  /** What was thrown, if something was. */
  readonly error?: unknown;
}

/** A query that its caller gave up while the embedder answered others. */
class BusyError extends Error {}

/** Whether distances count for the query: they do not where the embedder cannot even say so, and words answer then. */
function mayMean(embedder: Embedder, query: string): boolean {
  try {
    return (
      answeredAtOnce(embedder.canSearch?.(query), 'embedder', 'Its canSearch() must return true or false') !== false
    );
  } catch {
    return false;
  }
}

/**
 * The embedder as use cases see it: every call ends in time, whatever the adapter does with its signal; fails with one of
 * our errors; and is not made while the circuit is open.
 */
export class GuardedEmbedder implements Embedder {
  readonly space: string;
  readonly dimensions: number;
  readonly calibration: Embedder['calibration'];
  readonly canSearch?: (query: string) => boolean;
  private answers = 0;

  constructor(
    private readonly embedder: Embedder,
    private readonly guards: EmbedderGuards,
  ) {
    this.space = embedder.space;
    this.dimensions = embedder.dimensions;
    this.calibration = embedder.calibration;
    if (embedder.canSearch) this.canSearch = (query) => mayMean(embedder, query);
  }

  /** @throws ProviderError, InvalidInputError; the reason of the caller's signal */
  embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    return this.guards.circuit.call(() => this.askDocuments(texts, options), options.signal);
  }

  /**
   * @param options its signal, where there is one, has to end the call in time
   * @throws as `embedDocuments`
   */
  embedQuery(text: string, options: EmbedOptions = {}): Promise<number[]> {
    const { circuit, queryCircuit } = this.guards;
    return circuit.call(() => queryCircuit.call(() => this.askQuery(text, options)), options.signal);
  }

  /** A harmless text, for the probe of the circuit: no text of a caller can be at fault then. */
  probe(): Promise<unknown> {
    return this.askDocuments([HARMLESS_TEXT], {});
  }

  async start(): Promise<void> {
    await this.embedder.start?.();
  }

  async stop(): Promise<void> {
    await this.embedder.stop?.();
  }

  private async askQuery(text: string, options: EmbedOptions): Promise<number[]> {
    const { answers } = this;
    try {
      return await this.ask({ calls: 'query', texts: 1 }, options, (own) => this.embedder.embedQuery(text, own));
    } catch (error) {
      // Answered others meanwhile: it is busy, not slow, and the next query may be in time.
      throw error instanceof DeadlineError && answers !== this.answers ? new BusyError() : error;
    }
  }

  private askDocuments(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    return this.ask({ calls: 'documents', texts: texts.length }, options, (own) =>
      this.embedder.embedDocuments(texts, own),
    );
  }

  private ask<T>(
    about: Pick<EmbeddingCall, 'calls' | 'texts'>,
    options: EmbedOptions,
    work: (options: EmbedOptions) => Promise<T>,
  ): Promise<T> {
    return this.guards.measure(about, (ended) => this.call(about, options, work, ended));
  }

  private async call<T>(
    about: Pick<EmbeddingCall, 'calls' | 'texts'>,
    { signal: caller, onUsage }: EmbedOptions,
    work: (options: EmbedOptions) => Promise<T>,
    ended: (outcome: EmbeddingCall) => void,
  ): Promise<T> {
    const timeoutMs = this.guards.timeoutMs * Math.max(1, Math.ceil(about.texts / TEXTS_PER_TIMEOUT));
    const start = performance.now();
    let inputTokens = 0;
    const told: EmbedOptions['onUsage'] = (usage) => {
      // Counts are what an adapter says: what is no count is left out.
      if (usage.inputTokens > 0 && Number.isFinite(usage.inputTokens)) inputTokens += usage.inputTokens;
      onUsage?.(usage);
    };
    const tell = (outcome: Pick<EmbeddingCall, 'error'>): void =>
      ended({ ...about, inputTokens, durationMs: performance.now() - start, ...outcome });
    try {
      const asked = async (signal: AbortSignal): Promise<T> => work({ signal, onUsage: told });
      // Who asks with a query waits for less than `timeoutMs`, and a second timer would cost each recall what it saves nobody.
      const answer = await (caller && about.calls === 'query'
        ? unlessAborted(asked(caller), caller)
        : withDeadline(timeoutMs, asked, caller));
      this.answers += 1;
      tell({});
      return answer;
    } catch (thrown) {
      const error = this.faultOf(thrown, timeoutMs, caller);
      tell({ error });
      throw error;
    }
  }

  private faultOf(thrown: unknown, timeoutMs: number, caller: AbortSignal | undefined): unknown {
    if (caller?.aborted) return caller.reason;
    return thrown instanceof DeadlineError ? timeoutError(this.space, timeoutMs) : thrownFault(this.space, thrown);
  }
}
