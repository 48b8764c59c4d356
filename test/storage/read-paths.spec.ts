import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryService } from 'nestjs-engram';
import type { Memory, ScopedMemory } from 'nestjs-engram';
import { searchText } from '../../src/model/search-text.js';
import { MEMORY_STORE } from '../../src/memory.tokens.js';
import type { MemoryStore, RecallQuery } from '../../src/storage/memory-store.js';
import { graphqlApp } from '../graphql/graphql-app.js';
import type { GraphQLApp } from '../graphql/graphql-app.js';
import { decided, extracted } from '../memory/memory-app.js';

/** What may not be read, and what must be found beside it by the same question. */
const HIDDEN = 'Keeps bees on the roof';
const LIVE = 'Keeps goats on the roof';
const QUESTION = 'keeps bees roof';

interface Reader {
  readonly memory: ScopedMemory;
  readonly ask: ReturnType<GraphQLApp['as']>;
  readonly hidden: Memory;
}

// Real: Postgres (embedded or native), the module, GraphQL over HTTP. Faked: the models.
describe('every read of the present', () => {
  let host: GraphQLApp;
  let store: MemoryStore;
  let users = 0;

  beforeAll(async () => {
    host = await graphqlApp();
    store = host.app.get<MemoryStore>(MEMORY_STORE);
  });
  afterAll(() => host.close());

  const add = async (memory: ScopedMemory, content: string, options = {}): Promise<Memory> => {
    const added = await memory.add(content, options);
    if (!added.memory) throw new Error('The memory was rejected.');
    return added.memory;
  };

  /** How a text comes to be one that nobody may read any more. */
  const HIDDEN_BY: Readonly<Record<string, (memory: ScopedMemory) => Promise<Memory>>> = {
    deleted: async (memory) => {
      const hidden = await add(memory, HIDDEN);
      await memory.forget(hidden.id);
      return hidden;
    },
    superseded: async (memory) => {
      const hidden = await add(memory, HIDDEN);
      await memory.update(hidden.id, { content: 'Collects stamps' });
      return hidden;
    },
    'merged into another': async (memory) => {
      const [hidden, other] = [await add(memory, HIDDEN), await add(memory, 'Collects stamps')];
      await store.write(memory.scope, (writer) => writer.remove(hidden, { endedBy: 'merge', mergedInto: other.id }));
      return hidden;
    },
    expired: async (memory) => {
      const expiresAt = new Date(Date.now() + 500);
      const hidden = await add(memory, HIDDEN, { expiresAt });
      while (Date.now() <= expiresAt.getTime() + 20) await new Promise((resolve) => setTimeout(resolve, 10));
      return hidden;
    },
  };

  const byWords: RecallQuery = {
    searchText: searchText(QUESTION),
    vector: null,
    mode: 'keyword',
    limit: 1,
    denseWeight: 0.5,
    maxDistance: null,
    minCoverage: 0.1,
    minScore: null,
  };

  /** Each gives what it read as text; the limit, where there is one, has room for one memory. */
  const READS: Readonly<Record<string, (reader: Reader) => Promise<unknown>>> = {
    list: ({ memory }) => memory.list(),
    'list with search': ({ memory }) => memory.list({ search: 'roof', first: 1 }),
    'recall by words and meaning': ({ memory }) => memory.recall(QUESTION, { limit: 1 }),
    'recall by meaning': ({ memory }) => memory.recall(QUESTION, { limit: 1, mode: 'vector' }),
    'recall by words': ({ memory }) => memory.recall(QUESTION, { limit: 1, mode: 'keyword' }),
    'an export': async ({ memory }) => {
      const lines: string[] = [];
      for await (const line of memory.export()) lines.push(String(line));
      return lines.join('');
    },
    'a prompt block': ({ memory }) => memory.promptBlock(QUESTION, { limit: 1 }),
    'a prompt': ({ memory }) => memory.injectInto('Answer.', { query: QUESTION, limit: 1 }),
    'recall inside a transaction': ({ memory }) => store.write(memory.scope, (writer) => writer.recall(byWords)),
    'the neighbours of a candidate': async ({ memory }) => {
      host.completion.answer(extracted('Keeps llamas on the roof'), decided('noop', '1'));
      await memory.observe([{ role: 'user', content: 'I keep llamas on the roof.' }]);
      const asked = host.completion.requests.at(-1);
      expect(asked?.task).toBe('consolidate');
      return asked;
    },
    'memories over GraphQL': ({ ask }) => ask('{ memories { edges { node { content } } totalCount } }'),
    'memories over GraphQL with search': ({ ask }) =>
      ask('{ memories(search: "roof", first: 1) { edges { node { content } } } }'),
    'recall over GraphQL': ({ ask }) => ask(`{ recall(query: "${QUESTION}", limit: 1) { memory { content } } }`),
    'the prompt block over GraphQL': ({ ask }) => ask(`{ memoryPrompt(query: "${QUESTION}", limit: 1) }`),
  };

  /** Reads of that one memory: nothing comes back but, where it was superseded, its present text. */
  const READS_BY_ID: Readonly<Record<string, (reader: Reader) => Promise<unknown>>> = {
    get: ({ memory, hidden }) => memory.get(hidden.id),
    getMany: ({ memory, hidden }) => memory.getMany([hidden.id]),
    'memory over GraphQL': ({ ask, hidden }) => ask(`{ memory(id: "${hidden.id}") { content } }`),
    'find inside a transaction': ({ memory, hidden }) => store.write(memory.scope, (writer) => writer.find(hidden.id)),
  };

  describe.each(Object.keys(HIDDEN_BY))('leaves out what is %s:', (how) => {
    let reader: Reader;

    beforeAll(async () => {
      users += 1;
      const memory = host.app.get(MemoryService).for({ tenantId: 'acme', scope: `user:u${users}` });
      // First, so that everything that is newer stands before it; the others give its words their weight.
      await memory.addMany([LIVE, 'Paints portraits', 'Sings in a choir'].map((content) => ({ content })));
      const hidden = await HIDDEN_BY[how]?.(memory);
      if (!hidden) throw new Error(`Nothing is ${how}.`);
      reader = { memory, hidden, ask: host.as(`acme/u${users}`) };
    });

    it.each(Object.keys(READS))('%s, which finds what is left', async (read) => {
      const found = JSON.stringify(await READS[read]?.(reader));
      expect(found).toContain(LIVE);
      expect(found).not.toContain(HIDDEN);
    });

    it.each(Object.keys(READS_BY_ID))('%s', async (read) => {
      expect(JSON.stringify((await READS_BY_ID[read]?.(reader)) ?? null)).not.toContain(HIDDEN);
    });

    it('the counts', async () => {
      const { memory } = reader;
      expect((await store.stats(memory.scope, null)).total).toBe((await memory.list()).totalCount);
    });

    it('and the past still has it for whoever asks', async () => {
      const { memory, hidden } = reader;
      const asOf = hidden.updatedAt;
      expect(await memory.get(hidden.id, { asOf })).toEqual(hidden);
      expect(JSON.stringify(await memory.list({ asOf, search: 'bees' }))).toContain(HIDDEN);
      for (const mode of ['hybrid', 'vector', 'keyword'] as const) {
        expect(JSON.stringify(await memory.recall(QUESTION, { asOf, mode, limit: 1 }))).toContain(HIDDEN);
      }
    });
  });
});
