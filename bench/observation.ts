// @ts-expect-error -- plain JavaScript, it has no types
import { serviceUrls } from '../services/urls.mjs';
import { createBenchDatabase } from './bench-database.js';
import { BenchProcess } from './bench-process.js';
import { measurement, ratio } from './bench.js';
import type { Bench, Measurement } from './bench.js';
import { QUEUES } from './observation-messages.js';
import type { BenchQueue, BenchWorkerSetting, FromBenchWorker, Task } from './observation-messages.js';

const SCOPES = 40;
const TURNS_OF_A_SCOPE = 50;
const ONE_BY_ONE = 300;
const LARGE = 10_000;
const GROWN_TURNS = 200;

class BenchWorker extends BenchProcess<Task | 'usage', FromBenchWorker> {
  onApplied: () => void = () => undefined;

  constructor(setting: BenchWorkerSetting) {
    super('observation-worker.ts', setting);
  }

  protected override receive(message: FromBenchWorker): void {
    if (message.what === 'applied') this.onApplied();
    else super.receive(message);
  }
}

interface Throughput {
  readonly queue: BenchQueue;
  readonly workers: number;
  readonly 'turns a second': number;
  readonly 'processor ms a turn': number;
  readonly 'statements a turn': number;
}

/** Every worker hands in its share and works on what comes; measured until the last turn is applied. */
async function throughput(
  setting: { url: string; redisUrl: string; queue: BenchQueue },
  workers: number,
): Promise<Throughput> {
  const fleet = Array.from({ length: workers }, () => new BenchWorker(setting));
  try {
    for (const worker of fleet) await worker.hear('ready');
    const all = SCOPES * TURNS_OF_A_SCOPE;
    let left = all;
    const done = new Promise<void>((resolve) => {
      for (const worker of fleet) {
        worker.onApplied = () => {
          left -= 1;
          if (left === 0) resolve();
        };
      }
    });
    const since = performance.now();
    for (const [number, worker] of fleet.entries()) {
      const scopes = Array.from({ length: SCOPES / workers }, (_, place) => `user:${number}-${place}`);
      worker.send({ what: 'hand-in', tenantId: `${setting.queue}-${workers}`, scopes, turns: TURNS_OF_A_SCOPE });
    }
    await done;
    const seconds = (performance.now() - since) / 1_000;
    let cpuMs = 0;
    let statements = 0;
    for (const worker of fleet) {
      await worker.hear('handed-in');
      worker.send('usage');
      const usage = await worker.hear('usage');
      cpuMs += usage.cpuMs;
      statements += usage.statements;
    }
    return {
      queue: setting.queue,
      workers,
      'turns a second': Math.round(all / seconds),
      'processor ms a turn': rounded(cpuMs / all),
      'statements a turn': rounded(statements / all),
    };
  } finally {
    for (const worker of fleet) await worker.stop();
  }
}

interface Shares {
  readonly queue: BenchQueue;
  readonly 'ms a turn': number;
  readonly 'in the queue': string;
  readonly 'in Postgres': string;
  readonly 'in our code': string;
  readonly 'statements a turn': number;
}

/** One turn after the other, so that every millisecond belongs to one turn. */
async function shares(setting: {
  url: string;
  redisUrl: string;
  queue: BenchQueue;
}): Promise<{ row: Shares; whole: Measurement }> {
  const worker = new BenchWorker(setting);
  try {
    await worker.hear('ready');
    worker.send({ what: 'one-by-one', tenantId: `one-by-one-${setting.queue}`, turns: ONE_BY_ONE });
    const { times } = await worker.hear('times');
    const sum = (of: (time: (typeof times)[number]) => number): number => times.reduce((total, t) => total + of(t), 0);
    const [whole, queued, inPostgres] = [sum((t) => t.whole), sum((t) => t.queued), sum((t) => t.inPostgres)];
    const share = (part: number): string => `${((100 * part) / whole).toFixed(0)}%`;
    return {
      row: {
        queue: setting.queue,
        'ms a turn': rounded(whole / times.length),
        'in the queue': share(queued),
        'in Postgres': share(inPostgres),
        'in our code': share(whole - queued - inPostgres),
        'statements a turn': rounded(sum((t) => t.statements) / times.length),
      },
      whole: measurement(
        `turn alone, handed in to applied, ${setting.queue}`,
        times.map((t) => t.whole),
      ),
    };
  } finally {
    await worker.stop();
  }
}

async function growth(setting: {
  url: string;
  redisUrl: string;
}): Promise<{ small: Measurement; large: Measurement; indexed: Measurement }> {
  const worker = new BenchWorker({ ...setting, queue: 'in-process' });
  try {
    await worker.hear('ready');
    worker.send({ what: 'growth', tenantId: 'growth', memories: LARGE, turns: GROWN_TURNS });
    const { small, large, indexed } = await worker.hear('grown');
    return {
      small: measurement('observe in a scope of up to 20 memories', small),
      large: measurement(`observe in a scope of ${LARGE.toLocaleString('en')} memories`, large),
      indexed: measurement(
        `observe in a scope of ${LARGE.toLocaleString('en')} memories that upkeep has indexed`,
        indexed,
      ),
    };
  } finally {
    await worker.stop();
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

export const observation: Bench = {
  name: 'observation',
  question: 'How many turns a second are learned with a model that needs no time, and where does the time go?',

  async run(progress) {
    const { ENGRAM_TEST_REDIS_URL: redisUrl } = (serviceUrls as () => { ENGRAM_TEST_REDIS_URL?: string })();
    if (!redisUrl) throw new Error('This bench needs Redis too. Run npm run services:up first.');
    const database = await createBenchDatabase();
    try {
      const place = { url: database.url, redisUrl };
      const rates: Throughput[] = [];
      for (const queue of QUEUES) {
        for (const workers of [1, 2]) {
          rates.push(await throughput({ ...place, queue }, workers));
          progress(`measured ${queue} with ${workers === 1 ? 'one worker' : 'two workers'}`);
        }
      }
      const rows: Shares[] = [];
      const wholes: Measurement[] = [];
      for (const queue of QUEUES) {
        const { row, whole } = await shares({ ...place, queue });
        rows.push(row);
        wholes.push(whole);
      }
      progress('measured the shares');
      const { small, large, indexed } = await growth(place);
      return {
        setting: { turns: SCOPES * TURNS_OF_A_SCOPE, scopes: SCOPES, dimensions: 1536, server: database.server },
        tables: [rates, rows],
        measurements: [...wholes, small, large, indexed],
        figures: [
          ratio(
            'cost of a turn in a scope of 10,000 memories, which upkeep has indexed, against an empty one',
            indexed.median,
            small.median,
            { atMost: 1.5 },
          ),
          ratio('the same with indexScopesFrom: false', large.median, small.median),
        ],
      };
    } finally {
      await database.drop();
    }
  },
};
