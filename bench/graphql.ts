import { BenchProcess } from './bench-process.js';
import { measurement, ratio, timed } from './bench.js';
import type { Bench, Measurement } from './bench.js';
import { openGraphQLHost } from './graphql-host.js';
import type { GraphQLHost } from './graphql-host.js';
import type { Load, LoadTimes } from './http-load.js';
import { openLaboratory, scopeName } from './laboratory.js';
import type { Laboratory } from './laboratory.js';

const SCOPES_ASKED = 10;
const ROUNDS = 10;
/** Rounds before any is measured: a server that has run for a minute has compiled what it runs. */
const WARMING = 8;
const AT_ONCE = [1, 16];
const FIELDS = 'score memory { id content }';

/** One way to the same memories. */
interface Way {
  readonly name: string;
  run(atOnce: number, asked: readonly Asked[]): Promise<LoadTimes>;
}

interface Asked {
  readonly subject: string;
  readonly query: string;
}

function overHttp(
  name: string,
  send: (load: Load) => Promise<LoadTimes>,
  url: string,
  body: (query: string) => object,
): Way {
  return {
    name,
    run: (connections, asked) =>
      send({ url, connections, posts: asked.map(({ subject, query }) => ({ subject, body: body(query) })) }),
  };
}

function inProcess(name: string, { memory }: GraphQLHost): Way {
  return {
    name,
    run: async (atOnce, asked) => {
      const waiting = asked.values();
      const times: number[] = [];
      const whole = await timed(() =>
        Promise.all(
          Array.from({ length: atOnce }, async () => {
            for (const { subject, query } of waiting) {
              times.push(await timed(() => memory(`user:${subject}`).recall(query)));
            }
          }),
        ),
      );
      return { what: 'answered', times, whole, bytes: 0 };
    },
  };
}

function questionsOf(laboratory: Laboratory): Asked[] {
  return laboratory.questions
    .slice(0, SCOPES_ASKED)
    .flatMap((questions, scope) => questions.map(({ text }) => ({ subject: `${scope}`, query: text })));
}

export const graphql: Bench = {
  name: 'graphql',
  question: 'What does a recall cost over GraphQL beside one in process, and what of it is the framework?',

  async run(progress) {
    const laboratory = await openLaboratory(progress);
    const asked = questionsOf(laboratory);
    const answer = await laboratory.memory(scopeName(0)).recall(asked[0]?.query ?? '');
    if (answer.length === 0) throw new Error('The first question recalled nothing: the figures would mean nothing.');
    const host = await openGraphQLHost(laboratory, answer);
    const client = new BenchProcess<Load, LoadTimes>('http-load.ts');
    const send = (load: Load): Promise<LoadTimes> => {
      client.send(load);
      return client.hear('answered');
    };
    try {
      const recall = inProcess('recall in process', host);
      const express = overHttp('recall by a bare Express handler', send, `${host.url}/recall`, (query) => ({ query }));
      const field = overHttp('recall over GraphQL', send, `${host.url}/graphql`, (query) => ({
        query: `query ($query: String!) { recall(query: $query) { ${FIELDS} } }`,
        variables: { query },
      }));
      const storedExpress = overHttp(
        'a stored answer by a bare Express handler',
        send,
        `${host.url}/stored`,
        () => ({}),
      );
      const storedField = overHttp('a stored answer over GraphQL', send, `${host.url}/graphql`, () => ({
        query: `{ stored { ${FIELDS} } }`,
      }));
      const ways = [recall, express, field, storedExpress, storedField];

      const measurements: Measurement[] = [];
      const rates: object[] = [];
      const medians = new Map<Way, number>();
      for (const atOnce of AT_ONCE) {
        const times = new Map(ways.map((way) => [way, { times: [] as number[], whole: 0, bytes: 0 }]));
        for (let round = -WARMING; round < ROUNDS; round += 1) {
          // Side by side, so that whatever else the machine does falls on all of them.
          for (const way of ways) {
            const took = await way.run(atOnce, [...asked, ...asked]);
            const sum = times.get(way);
            if (round < 0 || !sum) continue;
            sum.times.push(...took.times);
            sum.whole += took.whole;
            sum.bytes = took.bytes;
          }
        }
        for (const [way, { times: all, whole, bytes }] of times) {
          const measured = measurement(`${way.name}, ${atOnce} at once`, all);
          measurements.push(measured);
          rates.push({
            what: way.name,
            'at once': atOnce,
            'a second': Math.round((1_000 * all.length) / whole),
            'bytes of an answer': bytes,
          });
          if (atOnce === 1) medians.set(way, measured.median);
        }
        progress(`measured ${atOnce} at once`);
      }

      const median = (way: Way): number => medians.get(way) ?? Number.NaN;
      const share = (what: string, ms: number): object => ({
        what,
        ms: Math.round(ms * 100) / 100,
        share: `${((100 * ms) / median(field)).toFixed(0)}%`,
      });
      return {
        setting: {
          memories: 'scopes of 1,000, 1536 dimensions',
          server: laboratory.server,
          client: 'another process, keep-alive',
          'memories in an answer': answer.length,
        },
        measurements,
        tables: [
          rates,
          [
            share('the recall', median(recall)),
            share('HTTP and Express', median(express) - median(recall)),
            share(
              'Apollo, Nest and graphql-js, for a field without a recall',
              median(storedField) - median(storedExpress),
            ),
            share(
              'our guard and resolver, and what is left',
              median(field) - median(express) - median(storedField) + median(storedExpress),
            ),
          ],
        ],
        figures: [
          ratio('recall over GraphQL against in process, 1 at once', median(field), median(recall), { atMost: 1.6 }),
        ],
      };
    } finally {
      await client.stop();
      await host.close();
    }
  },
};
