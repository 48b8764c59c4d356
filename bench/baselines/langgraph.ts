import { Client } from 'pg';
import { LIMIT } from './contestant.js';
import type { Contestant } from './contestant.js';
import { baselineModule } from './install.js';
import type { GivenVectors } from './given-vectors.js';

interface PostgresStore {
  setup(): Promise<void>;
  search(namespace: string[], options: object): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** Same number of digits for each: namespaces are matched by prefix, and `user-1` would read `user-10` too. */
const userOf = (scope: number): string => `user-${String(scope).padStart(3, '0')}`;

/**
 * (d) LangGraph's PostgresStore. Its tables are made by it and filled by SQL with the same vectors. Its HNSW index is not
 * built anew after that: its statement groups by key before it orders, so no plan of it can use the index.
 */
export async function langGraph(url: string, vectors: GivenVectors, source: string): Promise<Contestant> {
  const { PostgresStore } = await baselineModule<{ PostgresStore: new (config: object) => PostgresStore }>(
    '@langchain/langgraph-checkpoint-postgres/store',
  );
  const store = new PostgresStore({
    connectionOptions: url,
    schema: 'langgraph',
    index: { dims: vectors.dimensions, embed: vectors, fields: ['content'] },
  });
  await store.setup();
  const client = new Client(url);
  await client.connect();
  await client.query(`
    DROP INDEX langgraph.idx_store_vectors_embedding_cosine_hnsw;
    INSERT INTO langgraph.store (namespace_path, key, value)
    SELECT 'memories:user-' || lpad(number::text, 3, '0'), id::text, jsonb_build_object('content', content) FROM ${source};
    INSERT INTO langgraph.store_vectors (namespace_path, key, field_path, text_content, embedding)
    SELECT 'memories:user-' || lpad(number::text, 3, '0'), id::text, 'content', content,
           embedding::vector(${vectors.dimensions}) FROM ${source}`);
  await client.end();
  return {
    name: '(d) LangGraph PostgresStore',
    async recall(scope, { text }) {
      const found = await store.search(['memories', userOf(scope)], {
        query: text,
        limit: LIMIT,
      });
      return found.length;
    },
    close: () => store.stop(),
  };
}
