import type { Scope } from '../../../model/scope.js';
import type { RecallQuery } from '../../memory-store.js';
import { halfVectorBytes } from '../half-vector.js';
import { SHOWN_COLUMNS } from '../memory-row.js';
import type { RecalledRow } from '../recall-row.js';
import type { Session } from '../session.js';
import type { SqlNames } from '../sql-names.js';
import { statesAt } from '../states-at.js';
import { ANY_ID } from './any-id.js';
import { isByVectorAlone, recallByVector } from './recall-by-vector.js';
import { wantedRows } from './wanted-rows.js';

/** What is compared in place of the whole scope. */
export type Compared =
  /** What an index found, and unless it is to stay `alone` what has one of the query's words; the scope's size is that of its counter. */
  | { readonly ids: readonly string[]; readonly alone: boolean }
  /** So many of the nearest by distance, from a first pass over the scope, and what has no distance. */
  | { readonly pool: number };

/**
 * Both legs, the filter, the threshold and the order in one statement, so that nothing is filtered after a cut.
 *
 * `live`: the scope's rows by the b-tree on its key, compared one by one (MATERIALIZED keeps the planner from any
 * nearest-neighbour index, and the order of the key keeps it in the order of the table, see `recallByVector`), each
 * distance computed once and rounded to six places: float16 leaves about four, and equal text shall be at 0. `terms`: the query's distinct words as one-word queries, quoted and not parsed; `hits`: which of
 * them a row has, null for none: most rows have none, and all words as one query tell them apart. `weights`: idf as BM25
 * has it, ln(1 + (N - df + 0.5) / (df + 0.5)), over all live rows of the scope, so that a filter does not change what a
 * word is worth. Coverage is the idf of the words a row has over the idf of all words: absolute, never divided by the best
 * hit, else any question finds something.
 *
 * `relevance` is what the legs say, and what is let in is judged by it alone; `prior` is what importance and age add to
 * the order. An age counts up to a hundred half-lives: beyond, it is nothing in float8, and an error of underflow.
 *
 * The switch is asked in the same statement (once, not for each row): an answer never outlives a switch-off.
 *
 * Arrays instead of joins, and OFFSET 0 at the end, because the planner has no statistics on a scope of its own: it
 * takes every part for one row and would compare each row of the scope with each.
 *
 * @param at moment by which an expiry counts; null is now
 * @param compared absent: all of the scope
 */
