import type { Session } from '../session.js';

/** Names of the usable indexes of single scopes. Reads the catalog only. */
export async function listNearIndexes(session: Session): Promise<string[]> {
  const rows = await session.rows<{ name: string }>(
    `SELECT c.relname::text AS name
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
     WHERE c.relnamespace = $1::text::pg_catalog.regnamespace AND c.relname ^@ 'memories_near_' AND i.indisvalid`,
    [session.names.schema],
  );
  return rows.map(({ name }) => name);
}
