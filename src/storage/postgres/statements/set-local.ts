import type { Session } from '../session.js';

/** Settings by name; those of `nestjs-engram` are `engram.tenant_id` and `engram.scope`. */
export type LocalSettings = Readonly<Record<string, string>>;

/** Settings that end with the transaction, in one round trip, and bound: a scope's name is the caller's text. */
export async function setLocal(session: Session, settings: LocalSettings): Promise<void> {
  await session.run(
    `SELECT pg_catalog.set_config(s.name, s.value, true)
     FROM unnest($1::text[], $2::text[]) AS s (name, value)`,
    [Object.keys(settings), Object.values(settings)],
  );
}
