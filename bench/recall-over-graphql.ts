import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { measurement, timed } from './bench.js';
import type { Bench } from './bench.js';
import { builtApp } from './built-app.js';
import { questions, thousandMemories } from './thousand-memories.js';

const ROUNDS = 8;
const BATCH = 100;
const QUERY = 'query ($query: String!) { recall(query: $query) { score memory { id content } } }';

export const recallOverGraphQL: Bench = {
  name: 'recall-over-graphql',
  question:
    'What does a recall cost over GraphQL, in process, and in the embedder alone, in a scope of 1,000 memories?',

  async run(progress) {
    const { AppModule, MemoryService, chooseAdapters, loopbackIdentity, readConfig } = await builtApp();
    const dataDir = await mkdtemp(join(tmpdir(), 'engram-bench-'));
    const adapters = await chooseAdapters(readConfig({ ...process.env, ENGRAM_DATA_DIR: dataDir }));
    const app = await NestFactory.create(AppModule.with(adapters, loopbackIdentity), { logger: ['error', 'warn'] });
    try {
      await app.listen(0, '127.0.0.1');
      const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
      const memory = app.get(MemoryService).for({ tenantId: 'demo', scope: 'user:demo' });

      const contents = thousandMemories();
      for (let start = 0; start < contents.length; start += BATCH) {
        await memory.addMany(contents.slice(start, start + BATCH).map((content) => ({ content })));
        progress(`stored ${start + BATCH} of ${contents.length} memories`);
      }

      const overGraphQL = async (query: string): Promise<number> => {
        const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: QUERY, variables: { query } }),
        });
        const { data } = (await response.json()) as { data?: { recall: unknown[] } };
        if (!data) throw new Error(`The recall over GraphQL answered ${response.status} without data.`);
        return data.recall.length;
      };

      // The first round compiles, connects and plans; it does not count.
      const times = { graphql: [] as number[], inProcess: [] as number[], embedder: [] as number[] };
      let found = 0;
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const query of questions()) {
          // Side by side, so that whatever else the machine does falls on all of them.
          const graphql = await timed(async () => (found += await overGraphQL(query)));
          const inProcess = await timed(() => memory.recall(query));
          const embedder = await timed(() => adapters.embedder.embedQuery(query));
          if (round === 0) continue;
          times.graphql.push(graphql);
          times.inProcess.push(inProcess);
          times.embedder.push(embedder);
        }
        progress(`measured round ${round} of ${ROUNDS}`);
      }
      if (found === 0) throw new Error('No question recalled anything: the figures would mean nothing.');
      return {
        setting: {
          memories: contents.length,
          questions: questions().length,
          rounds: ROUNDS,
          ...app.get(MemoryService).adapters(),
        },
        measurements: [
          measurement('recall over GraphQL', times.graphql),
          measurement('recall in process', times.inProcess),
          measurement('embedding the query', times.embedder),
        ],
      };
    } finally {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
