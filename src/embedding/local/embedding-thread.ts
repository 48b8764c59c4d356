import { Worker } from 'node:worker_threads';
import { ProviderError } from '../../errors/provider-error.js';

/** Who is waiting: a person for a query, nobody in particular for documents. */
export type EmbeddingUrgency = 'query' | 'documents';

/** Texts per message to the thread. A query waits for one message at most (about 70 ms), and smaller ones cost more per text. */
const CHUNK = 8;

/** A message takes 70 ms, the first one 0.3 s more. A thread that is silent for this long hangs and is replaced. */
const SILENCE_LIMIT_MS = 30_000;

interface Job {
  readonly texts: readonly string[];
  readonly resolve: (vectors: number[][]) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  readonly job: Job;
  readonly watchdog: NodeJS.Timeout;
}

type Answer = { readonly id: number; readonly vectors: number[][] } | { readonly id: number; readonly failure: string };

/**
 * One worker thread that turns texts into vectors, one message at a time, queries first.
 * It starts with the first job, comes back after a crash, and never keeps the process alive while it is idle.
 */
export class EmbeddingThread {
  private worker: Worker | null = null;
  private running: Running | null = null;
  private stopped = false;
  private lastId = 0;
  private readonly waiting: Record<EmbeddingUrgency, Job[]> = { query: [], documents: [] };

  /** @param script module that answers `{ id, texts }` with `{ id, vectors }` or `{ id, failure }` */
  constructor(private readonly script: URL) {}

  /** Makes the thread usable again after `stop`, and resolves when it has loaded. @throws ProviderError */
  async start(): Promise<void> {
    this.stopped = false;
    await this.embedAll([[]], 'query', undefined);
  }

  /** One vector per text, in order. @throws ProviderError; retryable when the thread died, hung, was stopped, or `signal` fired */
  async embed(
    texts: readonly string[],
    urgency: EmbeddingUrgency,
    signal: AbortSignal | undefined,
  ): Promise<number[][]> {
    const chunks: (readonly string[])[] = [];
    for (let at = 0; at < texts.length; at += CHUNK) chunks.push(texts.slice(at, at + CHUNK));
    return this.embedAll(chunks, urgency, signal);
  }

  /** Ends the thread; whatever waits fails retryably. */
  async stop(): Promise<void> {
    this.stopped = true;
    const worker = this.worker;
    this.abandon(unavailable('was stopped'));
    await worker?.terminate();
  }

  private async embedAll(
    chunks: readonly (readonly string[])[],
    urgency: EmbeddingUrgency,
    signal: AbortSignal | undefined,
  ): Promise<number[][]> {
    if (this.stopped) throw unavailable('was stopped');
    if (signal?.aborted) throw aborted(signal);
    const jobs: Job[] = [];
    const answers = chunks.map(
      (texts) => new Promise<number[][]>((resolve, reject) => jobs.push({ texts, resolve, reject })),
    );
    const onAbort = (): void => {
      for (const job of jobs) job.reject(aborted(signal as AbortSignal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.waiting[urgency].push(...jobs);
    this.next();
    try {
      return (await Promise.all(answers)).flat();
    } catch (error) {
      // All or nothing: what still waits for this call would be embedded for nobody.
      const given = new Set(jobs);
      this.waiting[urgency] = this.waiting[urgency].filter((job) => !given.has(job));
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  private next(): void {
    if (this.running) return;
    const job = this.waiting.query.shift() ?? this.waiting.documents.shift();
    if (!job) {
      this.worker?.unref();
      return;
    }
    this.worker ??= this.spawn();
    const worker = this.worker;
    const watchdog = setTimeout(() => {
      this.abandon(unavailable('did not answer'));
      void worker.terminate();
    }, SILENCE_LIMIT_MS);
    this.running = { job, watchdog };
    this.lastId += 1;
    worker.ref();
    worker.postMessage({ id: this.lastId, texts: job.texts });
  }

  private spawn(): Worker {
    // Not the host's flags: a loader given by --import would be loaded once more in the thread.
    const worker = new Worker(this.script, { execArgv: [], name: 'engram-embedding' });
    worker.on('message', (answer: Answer) => {
      if (worker !== this.worker || answer.id !== this.lastId) return;
      const job = this.finish();
      if (!job) return;
      if ('vectors' in answer) job.resolve(answer.vectors);
      else job.reject(unavailable(`failed with ${answer.failure}`));
      this.next();
    });
    worker.on('error', (error) => {
      if (worker === this.worker) this.abandon(unavailable('crashed', error));
    });
    worker.on('exit', () => {
      if (worker === this.worker) this.abandon(unavailable('ended'));
    });
    return worker;
  }

  private finish(): Job | undefined {
    const job = this.running?.job;
    clearTimeout(this.running?.watchdog);
    this.running = null;
    return job;
  }

  /** Gives the thread up and fails all that wait for it; the next job starts another one. */
  private abandon(error: ProviderError): void {
    this.worker = null;
    const jobs = [this.finish(), ...this.waiting.query.splice(0), ...this.waiting.documents.splice(0)];
    for (const job of jobs) job?.reject(error);
  }
}

function unavailable(what: string, cause?: unknown): ProviderError {
  return new ProviderError(
    'local',
    'unavailable',
    true,
    `The thread of the local embedder ${what}. Try again: the next call starts a new one.`,
    { cause },
  );
}

function aborted(signal: AbortSignal): ProviderError {
  return new ProviderError(
    'local',
    'timeout',
    true,
    'The local embedder was told to give up before it had answered. Allow more time, or embed fewer texts at once.',
    { cause: signal.reason },
  );
}
