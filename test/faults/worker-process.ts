// A process of an app with the real memory module, on the Postgres that it is told; model and embedder are doubles that
// always say the same. It works on turns, hands in those that its parent gives it, and dies where its parent says.
// Run by `fork` with `--import tsx`.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { MemoryModule, MemoryService, inProcessQueue, postgres } from '../../src/index.js';
import type { CompletionRequest, CompletionResult, EmbedOptions, ObservationQueue, TurnKey } from '../../src/index.js';
import { DeterministicEmbedder } from '../../src/testing/deterministic-embedder.js';
import { SubjectModel } from './subject-model.js';
import { watchStatements } from './watched-statements.js';
import type { FromWorker, KillOrder, Place, ToWorker, WorkerSetting, WorkerTurn } from './worker-messages.js';

const setting = JSON.parse(process.argv[2] ?? '{}') as WorkerSetting;
const tell = (message: FromWorker): void => void process.send?.(message);

let toldToGo: () => void = () => undefined;
const letGo = new Promise<void>((resolve) => (toldToGo = resolve));
let held = false;

async function passBy(place: Place): Promise<void> {
  if (setting.holdAt !== place || held) return;
  held = true;
  tell({ what: 'held' });
  await letGo;
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

/** Hands every wake-up to two handlers at once, and tells the parent, who hands it to other processes. */
class TwiceQueue implements ObservationQueue {
  readonly adapter = 'twice';
  private readonly running = new Set<Promise<void>>();
  private handler: ((key: TurnKey) => Promise<void>) | null = null;

  async start(handler: (key: TurnKey) => Promise<void>): Promise<void> {
    this.handler = handler;
  }

  async enqueue(key: TurnKey): Promise<void> {
    this.deliver(key);
    this.deliver(key);
    tell({ what: 'enqueued', key });
  }

  deliver(key: TurnKey): void {
    if (!this.handler) return;
    const work = this.handler(key).finally(() => this.running.delete(work));
    this.running.add(work);
  }

  async stop(): Promise<void> {
    this.handler = null;
    await Promise.all(this.running);
  }
}

const twice = new TwiceQueue();
const counts = new Map<string, number>();
let order: KillOrder | null = null;
/** What a worker with nothing to do sends again and again; not counted where any statement will do. */
const IDLE = /^(?!.*memor)|memory_turns FOR UPDATE/;

watchStatements((statement, moment) => {
  if (moment === 'before') counts.set(statement, (counts.get(statement) ?? 0) + 1);
  if (!order || moment !== order.moment) return;
  if (order.statement === null ? IDLE.test(statement) : statement !== order.statement) return;
  order = { ...order, nth: order.nth - 1 };
  if (order.nth <= 0) process.kill(process.pid, 'SIGKILL');
});

const app = await NestFactory.createApplicationContext(
  MemoryModule.forRoot({
    storage: postgres({ url: setting.url, migrate: false }),
    queue: setting.queue === 'twice' ? { adapter: 'twice', create: () => twice } : inProcessQueue(),
    embedder: new HeldEmbedder(),
    completion: new HeldModel({ failing: setting.failing ?? 0, upToMs: setting.upToMs ?? 0 }),
    observation: {
      leaseMs: setting.leaseMs ?? 1_000,
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
  else if (message.what === 'deliver') twice.deliver(message.key);
  else if (message.what === 'statements') tell({ what: 'result', id: message.id, value: [...counts.keys()] });
  else toldToGo();
});
// A parent that is gone leaves nobody to work for.
process.on('disconnect', () => process.exit());
tell({ what: 'ready' });
