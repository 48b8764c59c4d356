import type { Session } from '../session.js';

/** What the advisory lock is known by: one for all that make and drop scope indexes in a schema. */
const KEY = `pg_catalog.hashtextextended('engram scope indexes in ' || $1::text, 0)`;

/**
 * Takes the turn to make or drop scope indexes, for as long as the connection keeps it. Asked for, not waited for: a
 * statement that waits has a snapshot, for whose end a concurrent build would wait in its turn, and Postgres would end
 * one of them as a deadlock. On the embedded database, one session for all, everybody gets it.
 */
export async function tryIndexTurn(session: Session): Promise<boolean> {
  const [row] = await session.rows<{ taken: boolean }>(`SELECT pg_catalog.pg_try_advisory_lock(${KEY}) AS taken`, [
    session.names.schema,
  ]);
  return row?.taken === true;
}

export async function endIndexTurn(session: Session): Promise<void> {
  await session.run(`SELECT pg_catalog.pg_advisory_unlock(${KEY})`, [session.names.schema]);
}
