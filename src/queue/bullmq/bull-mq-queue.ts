import type { Job, JobsOptions } from 'bullmq';
import { withDeadline } from '../../memory/with-deadline.js';
import type { Scope } from '../../model/scope.js';
import type { TurnKey } from '../../storage/memory-store.js';
import type { ObservationQueue, TurnHandler } from '../observation-queue.js';
import type { FaultLog } from './fault-log.js';
import { WAKE_UP, wakeUpOptions } from './wake-up.js';
import type { WakeUp } from './wake-up.js';

/** After that a broker counts as down, in milliseconds. One that is up takes a wake-up in one or two. */
const ANSWERS_WITHIN_MS = 2_000;

/** Wake-ups on their way to the broker; what a burst has beyond is left to the sweeper. */
const MAX_SENDING = 1_000;

/** How many of the jobs that wait are looked through for an erasure, and how many at a time. */
const DISCARD_MAX = 10_000;
const DISCARD_PAGE = 500;

/** What closing takes where the broker answers, many times over, in milliseconds. */
const CLOSES_WITHIN_MS = 1_000;

/** BullMQ's `Queue`, as far as it is used, whatever backend it runs on. */
export interface WakeUpQueue {
  add(name: string, data: WakeUp, options: JobsOptions): Promise<unknown>;
  getJobs(types: ['waiting'], start: number, end: number, ascending: boolean): Promise<Job[]>;
  getJobCounts(type: 'waiting'): Promise<Record<string, number>>;
  getBackend(): { close(force?: boolean): Promise<void> };
  close(): Promise<void>;
}

/** Takes the jobs, where this process works turns. */
export interface WakeUpConsumer {
  start(handler: TurnHandler): Promise<void>;
  /** Takes nothing new, and waits for the handlers that run. */
  finish(): Promise<void>;
  /** Closes its connections, without a word to the broker where that is forced. */
  close(force: boolean): Promise<void>;
}

/** Carries wake-ups as BullMQ jobs. With the broker down they are dropped, and the sweeper waits until it is back. */
export class BullMqQueue implements ObservationQueue {
  private readonly sending = new Set<Promise<unknown>>();
  private answers = true;
  private stopped = false;
  private stopping: Promise<void> | null = null;

  constructor(
    readonly adapter: string,
    private readonly queue: WakeUpQueue,
    private readonly consumer: WakeUpConsumer | null,
    private readonly faults: FaultLog,
  ) {}

  async start(handler: TurnHandler): Promise<void> {
    await this.consumer?.start(handler);
  }

  async enqueue({ tenantId, scope, turnId }: TurnKey): Promise<void> {
    if (this.room() < 1) return;
    const key = { tenantId, scope, turnId };
    const sent = this.queue.add(WAKE_UP, key, wakeUpOptions(key, Date.now())).then(
      () => {
        this.answers = true;
        this.faults.answered();
      },
      (error: unknown) => this.failed(error),
    );
    this.sending.add(sent);
    void sent.finally(() => this.sending.delete(sent));
    await withDeadline(ANSWERS_WITHIN_MS, () => sent).catch((error: unknown) => this.failed(error));
  }

  /** While the broker does not answer, one wake-up at a time finds out whether it is back. */
  room(): number {
    if (this.stopped) return 0;
    return (this.answers ? MAX_SENDING : 1) - this.sending.size;
  }

  async depth(): Promise<number> {
    const counts = await withDeadline(ANSWERS_WITHIN_MS, () => this.queue.getJobCounts('waiting'));
    return counts['waiting'] ?? 0;
  }

  async discard(scope: Scope): Promise<void> {
    if (this.stopped || !this.answers) return;
    await withDeadline(ANSWERS_WITHIN_MS, (signal) => this.dropWaiting(scope, signal)).catch((error: unknown) =>
      this.failed(error),
    );
  }

  stop(): Promise<void> {
    this.stopping ??= this.finishAndClose();
    return this.stopping;
  }

  private async finishAndClose(): Promise<void> {
    await this.consumer?.finish();
    this.stopped = true;
    // By force where nobody answers: a client would wait for the day when somebody does, and Nest for the client.
    const force = !(await this.isUp());
    const closing = async (): Promise<void> => {
      await this.consumer?.close(force);
      if (force) await this.queue.getBackend().close(true);
      await this.queue.close();
    };
    await withDeadline(CLOSES_WITHIN_MS, closing).catch((error: unknown) => this.faults.failed(error));
  }

  private async isUp(): Promise<boolean> {
    if (!this.answers) return false;
    const counted = this.queue.getJobCounts('waiting');
    counted.catch(() => undefined);
    return withDeadline(CLOSES_WITHIN_MS, () => counted).then(
      () => true,
      () => false,
    );
  }

  private async dropWaiting({ tenantId, scope }: Scope, signal: AbortSignal): Promise<void> {
    const found: Job[] = [];
    for (let start = 0; start < DISCARD_MAX && !signal.aborted; start += DISCARD_PAGE) {
      const page = await this.queue.getJobs(['waiting'], start, start + DISCARD_PAGE - 1, true);
      for (const job of page) {
        const data = job.data as Partial<WakeUp> | undefined;
        if (data?.tenantId === tenantId && data.scope === scope) found.push(job);
      }
      if (page.length === 0) break;
    }
    // One that has been taken meanwhile cannot be removed, and finds nothing to do.
    for (const job of found) await job.remove().catch(() => undefined);
  }

  private failed(error: unknown): void {
    this.answers = false;
    if (!this.stopped) this.faults.failed(error);
  }
}