export async function recallMemories(
  session: Session,
  { tenantId, scope }: Scope,
  query: RecallQuery,
  at: Date | null,
  compared?: Compared,
): Promise<RecalledRow[]> {
  if (!compared && isByVectorAlone(query)) return recallByVector(session, { tenantId, scope }, query, at);
  const { names } = session;
  const { schema, extension } = names;
  const byIndex = compared && 'ids' in compared ? compared : undefined;
  const states = query.asOf ? statesAt(names, '$14') : `${schema}.memories`;
  const vector = query.mode === 'keyword' ? null : query.vector;
  const parameters: unknown[] = [
    tenantId,
    scope,
    vector?.space ?? null,
    vector && halfVectorBytes(vector),
    query.mode === 'vector' ? '' : query.searchText,
    session.language,
    query.kinds && query.kinds.length > 0 ? query.kinds : null,
    query.metadata && Object.keys(query.metadata).length > 0 ? JSON.stringify(query.metadata) : null,
    query.denseWeight,
    query.maxDistance,
    query.minCoverage,
    query.minScore,
    query.limit,
    query.asOf ?? at,
    query.prior?.importanceWeight ?? 0,
    query.prior?.recencyWeight ?? 0,
    query.prior?.halfLifeDays ?? 1,
  ];
  return session.rows<RecalledRow>(
    `WITH terms AS MATERIALIZED (
       SELECT row_number() OVER ()::int AS n,
              ('''' || replace(replace(t.lexeme, E'\\\\', E'\\\\\\\\'), '''', '''''') || '''')::tsquery AS term
       FROM unnest(to_tsvector($6::regconfig, $5::text)) AS t
     ), live AS MATERIALIZED (
       SELECT m.id, m.created_at, wanted.eligible,
              CASE WHEN wanted.eligible AND m.space = $3::text
                THEN round((m.embedding OPERATOR(${extension}.<=>) $4::${extension}.halfvec) * 1e6) / 1e6
              END AS distance,
              CASE WHEN m.search @@ (SELECT string_agg(t.term::text, ' | ')::tsquery FROM terms t)
                THEN ARRAY(SELECT t.n FROM terms t WHERE m.search @@ t.term)
              END AS hits,
              $15::float8 * m.importance + CASE WHEN $16::float8 > 0
                THEN $16::float8 * power(0.5::float8, least(100, greatest(0,
                  extract(epoch FROM coalesce($14::timestamptz, statement_timestamp()) - m.valid_from)::float8
                    / ($17::float8 * 86400))))
                ELSE 0 END AS prior
       FROM ${compared ? `(${comparedRows(names, query, compared, parameters)})` : states} m
       CROSS JOIN LATERAL (
         SELECT ($7::text[] IS NULL OR m.kind = ANY($7)) AND ($8::jsonb IS NULL OR m.metadata @> $8) AS eligible
       ) AS wanted
       WHERE m.tenant_id = $1 AND m.scope = $2
         AND (m.expires_at IS NULL OR m.expires_at > coalesce($14::timestamptz, statement_timestamp()))
         AND NOT EXISTS (
           SELECT FROM ${schema}.memory_scopes s WHERE s.tenant_id = $1 AND s.scope = $2 AND NOT s.enabled)
       ${compared || query.asOf ? '' : `AND ${ANY_ID} ORDER BY m.tenant_id, m.scope, m.id`}
     ), frequencies AS MATERIALIZED (
       SELECT h.n, count(*) AS df FROM live l CROSS JOIN LATERAL unnest(l.hits) AS h (n)
       WHERE l.hits IS NOT NULL
       GROUP BY h.n
     ), weights AS MATERIALIZED (
       SELECT array_agg(w.idf ORDER BY w.n) AS idf, sum(w.idf) AS whole
       FROM (
         SELECT t.n, ln(1 + (d.docs - coalesce(f.df, 0) + 0.5::float8) / (coalesce(f.df, 0) + 0.5::float8)) AS idf
         FROM terms t
         LEFT JOIN frequencies f USING (n)
         CROSS JOIN (SELECT ${byIndex ? docsByCounter(schema) : 'count(*)'} AS docs FROM live) AS d
       ) AS w
     ), scored AS (
       SELECT c.*, r.relevance,
              greatest(0, least(1, (1 - $15::float8 - $16::float8) * r.relevance + c.prior)) AS score
       FROM (
         SELECT l.id, l.created_at, l.distance, l.prior,
                CASE WHEN l.hits IS NULL THEN 0 * w.whole
                  ELSE round((SELECT sum(w.idf[h.n]) FROM unnest(l.hits) AS h (n)) / w.whole * 1e6) / 1e6
                END AS coverage
         FROM live l CROSS JOIN weights w
         WHERE l.eligible AND ($3::text IS NOT NULL OR w.whole IS NOT NULL)
         OFFSET 0
       ) AS c
       CROSS JOIN LATERAL (SELECT coalesce(greatest(0, 1 - c.distance), 0) AS closeness) AS s
       CROSS JOIN LATERAL (
         SELECT CASE
                  WHEN $3::text IS NULL THEN c.coverage
                  WHEN c.coverage IS NULL THEN s.closeness
                  ELSE $9::float8 * s.closeness + (1 - $9::float8) * c.coverage
                END AS relevance
       ) AS r
       OFFSET 0
     ), entered AS MATERIALIZED (
       SELECT id, created_at, distance, coverage, score,
              CASE WHEN distance IS NOT NULL
                THEN row_number() OVER (ORDER BY distance, created_at DESC, id) END AS vector_rank,
              CASE WHEN coverage > 0
                THEN row_number() OVER (ORDER BY coverage DESC NULLS LAST, created_at DESC, id) END AS keyword_rank
       FROM scored
       WHERE distance <= $10::float8 OR coverage >= $11::float8
          OR (relevance >= $12::float8 AND distance IS NOT NULL AND coverage IS NOT NULL)
          OR ($10::float8 IS NULL AND $11::float8 IS NULL AND $12::float8 IS NULL)
       ORDER BY score DESC, created_at DESC, id
       LIMIT $13::bigint
     )
     SELECT ${SHOWN_COLUMNS}, a.last_accessed_at, a.access_count, e.score, e.distance, e.coverage, e.vector_rank, e.keyword_rank
     FROM entered e
     CROSS JOIN LATERAL (
       SELECT * FROM ${states} r WHERE r.tenant_id = $1 AND r.scope = $2 AND r.id = e.id OFFSET 0
     ) AS m
     LEFT JOIN LATERAL (
       SELECT x.last_accessed_at, x.access_count
       FROM ${schema}.memory_access x WHERE x.tenant_id = $1 AND x.scope = $2 AND x.memory_id = e.id
       OFFSET 0
     ) AS a ON true
     ORDER BY e.score DESC, e.created_at DESC, e.id`,
    parameters,
    // With the index of words in play the plan depends on the values: one that was kept would miss the index.
    { prepared: !query.asOf && (!byIndex || byIndex.alone) },
  );
}

