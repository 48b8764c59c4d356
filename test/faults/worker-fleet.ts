import { setTimeout as sleep } from 'node:timers/promises';
import type { Observation } from '../../src/model/observation.js';
import { MemoryWorker, WorkerCallError, WorkerDiedError } from './memory-worker.js';
import type { KillOrder, WorkerSetting, WorkerTurn } from './worker-messages.js';

/** How long a worker may be without work before it has come to the statement it is to die at. Then it dies there and then, and another gets the order. */
const PATIENCE_MS = 4_000;
const LOOK_MS = 200;

/** Workers that get an order, before one to die anywhere takes its place, and that one before it is given up. */
const TRIES = 3;

/** Errors that a caller answers by calling again. */
const PASSING = new Set(['UNAVAILABLE', 'PROVIDER_FAILED']);

export interface WorkerDeath {
  /** Null: it was told to stop, and did. */
  readonly order: KillOrder | null;
  readonly end: string;
  /** It came to the statement that it was to die at. */
  readonly asOrdered: boolean;
}

/** So many worker processes; one that dies is started again at once. */
export class WorkerFleet {
  readonly deaths: WorkerDeath[] = [];
  /** `null`: stop as at a deployment. */
  private readonly orders: (KillOrder | null)[];
  private readonly lapses = new Map<KillOrder, number>();
  private readonly allOrders: number;
  private readonly slots: (MemoryWorker | null)[];
  private readonly lives: Promise<void>[] = [];
  private failure: Error | null = null;
  private stopping = false;

  /** @param orders of death, taken in this order, one by each worker that comes up */
  constructor(
    private readonly setting: WorkerSetting,
    { size, orders = [] }: { size: number; orders?: readonly (KillOrder | null)[] },
  ) {
    this.orders = [...orders];
    this.allOrders = orders.length;
    this.slots = Array.from({ length: size }, () => null);
    for (const slot of this.slots.keys()) this.lives.push(this.live(slot));
  }

  /** None is on its way up or down. */
  get isUp(): boolean {
    return this.slots.every((worker) => worker?.alive);
  }

  get ordersLeft(): number {
    return this.orders.length;
  }

  /** 0 to 1. */
  get shareOfOrdersMet(): number {
    if (this.failure) throw this.failure;
    return this.deaths.filter(({ asOrdered }) => asOrdered).length / Math.max(1, this.allOrders);
  }

  /** Hands a turn in, again and again until somebody has taken it. */
  async handIn(turn: WorkerTurn, call: 'observe' | 'observeLater'): Promise<Observation> {
    for (;;) {
      const worker = await this.any();
      try {
        return await worker[call](turn);
      } catch (error) {
        if (error instanceof WorkerCallError && !PASSING.has(error.code)) throw error;
        if (!(error instanceof WorkerCallError) && !(error instanceof WorkerDiedError)) throw error;
        await sleep(20);
      }
    }
  }

  /** A worker that is up; it may die any moment. */
  async any(): Promise<MemoryWorker> {
    for (;;) {
      if (this.failure) throw this.failure;
      const up = this.slots.filter((worker) => worker?.alive);
      const one = up[Math.floor(Math.random() * up.length)];
      if (one) return one;
      await sleep(10);
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const worker of this.slots) void worker?.kill('SIGTERM');
    await Promise.all(this.lives);
    if (this.failure) throw this.failure;
  }

  private async live(slot: number): Promise<void> {
    try {
      while (!this.stopping) {
        const worker = new MemoryWorker(this.setting);
        worker.onEnqueued = (key) => {
          for (const other of this.slots) if (other !== worker) other?.deliver(key);
        };
        await worker.ready;
        this.slots[slot] = worker;
        if (this.stopping) void worker.kill('SIGTERM');
        await this.seeOff(worker);
        this.slots[slot] = null;
      }
    } catch (error) {
      this.failure = error as Error;
    }
  }

  private async seeOff(worker: MemoryWorker): Promise<void> {
    const order = this.orders.shift();
    if (order === undefined) {
      const end = await worker.ended;
      if (!this.stopping) throw new Error(`A worker that was to live ended by ${end}: ${worker.errors}`);
      return;
    }
    if (order === null) {
      const end = await worker.kill('SIGTERM');
      if (end !== 'SIGTERM' && end !== '0')
        throw new Error(`A worker that was to stop ended by ${end}: ${worker.errors}`);
      this.deaths.push({ order, end, asOrdered: true });
      return;
    }
    worker.dieAt(order);
    const end = await endOf(worker);
    this.deaths.push({ order, end: end ?? (await worker.kill('SIGKILL')), asOrdered: end === 'SIGKILL' });
    if (end !== null && end !== 'SIGKILL' && !this.stopping)
      throw new Error(`A worker that was to be killed ended by ${end}: ${worker.errors}`);
    if (end !== null || this.stopping) return;
    const lapses = (this.lapses.get(order) ?? 0) + 1;
    this.lapses.set(order, lapses);
    const again = lapses < TRIES ? order : order.statement === null ? null : { ...order, statement: null, nth: 1 };
    if (again) this.orders.push(again);
  }
}

/** How it ended; null once it has been without work for so long. Looks are counted, and not the time when all stands still. */
async function endOf(worker: MemoryWorker): Promise<string | null> {
  let end: string | null = null;
  for (let idle = 0; end === null && idle < PATIENCE_MS; idle = worker.hasWorked() ? 0 : idle + LOOK_MS) {
    end = await Promise.race([worker.ended, sleep(LOOK_MS, null)]);
  }
  return end;
}
