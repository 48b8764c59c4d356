import type { Session } from '../session.js';

/** Whether this connection's database has our tables, and its role may read them. By the catalog, because a table that is missing ends a transaction. */
export async function reachesTables(session: Session, schema: string): Promise<boolean> {
  const [row] = await session.rows<{ reached: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relname = 'memories'
         AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
     ) AS reached`,
    [schema],
  );
  return row?.reached === true;
}
