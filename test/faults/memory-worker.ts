import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Observation } from '../../src/model/observation.js';
import type { TurnKey } from '../../src/storage/memory-store.js';
import { workerProgram } from './worker-program.js';
import type { FromWorker, KillOrder, StatementCounts, ToWorker, WorkerSetting, WorkerTurn } from './worker-messages.js';

/** The process died before it answered. What it had done by then is not known. */
export class WorkerDiedError extends Error {}

/** An error that the worker's call ended with. */
export class WorkerCallError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

/** One worker process, from its start to its death. */
export class MemoryWorker {
  /** Resolves when it works. @throws Error when it dies before */
  readonly ready: Promise<void>;
  /** Resolves with how it ended: a signal, or an exit code. */
  readonly ended: Promise<string>;
  /** Resolves when a job waits at `holdAt`. */
  readonly held: Promise<void>;
  onEnqueued: (key: TurnKey) => void = () => undefined;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  private calls = 0;
  /** What it has said on stderr. */
  errors = '';
  private isReady: () => void = () => undefined;
  private isHeld: () => void = () => undefined;
  private end: string | null = null;
  private worked = false;

  constructor(setting: WorkerSetting) {
    this.child = fork(workerProgram(), [JSON.stringify(setting)], {
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr?.on('data', (text: Buffer) => (this.errors += text.toString()));
    this.child.on('message', (message: FromWorker) => this.hear(message));
    this.held = new Promise((resolve) => (this.isHeld = resolve));
    const working = new Promise<void>((resolve) => (this.isReady = resolve));
    this.ended = once(this.child, 'exit').then(([code, signal]) => {
      this.end = String(signal ?? code);
      for (const { reject } of this.waiting.values()) reject(new WorkerDiedError(`The worker ended by ${this.end}.`));
      this.waiting.clear();
      return this.end;
    });
    this.ready = Promise.race([
      working,
      this.ended.then((end) => {
        throw new Error(`A worker ended by ${end} before it was ready: ${this.errors}`);
      }),
    ]);
    // Whoever does not wait for it need not hear of it.
    this.ready.catch(() => undefined);
  }

  /** Whether it has had work since it was last asked. */
  hasWorked(): boolean {
    const { worked } = this;
    this.worked = false;
    return worked;
  }

  get alive(): boolean {
    return this.end === null;
  }

  /** @throws WorkerDiedError, WorkerCallError */
  observe(turn: WorkerTurn): Promise<Observation> {
    return this.ask((id) => ({ what: 'call', id, call: 'observe', turn }));
  }

  /** @throws WorkerDiedError, WorkerCallError */
  observeLater(turn: WorkerTurn): Promise<Observation> {
    return this.ask((id) => ({ what: 'call', id, call: 'observeLater', turn }));
  }

  /** The statements that it has sent so far. */
  statements(): Promise<StatementCounts> {
    return this.ask((id) => ({ what: 'statements', id }));
  }

  dieAt(order: KillOrder): void {
    this.send({ what: 'kill', order });
  }

  deliver(key: TurnKey): void {
    this.send({ what: 'deliver', key });
  }

  letGo(): void {
    this.send({ what: 'let-go' });
  }

  /** @returns how it ended */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<string> {
    this.child.kill(signal);
    return this.ended;
  }

  private ask<T>(message: (id: number) => ToWorker): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!this.alive) return reject(new WorkerDiedError(`The worker ended by ${this.end}.`));
      const id = this.calls++;
      this.waiting.set(id, { resolve, reject });
      this.send(message(id));
    });
  }

  private hear(message: FromWorker): void {
    if (message.what === 'ready') this.isReady();
    if (message.what === 'held') this.isHeld();
    if (message.what === 'works') this.worked = true;
    if (message.what === 'enqueued') this.onEnqueued(message.key);
    if (message.what !== 'result' && message.what !== 'error') return;
    const caller = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.what === 'result') caller?.resolve(message.value as never);
    else caller?.reject(new WorkerCallError(message.code, message.message));
  }

  private send(message: ToWorker): void {
    // A message to a process that is dying is lost like the process.
    if (this.child.connected) this.child.send(message, () => undefined);
  }
}
