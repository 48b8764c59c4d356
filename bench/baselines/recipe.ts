import { Pool } from 'pg';
import { LIMIT, MAX_DISTANCE } from './contestant.js';
import type { Contestant } from './contestant.js';

const userOf = (scope: number): string => `user-${scope}`;

/** (a) What tutorials build: `vector(1536)`, HNSW, an index on the user, threshold and order each writing the distance. */
export async function recipe(url: string, dimensions: number, source: string): Promise<Contestant> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`
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
  return {
    name: '(a) recipe schema',
    async recall(scope, { vector }) {
      const { rows } = await pool.query(
        `SELECT id, content, metadata, created_at, 1 - (embedding <=> $1) AS similarity
         FROM recipe.memories
         WHERE user_id = $2 AND 1 - (embedding <=> $1) >= $3
         ORDER BY embedding <=> $1
         LIMIT $4`,
        [JSON.stringify(vector), userOf(scope), 1 - MAX_DISTANCE, LIMIT],
      );
      return rows.length;
    },
    close: () => pool.end(),
  };
}
