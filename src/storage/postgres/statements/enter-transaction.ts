import type { Session } from '../session.js';
import type { LocalSettings } from './set-local.js';

interface EnteredRow {
  readonly isolation: string;
  readonly transaction_id: string | null;
  readonly before: LocalSettings;
}

/**
 * Sets what ours need in a transaction of the host, and tells what was set before, to be put back. A setting that nobody
 * has set yet reads as an empty text from then on; there is no way to unset one.
 *
 * @param writes takes an id for the transaction, which a mere reader does without
 */
export async function enterTransaction(
  session: Session,
  settings: LocalSettings,
  { writes }: { writes: boolean },
): Promise<EnteredRow> {
  const [row] = await session.rows<EnteredRow>(
    `WITH before AS MATERIALIZED (
       SELECT s.name, s.value, coalesce(pg_catalog.current_setting(s.name, true), '') AS value_before
       FROM unnest($1::text[], $2::text[]) AS s (name, value)
     ), changed AS MATERIALIZED (
       SELECT b.name, b.value_before, pg_catalog.set_config(b.name, b.value, true) FROM before b
     )
     SELECT pg_catalog.current_setting('transaction_isolation') AS isolation,
            CASE WHEN $3::boolean THEN pg_catalog.pg_current_xact_id()::text END AS transaction_id,
            coalesce((SELECT pg_catalog.jsonb_object_agg(c.name, c.value_before) FROM changed c), '{}') AS before`,
    [Object.keys(settings), Object.values(settings), writes],
  );
  return row as EnteredRow;
}
