// A worker of the bench of observation: the module as built, with a model that needs no time. Run by `fork` with `--import tsx`.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { Client } from 'pg';
import type {
  EventPublisher,
  ObservationQueue,
  QueueDefinition,
  ScopedMemory,
  TurnHandler,
  TurnKey,
} from '../src/index.js';
import { builtPackage } from './built-app.js';
import { InstantEmbedder, InstantModel } from './instant-model.js';
import { QueryClock } from './query-clock.js';
import type { BenchWorkerSetting, FromBenchWorker, Task, TurnTimes } from './observation-messages.js';
import { thousandMemories } from './thousand-memories.js';

const DIMENSIONS = 1536;
const HANDING_IN = 10;
const NAMES = ['Ada', 'Bo', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hana', 'Ines', 'Jon'];
const LATER_NAMES = ['Kaya', 'Levi', 'Mina', 'Nils', 'Olga', 'Pia', 'Quinn', 'Rosa', 'Sven', 'Tove'];
/** Turns in a scope after which another one stands for a scope that is nearly empty. */
const SMALL = 20;
const WARMING = 40;

const { url, queue: queueName, redisUrl } = JSON.parse(process.argv[2] ?? '{}') as BenchWorkerSetting;
const tell = (message: FromBenchWorker): void => void process.send?.(message);
const sentences = thousandMemories();
const sentence = (number: number, names: readonly string[]): string =>
  `${sentences[number % sentences.length]} with ${names[Math.floor(number / sentences.length) % names.length]}`;

const { MemoryModule, MemoryService, bullMqPostgres, bullMqRedis, inProcessQueue, postgres } = await builtPackage();
const clock = new QueryClock();
clock.start();

/** Tells how long each wake-up takes to reach the worker. */
class TimedQueue implements ObservationQueue {
  readonly adapter: string;
  readonly sent = new Map<string, number>();
  readonly took = new Map<string, number>();

  constructor(private readonly queue: ObservationQueue) {
    this.adapter = queue.adapter;
  }

  start(handler: TurnHandler): Promise<void> {
    return this.queue.start((key) => {
      const since = this.sent.get(key.turnId);
      if (since !== undefined && !this.took.has(key.turnId)) this.took.set(key.turnId, performance.now() - since);
      return handler(key);
    });
  }

  enqueue(key: TurnKey): Promise<void> {
    if (!this.sent.has(key.turnId)) this.sent.set(key.turnId, performance.now());
    return this.queue.enqueue(key);
  }

  room(): number {
    return this.queue.room?.() ?? Infinity;
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }
}

let timed: TimedQueue | null = null;

function timedQueue(): QueueDefinition {
  const definition =
    queueName === 'bullmq-redis'
      ? bullMqRedis({ connection: { url: redisUrl }, prefix: `engram-bench-${process.ppid}` })
      : queueName === 'bullmq-postgres'
        ? bullMqPostgres({ connection: url })
        : inProcessQueue();
  return {
    ...definition,
    create: async (...dependencies) => (timed = new TimedQueue(await definition.create(...dependencies))),
  };
}

let onApplied: (turnId: string) => void = () => undefined;
const events: EventPublisher = {
  publish: (name, payload) => {
    if (name === 'observation.applied') onApplied((payload as { turnId: string }).turnId);
    if (name === 'observation.failed') throw new Error('A turn of the bench failed.');
  },
};

const app = await NestFactory.createApplicationContext(
  MemoryModule.forRoot({
    storage: postgres({ url }),
    // Upkeep comes when it is called.
    retention: { upkeepIntervalMs: 0 },
    queue: timedQueue(),
    embedder: new InstantEmbedder(DIMENSIONS),
    completion: new InstantModel(),
    events,
    recall: { touch: false },
  }),
  { logger: ['error', 'warn'] },
);
app.enableShutdownHooks();
const memories = app.get(MemoryService);
const say = (number: number, names: readonly string[]) => [{ role: 'user' as const, content: sentence(number, names) }];

async function handIn({ tenantId, scopes, turns }: Task & { what: 'hand-in' }): Promise<void> {
  onApplied = () => tell({ what: 'applied' });
  const cpu = process.cpuUsage();
  clock.waited = 0;
  clock.statements = 0;
  const waiting = scopes.flatMap((scope) => Array.from({ length: turns }, (_, number) => ({ scope, number })));
  // Scope after scope would leave one worker with one scope at a time.
  waiting.sort((one, other) => one.number - other.number);
  await Promise.all(
    Array.from({ length: HANDING_IN }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { scope, number } = next;
        await memories.for({ tenantId, scope }).observeLater(say(number, NAMES), { turnId: `${scope} ${number}` });
      }
    }),
  );
  process.once('message', () => {
    const { user, system } = process.cpuUsage(cpu);
    tell({
      what: 'usage',
      cpuMs: (user + system) / 1_000,
      inPostgresMs: clock.waited,
      statements: clock.statements,
    });
  });
  tell({ what: 'handed-in' });
}

