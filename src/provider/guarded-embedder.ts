import type { Embedder, EmbedOptions } from '../embedding/embedder.js';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import type { ProviderCircuit } from './circuit.js';
import { thrownFault } from './thrown-fault.js';
import { timeoutError } from './timeout-error.js';

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
}

/** A query that its caller gave up while the embedder answered others. */
class BusyError extends Error {}

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
    if (embedder.canSearch) this.canSearch = (query) => embedder.canSearch?.(query) !== false;
  }

  /** @throws ProviderError, InvalidInputError; the reason of the caller's signal */
  embedDocuments(texts: readonly string[], { signal }: EmbedOptions = {}): Promise<number[][]> {
    const timeoutMs = this.guards.timeoutMs * Math.max(1, Math.ceil(texts.length / TEXTS_PER_TIMEOUT));
    return this.guards.circuit.call(() =>
      this.ask((own) => this.embedder.embedDocuments(texts, { signal: own }), timeoutMs, signal),
    );
  }

  /** @throws as `embedDocuments` */
  embedQuery(text: string, { signal }: EmbedOptions = {}): Promise<number[]> {
    const { circuit, queryCircuit, timeoutMs } = this.guards;
    return circuit.call(() =>
      queryCircuit.call(async () => {
        const { answers } = this;
        try {
          return await this.ask((own) => this.embedder.embedQuery(text, { signal: own }), timeoutMs, signal);
        } catch (error) {
          // Answered others meanwhile: it is busy, not slow, and the next query may be in time.
          throw error instanceof DeadlineError && answers !== this.answers ? new BusyError() : error;
        }
      }),
    );
  }

  /** A harmless text, for the probe of the circuit: no text of a caller can be at fault then. */
  probe(): Promise<unknown> {
    return this.ask((own) => this.embedder.embedDocuments([HARMLESS_TEXT], { signal: own }), this.guards.timeoutMs);
  }

  async start(): Promise<void> {
    await this.embedder.start?.();
  }

  async stop(): Promise<void> {
    await this.embedder.stop?.();
  }

  private async ask<T>(work: (signal: AbortSignal) => Promise<T>, timeoutMs: number, caller?: AbortSignal): Promise<T> {
    try {
      const answer = await withDeadline(timeoutMs, work, caller);
      this.answers += 1;
      return answer;
    } catch (error) {
      if (caller?.aborted) throw caller.reason;
      throw error instanceof DeadlineError ? timeoutError(this.space, timeoutMs) : thrownFault(this.space, error);
    }
  }
}
