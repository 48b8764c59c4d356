import type { SqlNames } from './sql-names.js';

/**
 * A scope's states that held at a moment, as a table to read in place of `memories`: the present ones that held already,
 * and those that ended later. The expiry of that moment is the reader's to apply. A revision whose text went on has its
 * vector from the first later state of the same text; texts are compared, so no text ever meets another one's vector.
 *
 * @param moment the parameter that holds it, such as `$5`; `$1` and `$2` are tenant and scope
 */
export const statesAt = ({ schema }: SqlNames, moment: string): string => `(
       SELECT tenant_id, scope, id, content, content_hash, kind, importance, metadata, search, embedding, space, source,
              evidence_at, version, created_at, valid_from, expires_at
       FROM ${schema}.memories
       WHERE tenant_id = $1 AND scope = $2 AND valid_from <= ${moment}::timestamptz
       UNION ALL
       SELECT r.tenant_id, r.scope, r.memory_id, r.content, NULL::uuid, r.kind, r.importance, r.metadata, r.search,
              text.embedding, text.space, r.source, r.valid_from, r.version, r.created_at, r.valid_from, r.expires_at
       FROM ${schema}.memory_revisions r
       ${joinTextVector(schema)}
       WHERE r.tenant_id = $1 AND r.scope = $2 AND r.valid_from <= ${moment}::timestamptz AND r.valid_to > ${moment}::timestamptz
     )`;

/** The vector `text` of revision `r`, where any state from it on has kept one. */
export const joinTextVector = (schema: string): string => `LEFT JOIN LATERAL (
         SELECT embedding, space
         FROM (
           SELECT o.version, o.embedding, o.space
           FROM ${schema}.memory_revisions o
           WHERE o.tenant_id = $1 AND o.scope = $2 AND o.memory_id = r.memory_id AND o.version >= r.version
             AND o.content = r.content AND o.embedding IS NOT NULL
           UNION ALL
           SELECT p.version, p.embedding, p.space
           FROM ${schema}.memories p
           WHERE p.tenant_id = $1 AND p.scope = $2 AND p.id = r.memory_id
             AND p.content = r.content AND p.embedding IS NOT NULL
         ) AS later
         ORDER BY version
         LIMIT 1
       ) AS text ON true`;