async function oneByOne({ tenantId, turns }: Task & { what: 'one-by-one' }): Promise<void> {
  const times: TurnTimes[] = [];
  for (let number = 0; number < turns + WARMING; number += 1) {
    const turnId = `turn ${number}`;
    const memory = memories.for({ tenantId, scope: `user:${number % SMALL}` });
    const applied = new Promise<void>((resolve) => {
      onApplied = (ended) => {
        if (ended === turnId) resolve();
      };
    });
    const [waited, statements, since] = [clock.waited, clock.statements, performance.now()];
    await memory.observeLater(say(number, NAMES), { turnId });
    await applied;
    const whole = performance.now() - since;
    times.push({
      whole,
      queued: timed?.took.get(turnId) ?? 0,
      inPostgres: clock.waited - waited,
      statements: clock.statements - statements,
    });
    // What the worker looks for behind the turn is not this one's, nor the next one's.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  tell({ what: 'times', times: times.slice(WARMING) });
}

async function grow({ tenantId, memories: size, turns }: Task & { what: 'growth' }): Promise<void> {
  const large = memories.for({ tenantId, scope: 'large' });
  const indexed = memories.for({ tenantId, scope: 'indexed' });
  const many = Array.from({ length: size }, (_, number) => ({ content: sentence(number, NAMES) }));
  await indexed.addMany(many);
  const { indexed: made } = await memories.upkeep();
  if (made !== 1) throw new Error(`Upkeep gave ${made} scopes an index of their own, not the one.`);
  // After it: this one shall have none.
  await large.addMany(many);
  // As autovacuum does within a minute: until then the planner knows the scopes of before alone.
  const sql = new Client(url);
  await sql.connect();
  await sql.query('ANALYZE engram.memories');
  await sql.end();
  const cost = { small: [] as number[], large: [] as number[], indexed: [] as number[] };
  const turn = async (memory: ScopedMemory, number: number): Promise<number> => {
    const since = performance.now();
    const { status } = await memory.observe(say(number * 37, LATER_NAMES), { turnId: randomUUID() });
    if (status !== 'applied') throw new Error(`A turn of the bench ended ${status}.`);
    return performance.now() - since;
  };
  for (let number = 0; number < turns + WARMING; number += 1) {
    const small = memories.for({ tenantId, scope: `small:${Math.floor(number / SMALL)}` });
    const times = {
      small: await turn(small, number),
      large: await turn(large, number),
      indexed: await turn(indexed, number),
    };
    await nextTick();
    if (number < WARMING) continue;
    cost.small.push(times.small);
    cost.large.push(times.large);
    cost.indexed.push(times.indexed);
  }
  tell({ what: 'grown', ...cost });
}

process.once('message', (task: Task) => {
  if (task.what === 'hand-in') void handIn(task);
  else if (task.what === 'one-by-one') void oneByOne(task);
  else void grow(task);
});
process.on('disconnect', () => process.exit());
tell({ what: 'ready' });
