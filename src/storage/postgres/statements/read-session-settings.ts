import type { DataSource } from 'typeorm';

export interface SessionSettings {
  /** Who connected: a role that is switched to later keeps these settings. */
  readonly role: string;
  readonly settings: Readonly<Record<string, string>>;
}

export async function readSessionSettings(dataSource: DataSource, names: readonly string[]): Promise<SessionSettings> {
  // Names as a JSON text: an array would be read by a setting that is asked for.
  const [row]: SessionSettings[] = await dataSource.query(
    `SELECT session_user::text AS role, pg_catalog.jsonb_object_agg(s.name, pg_catalog.current_setting(s.name)) AS settings
     FROM pg_catalog.jsonb_array_elements_text($1::jsonb) AS s (name)`,
    [JSON.stringify(names)],
  );
  return row ?? { role: '', settings: {} };
}
