import { createHash } from 'node:crypto';

/** A connection of `pg` as TypeORM's query runner lends it. Structural: the driver is the host's. */
export interface PreparingConnection {
  /** Of the server process that answered the connect, so it said. */
  readonly processID?: unknown;
  query(statement: { name?: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

const names = new Map<string, string>();
const direct = new WeakMap<PreparingConnection, boolean>();

/** One name a text: schemas differ from store to store, and pg refuses one name for two texts. */
export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known) return known;
  const name = `engram_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
  names.set(sql, name);
  return name;
}

/**
 * Whether the connection is to a server process of its own, for as long as it is open. A pooler in between (PgBouncer, for
 * one) has told the client a process id of its own making, and may send the next statement to a process that never saw
 * what was prepared. Asked once a connection.
 */
export async function canPrepare(connection: PreparingConnection): Promise<boolean> {
  const known = direct.get(connection);
  if (known !== undefined) return known;
  const { rows } = await connection.query({ text: 'SELECT pg_backend_pid() AS pid', values: [] });
  const own = (rows[0] as { pid: unknown } | undefined)?.pid === connection.processID;
  direct.set(connection, own);
  return own;
}

/** For a connection whose prepared statements somebody else took away (`DISCARD ALL`): pg would not notice. */
export function prepareNoMore(connection: PreparingConnection): void {
  direct.set(connection, false);
}
