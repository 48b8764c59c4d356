// A process of an app with the real memory module, on the Postgres that it is told; model and embedder are doubles that
// always say the same. It works on turns, hands in those that its parent gives it, and dies where its parent says.
// Run by `fork`, bundled by worker-program.ts.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { bullMqPostgres, bullMqRedis } from '../../src/bullmq.js';
import { MemoryModule, MemoryService, inProcessQueue, postgres } from '../../src/index.js';
import type {
  CompletionRequest,
  CompletionResult,
  EmbedOptions,
  ObservationQueue,
  QueueDefinition,
  TurnHandler,
  TurnKey,
} from '../../src/index.js';
import { DeterministicEmbedder } from '../../src/testing/deterministic-embedder.js';
import { SubjectModel } from './subject-model.js';
import { MOMENTS, watchStatements } from './watched-statements.js';
import type { FromWorker, KillOrder, Place, ToWorker, WorkerSetting, WorkerTurn } from './worker-messages.js';

const setting = JSON.parse(process.argv[2] ?? '{}') as WorkerSetting;
const { redis } = setting;
/** The shortest there is. */
const LEASE_MS = 1_000;
const tell = (message: FromWorker): void => void process.send?.(message);

let toldToGo: () => void = () => undefined;
const letGo = new Promise<void>((resolve) => (toldToGo = resolve));
let held = false;

function passBy(place: Place): Promise<void> | undefined {
  if (setting.holdAt !== place || held) return undefined;
  held = true;
  tell({ what: 'held' });
  return letGo;
}

class HeldModel extends SubjectModel {
  override async complete(request: CompletionRequest): Promise<CompletionResult> {
    const result = await super.complete(request);
    await passBy(request.task);
    return result;
  }
}

class HeldEmbedder extends DeterministicEmbedder {
  override async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    const vectors = await super.embedDocuments(texts, options);
    await passBy('embed');
    return vectors;
  }
}

/** Carries what another queue carries, but everything to two handlers at once; and tells the parent, who hands it to other processes. */
class TwiceQueue implements ObservationQueue {
  readonly adapter: string;
  private handler: TurnHandler | null = null;

  constructor(private readonly once: ObservationQueue) {
    this.adapter = once.adapter;
  }

  start(handler: TurnHandler): Promise<void> {
    this.handler = handler;
    return this.once.start(async (key) => void (await Promise.all([handler(key), handler(key)])));
  }

  async enqueue(key: TurnKey): Promise<void> {
    tell({ what: 'enqueued', key });
    await this.once.enqueue(key);
  }

  deliver(key: TurnKey): void {
    void this.handler?.(key);
  }

  stop(): Promise<void> {
    this.handler = null;
    return this.once.stop();
  }
}

function queue(): QueueDefinition {
  if (setting.queue === 'bullmq-redis')
    return bullMqRedis({ ...(redis && { connection: { url: redis.url }, prefix: redis.prefix }) });
  if (setting.queue === 'bullmq-postgres') return bullMqPostgres({ connection: setting.url });
  return inProcessQueue();
}

let twice: TwiceQueue | null = null;

function queueAsSet(): QueueDefinition {
  const once = queue();
  if (!setting.twice) return once;
  return { ...once, create: async (...dependencies) => (twice = new TwiceQueue(await once.create(...dependencies))) };
}

const counts = new Map<string, number>();
let order: KillOrder | null = null;
/** What a worker with nothing to do sends again and again; not counted where any statement will do. */
const IDLE = /^(?!.*memor)|FOR UPDATE SKIP LOCKED/;

/** How often it is told that there is work. */
const TELL_OF_WORK_MS = 200;
let toldOfWork = 0;

function tellOfWork(): void {
  if (performance.now() - toldOfWork < TELL_OF_WORK_MS) return;
  toldOfWork = performance.now();
  tell({ what: 'works' });
}

/** No heartbeat, no timer, nothing: longer than a claim holds. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEASE_MS * (1.2 + Math.random()));
}

/** The first statement of a turn's one transaction. */
const TAKES_THE_SCOPE = /memory_scopes FOR NO KEY UPDATE/;

const isOrdered = ({ statement: ordered }: KillOrder, statement: string): boolean =>
  ordered === null ? !IDLE.test(statement) : statement === ordered;

watchStatements((statement, moment) => {
  if (moment === 'before') counts.set(statement, (counts.get(statement) ?? 0) + 1);
  if (!IDLE.test(statement)) tellOfWork();
  if (order && moment === order.moment && isOrdered(order, statement)) {
    order = { ...order, nth: order.nth - 1 };
    if (order.nth <= 0) process.kill(process.pid, 'SIGKILL');
  }
  if (!IDLE.test(statement) && Math.random() < (setting.standingStill ?? 0) / MOMENTS.length) standStill();
  return moment === 'before' && TAKES_THE_SCOPE.test(statement) ? passBy('commit') : undefined;
});

const app = await NestFactory.createApplicationContext(
  MemoryModule.forRoot({
    storage: postgres({ url: setting.url, migrate: false }),
    queue: queueAsSet(),
    embedder: new HeldEmbedder(),
    completion: new HeldModel({ failing: setting.failing ?? 0, upToMs: setting.upToMs ?? 0 }),
    observation: {
      leaseMs: LEASE_MS,
      modelTimeoutMs: 900,
      retryDelayMs: 20,
      maxFailures: 20,
      // A turn is not to blame for being killed so often.
      maxAttempts: 10_000,
      sweepIntervalMs: setting.sweepIntervalMs ?? 100,
    },
    retention: { upkeepIntervalMs: 0 },
  }),
  { logger: ['error'] },
);
app.enableShutdownHooks();
const memory = app.get(MemoryService);

async function answer(id: number, call: 'observe' | 'observeLater', turn: WorkerTurn): Promise<void> {
  try {
    const value = await memory.for(turn.scope)[call](turn.messages, {
      turnId: turn.turnId,
      ...(turn.occurredAt && { occurredAt: new Date(turn.occurredAt) }),
    });
    tell({ what: 'result', id, value });
  } catch (error) {
    const { code = 'UNKNOWN', message } = error as { code?: string; message: string };
    tell({ what: 'error', id, code, message });
  }
}

process.on('message', (message: ToWorker) => {
  if (message.what === 'call') void answer(message.id, message.call, message.turn);
  else if (message.what === 'kill') order = message.order;
  else if (message.what === 'deliver') twice?.deliver(message.key);
  else if (message.what === 'statements') tell({ what: 'result', id: message.id, value: Object.fromEntries(counts) });
  else toldToGo();
});
// A parent that is gone leaves nobody to work for.
process.on('disconnect', () => process.exit());
tell({ what: 'ready' });