/** What is compared, as a table to read in place of `memories`; its values are added to the parameters. */
function comparedRows(names: SqlNames, query: RecallQuery, compared: Compared, parameters: unknown[]): string {
  const { schema } = names;
  if ('pool' in compared) {
    const pool = `$${parameters.push(compared.pool)}::bigint`;
    return withIds(schema, `ARRAY(${nearestByPass(names, query, pool, parameters)})`);
  }
  const ids = `$${parameters.push(compared.ids)}::uuid[]`;
  const near = withIds(schema, ids);
  return compared.alone
    ? near
    : `${near}
       UNION ALL
       SELECT w.* FROM ${schema}.memories w
       WHERE w.tenant_id = $1 AND w.scope = $2 AND w.id <> ALL(${ids})
         AND w.search @@ (SELECT string_agg(t.term::text, ' | ')::tsquery FROM terms t)`;
}

const withIds = (schema: string, ids: string): string => `
       SELECT n.* FROM ${schema}.memories n
       WHERE n.tenant_id = $1 AND n.scope = $2 AND n.id = ANY(${ids})`;

/** Ids by distance alone, with as little as can be to do for each row of the scope, as in `recallByVector`. */
const nearestByPass = (
  { schema, extension }: SqlNames,
  query: RecallQuery,
  pool: string,
  parameters: unknown[],
): string => `
         WITH pass AS MATERIALIZED (
           SELECT m.id, CASE WHEN m.space = $3 THEN m.embedding OPERATOR(${extension}.<=>) $4::${extension}.halfvec END AS distance
           FROM ${schema}.memories m
           WHERE m.tenant_id = $1 AND m.scope = $2 AND ${ANY_ID}
             AND (m.expires_at IS NULL OR m.expires_at > coalesce($14::timestamptz, statement_timestamp()))
             ${wantedRows(query, parameters)}
           ORDER BY m.tenant_id, m.scope, m.id
         )
         (SELECT p.id FROM pass p WHERE p.distance IS NOT NULL ORDER BY p.distance LIMIT ${pool})
         UNION ALL
         SELECT p.id FROM pass p WHERE p.distance IS NULL`;

/** A counter is a hint: never less than what was seen. */
const docsByCounter = (schema: string): string =>
  `greatest(count(*), (SELECT s.docs FROM ${schema}.memory_scopes s WHERE s.tenant_id = $1 AND s.scope = $2))`;
