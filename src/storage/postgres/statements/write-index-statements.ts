import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';

/**
 * Two statements that index a scope, for its vectors and for its words. Written by the server, because a predicate
 * has no parameters and only the server's own quoting is safe under its settings. IF NOT EXISTS is for the embedded database
 * alone, where turns hold nobody back (see `tryIndexTurn`).
 */
export async function writeIndexStatements(
  session: Session,
  { tenantId, scope }: Scope,
  index: { space: string; leaf: string; near: string; words: string },
): Promise<string[]> {
  const { schema, extension } = session.names;
  const rows = await session.rows<{ near: string; words: string }>(
    `SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s.%I USING hnsw ((embedding::%s.halfvec(%s)) %s.halfvec_cosine_ops)'
                   ' WHERE tenant_id = %L AND scope = %L AND space = %L',
                   $6::text, $4::text, $8::text, $5::text, substring($3::text from '[0-9]+$')::int, $5,
                   $1::text, $2::text, $3) AS near,
            format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s.%I USING gin (search) WHERE tenant_id = %L AND scope = %L',
                   $7::text, $4, $8, $1, $2) AS words`,
    [tenantId, scope, index.space, schema, extension, index.near, index.words, index.leaf],
  );
  return rows.flatMap(({ near, words }) => [near, words]);
}
