import { Client, Pool } from 'pg';
import { LIMIT } from './contestant.js';
import type { Contestant } from './contestant.js';

const userOf = (scope: number): string => `user-${scope}`;

/** The table of (a): `vector(1536)`, HNSW, an index on the user. */
export async function fillRecipe(url: string, dimensions: number, source: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(`
    CREATE SCHEMA recipe;
    CREATE TABLE recipe.memories (
      id uuid PRIMARY KEY, user_id text NOT NULL, content text NOT NULL, metadata jsonb,
      embedding vector(${dimensions}), created_at timestamptz NOT NULL DEFAULT now());
    INSERT INTO recipe.memories (id, user_id, content, metadata, embedding)
    SELECT id, 'user-' || number, content, metadata, embedding::vector(${dimensions}) FROM ${source};
    CREATE INDEX ON recipe.memories (user_id);
    SET maintenance_work_mem = '1GB';
    CREATE INDEX ON recipe.memories USING hnsw (embedding vector_cosine_ops);
    RESET maintenance_work_mem;`);
  await client.end();
}

/** (a) What tutorials build, threshold and order each writing the distance. */
export function recipe(url: string, maxDistance: number): Contestant {
  const pool = new Pool({ connectionString: url, max: 1 });
  return {
    name: '(a) recipe schema',
    async recall(scope, { vector }) {
      const { rows } = await pool.query(
        `SELECT id, content, metadata, created_at, 1 - (embedding <=> $1) AS similarity
         FROM recipe.memories
         WHERE user_id = $2 AND 1 - (embedding <=> $1) >= $3
         ORDER BY embedding <=> $1
         LIMIT $4`,
        [JSON.stringify(vector), userOf(scope), 1 - maxDistance, LIMIT],
      );
      return rows.length;
    },
    close: () => pool.end(),
  };
}
