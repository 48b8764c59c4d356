import type { Session } from '../session.js';

export interface FoundIndex {
  readonly name: string;
  /** False for what an interrupted build left. */
  readonly usable: boolean;
}

/** Indexes by name or by the start of it. Reads the catalog only. */
export async function findScopeIndexes(
  session: Session,
  names: readonly string[],
  prefix: string | null = null,
): Promise<FoundIndex[]> {
  return session.rows<FoundIndex>(
    `SELECT c.relname::text AS name, i.indisvalid AS usable
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
     WHERE c.relnamespace = $1::text::pg_catalog.regnamespace AND (c.relname = ANY($2::text[]) OR c.relname ^@ $3::text)
     ORDER BY c.relname`,
    [session.names.schema, names, prefix],
  );
}
