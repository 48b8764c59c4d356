import type { Session } from '../session.js';

/** Settings by name; those of `nestjs-engram` are `engram.tenant_id` and `engram.scope`. */
export type LocalSettings = Readonly<Record<string, string>>;

/** Settings that end with the transaction, in one round trip, and bound: a scope's name is the caller's text. */
export function setLocal(session: Session, settings: LocalSettings): Promise<void> {
  return set(session, settings, true);
}

/** The same for the connection's next statements, until they are reset. */
export function setForSession(session: Session, settings: LocalSettings): Promise<void> {
  return set(session, settings, false);
}

async function set(session: Session, settings: LocalSettings, isLocal: boolean): Promise<void> {
  await session.run(
    `SELECT pg_catalog.set_config(s.name, s.value, $3::boolean)
     FROM unnest($1::text[], $2::text[]) AS s (name, value)`,
    [Object.keys(settings), Object.values(settings), isLocal],
  );
}
