import { Client } from 'pg';
import { LIMIT } from './contestant.js';
import type { Contestant } from './contestant.js';
import { baselineModule } from './install.js';
import type { GivenVectors } from './given-vectors.js';

interface Mem0 {
  readonly vectorStore: { close(): Promise<void> };
  readonly _entityStore?: { close(): Promise<void> };
  getAll(options: object): Promise<unknown>;
  search(query: string, options: object): Promise<{ results: unknown[] }>;
}

/**
 * (c) mem0ai's own `Memory` on its pgvector store, as its documentation sets it up; its index option is left at its
 * default. Its table is made by it and filled by SQL with the same vectors, in the payload that it writes itself.
 */
export async function mem0(url: string, vectors: GivenVectors, source: string): Promise<Contestant> {
  process.env['MEM0_TELEMETRY'] = 'false';
  const { Memory } = await baselineModule<{ Memory: new (config: object) => Mem0 }>('mem0ai/oss');
  const model = { invoke: () => Promise.resolve({ content: '{}' }), ...vectors };
  const memory = new Memory({
    embedder: { provider: 'langchain', config: { model } },
    llm: { provider: 'langchain', config: { model } },
    vectorStore: {
      provider: 'pgvector',
      config: {
        connectionString: url,
        collectionName: 'mem0_memories',
        embeddingModelDims: vectors.dimensions,
        dimension: vectors.dimensions,
      },
    },
    disableHistory: true,
  });
  await memory.getAll({ filters: { user_id: 'nobody' } });
  const client = new Client(url);
  await client.connect();
  await client.query(
    `INSERT INTO mem0_memories (id, vector, payload)
     SELECT id, embedding::vector(${vectors.dimensions}), jsonb_build_object(
       'data', content, 'hash', md5(content), 'user_id', 'user-' || number, 'createdAt', now(),
       'textLemmatized', lower(content))
     FROM ${source}`,
  );
  await client.end();
  return {
    name: '(c) mem0ai',
    async recall(scope, { text }) {
      const { results } = await memory.search(text, { filters: { user_id: `user-${scope}` }, topK: LIMIT });
      return results.length;
    },
    // It closes nothing itself, and a connection that the server ends would end the process.
    close: async () => {
      await memory.vectorStore.close();
      await memory._entityStore?.close();
    },
  };
}
