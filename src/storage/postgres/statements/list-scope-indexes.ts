import type { Session } from '../session.js';

/** Names of the usable indexes of single scopes. Reads the catalog only. */
export async function listScopeIndexes(session: Session): Promise<string[]> {
  const rows = await session.rows<{ name: string }>(
    `SELECT c.relname::text AS name
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
     WHERE c.relnamespace = $1::text::pg_catalog.regnamespace AND i.indisvalid
       AND (c.relname ^@ 'memories_near_' OR c.relname ^@ 'memories_words_')`,
    [session.names.schema],
  );
  return rows.map(({ name }) => name);
}
