import type { Session } from '../session.js';

/** Names of the usable indexes of single scopes. Reads the catalog only. */
export async function listScopeIndexes(session: Session): Promise<string[]> {
  return (await findScopePredicates(session)).flatMap(({ name, usable }) => (usable ? [name] : []));
}

/**
 * Names of those that no memory is in any more, usable or not: the scope is gone, or its vectors are of another space by
 * now. They cost every write and serve no read.
 */
export async function listEmptyScopeIndexes(session: Session): Promise<string[]> {
  const empty: string[] = [];
  for (const { name, predicate } of await findScopePredicates(session)) {
    // As the catalog has it, and so as Postgres wrote it: the scope stands in it, but in no column of its own.
    const [row] = await session.rows<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM ${session.names.schema}.memories WHERE ${predicate}) AS found`,
      [],
    );
    if (row?.found === false) empty.push(name);
  }
  return empty;
}

interface ScopePredicate {
  readonly name: string;
  /** False for what an interrupted build or drop left. */
  readonly usable: boolean;
  readonly predicate: string;
}

async function findScopePredicates(session: Session): Promise<ScopePredicate[]> {
  return session.rows<ScopePredicate>(
    `SELECT c.relname::text AS name, i.indisvalid AS usable, pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS predicate
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
     WHERE c.relnamespace = $1::text::pg_catalog.regnamespace AND i.indpred IS NOT NULL
       AND (c.relname ^@ 'memories_near_' OR c.relname ^@ 'memories_words_')`,
    [session.names.schema],
  );
}
