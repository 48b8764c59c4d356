import { setTimeout as sleep } from 'node:timers/promises';
import { createBenchDatabase } from './bench-database.js';
import { BenchProcess } from './bench-process.js';
import { measurement } from './bench.js';
import type { Bench, Figure } from './bench.js';
import type { FromClients, FromServer, ToClients, ToServer, Usage } from './subscription-messages.js';

const SOCKETS = 2_000;
/** Two sockets of each, as of somebody with two tabs. */
const SUBJECTS = 1_000;
const EVENTS = 2_000;
const A_SECOND = 100;
/** Long enough for what is on its way, and for what would come to the wrong one. */
const SETTLING_MS = 3_000;

type Server = BenchProcess<ToServer, FromServer>;
type Clients = BenchProcess<ToClients, FromClients>;

async function usageOf(server: Server): Promise<Usage> {
  server.send({ what: 'usage' });
  return server.hear('usage');
}

async function allSubscribed(server: Server): Promise<Usage> {
  for (;;) {
    const usage = await usageOf(server);
    if (usage.subscriptions === SOCKETS) return usage;
    await sleep(200);
  }
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

function exactly(what: string, measured: number, expected: number): Figure {
  return { what, mustReach: `${expected}`, measured: `${measured}`, reached: measured === expected };
}

export const subscriptions: Bench = {
  name: 'subscriptions',
  question: `How soon do events reach ${SOCKETS} open subscriptions of one process, and do all of them, and nobody else?`,

  async run(progress) {
    const database = await createBenchDatabase();
    const server: Server = new BenchProcess(
      'subscription-server.ts',
      { databaseUrl: database.url, subjects: SUBJECTS },
      ['--expose-gc'],
    );
    let clients: Clients | null = null;
    try {
      const { url } = await server.hear('ready');
      const idle = await usageOf(server);
      clients = new BenchProcess('subscription-clients.ts', { url, sockets: SOCKETS, subjects: SUBJECTS });
      await clients.hear('subscribed');
      const open = await allSubscribed(server);
      progress(`opened ${SOCKETS} subscriptions`);

      server.send({ what: 'remember', events: EVENTS, aSecond: A_SECOND });
      const { events: sent } = await server.hear('remembered');
      await sleep(SETTLING_MS);
      clients.send({ what: 'received' });
      const { events: received } = await clients.hear('received');
      const after = await usageOf(server);
      progress(`delivered ${received.length} events`);

      const published = new Map(sent.map((event) => [event.memoryId, event]));
      const right = received.filter(
        ({ memoryId, scope, subject }) =>
          scope === `user:${subject}` && published.get(memoryId)?.scope === `user:${subject}`,
      );
      const once = new Set(right.map(({ socket, memoryId }) => `${socket} ${memoryId}`));
      return {
        setting: {
          subscriptions: `${SOCKETS}, of ${SUBJECTS} subjects, a web socket each`,
          events: `${EVENTS} memories added, ${A_SECOND} a second, each to ${SOCKETS / SUBJECTS} subscribers`,
          server: database.server,
        },
        measurements: [
          measurement(
            'published to received',
            right.map(({ memoryId, at }) => at - (published.get(memoryId)?.at ?? Number.NaN)),
          ),
        ],
        tables: [
          [
            { 'server process': 'idle', ...sizes(idle) },
            { 'server process': `${SOCKETS} subscriptions`, ...sizes(open) },
            { 'server process': `after ${EVENTS} events`, ...sizes(after) },
          ],
          [
            {
              'heap of a subscription': `${((open.heapBytes - idle.heapBytes) / SOCKETS / 1_024).toFixed(1)} KiB`,
              'resident memory of a subscription': `${((open.residentBytes - idle.residentBytes) / SOCKETS / 1_024).toFixed(1)} KiB`,
              'processor ms an event, with its add': ((after.cpuMs - open.cpuMs) / EVENTS).toFixed(2),
            },
          ],
        ],
        figures: [
          exactly('events that came to somebody they are not of', received.length - right.length, 0),
          exactly('events that came to those they are of, once each', once.size, (EVENTS * SOCKETS) / SUBJECTS),
          exactly('events that came twice', right.length - once.size, 0),
          exactly('subscriptions open at the end', after.subscriptions, SOCKETS),
        ],
      };
    } finally {
      await clients?.stop();
      await server.stop();
      await database.drop();
    }
  },
};

function sizes({ subscriptions: count, heapBytes, residentBytes }: Usage): object {
  return { subscriptions: count, heap: megabytes(heapBytes), resident: megabytes(residentBytes) };
}
