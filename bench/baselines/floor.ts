import { Pool } from 'pg';
import { halfVectorBytes } from '../../src/storage/postgres/half-vector.js';
import { LIMIT, MAX_DISTANCE } from './contestant.js';
import type { Contestant } from './contestant.js';

/**
 * (b) The fastest single statement that `pg` can run on our tables for the same answer: the same rows with the same
 * fields, none expired, the vector sent in binary.
 *
 * @param prepared parsed and planned once a connection; false is what is left behind a pooler that shares connections
 */
export function floor(
  url: string,
  { tenantId, scopeName, space }: { tenantId: string; scopeName: (scope: number) => string; space: string },
  prepared: boolean,
): Contestant {
  const pool = new Pool({ connectionString: url });
  const text = `
    SELECT m.*, a.last_accessed_at, a.access_count
    FROM (
      SELECT * FROM (
        SELECT id, content, kind, importance, metadata, source, version, created_at, valid_from, expires_at,
               embedding <=> $4::halfvec AS distance
        FROM engram.memories
        WHERE tenant_id = $1 AND scope = $2 AND space = $3 AND (expires_at IS NULL OR expires_at > now())
        ORDER BY tenant_id, scope, id
        OFFSET 0) AS n
      WHERE distance <= $5 ORDER BY distance LIMIT $6) AS m
    LEFT JOIN engram.memory_access a ON a.tenant_id = $1 AND a.scope = $2 AND a.memory_id = m.id
    ORDER BY distance`;
  return {
    name: prepared ? '(b) floor' : '(b) floor, unprepared',
    async recall(scope, { vector }) {
      const bytes = halfVectorBytes({ space, values: vector });
      const values = [tenantId, scopeName(scope), space, bytes, MAX_DISTANCE, LIMIT];
      const { rows } = await pool.query(prepared ? { name: 'floor', text, values } : { text, values });
      return rows.length;
    },
    close: () => pool.end(),
  };
}
