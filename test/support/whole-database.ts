import type { DataSource } from 'typeorm';

/**
 * Everything that the database holds, as text: each row of each table of every schema, the system's own with the samples
 * that ANALYZE keeps, and the statements that its sessions show. More than a dump has.
 */
export async function wholeDatabase(dataSource: DataSource): Promise<string> {
  const tables: { name: string }[] = await dataSource.query(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'm') AND NOT pg_catalog.pg_is_other_temp_schema(n.oid)`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows: { text: string }[] = await dataSource.query(`SELECT t::text AS text FROM ${name} AS t`);
    texts.push(name, ...rows.map(({ text }) => text));
  }
  const sessions: { query: string | null }[] = await dataSource.query(
    'SELECT query FROM pg_catalog.pg_stat_activity WHERE datname = current_database()',
  );
  return [...texts, ...sessions.map(({ query }) => query ?? '')].join('\n');
}
