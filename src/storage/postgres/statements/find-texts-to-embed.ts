import type { Scope } from '../../../model/scope.js';
import type { StoredText, TextPosition } from '../../memory-store.js';
import type { Session } from '../session.js';

/**
 * Texts by id, the latest state of each memory first, so that a revision that lends its vector from a later state comes
 * after that one. A revision without a vector of its own is left out where a later state has the same text: that state's
 * vector serves both.
 */
export async function findTextsToEmbed(
  session: Session,
  { tenantId, scope }: Scope,
  page: { space: string; staleOnly: boolean; after: TextPosition | null; limit: number },
): Promise<StoredText[]> {
  const { schema } = session.names;
  return session.rows<StoredText>(
    `SELECT memory_id AS "memoryId", version, ended, content, space
     FROM (
       (SELECT m.id AS memory_id, m.version, false AS ended, m.content, m.space
        FROM ${schema}.memories m
        WHERE m.tenant_id = $1 AND m.scope = $2 AND ($5::uuid IS NULL OR m.id > $5)
          AND (NOT $4::boolean OR m.space IS DISTINCT FROM $3)
        ORDER BY m.id
        LIMIT $7::bigint)
       UNION ALL
       (SELECT r.memory_id, r.version, true, r.content, r.space
        FROM ${schema}.memory_revisions r
        WHERE r.tenant_id = $1 AND r.scope = $2
          AND ($5::uuid IS NULL OR r.memory_id > $5 OR (r.memory_id = $5 AND r.version < $6::int))
          AND (NOT $4::boolean OR r.space IS DISTINCT FROM $3)
          AND (r.embedding IS NOT NULL OR NOT EXISTS (
            SELECT FROM ${schema}.memories p
            WHERE p.tenant_id = $1 AND p.scope = $2 AND p.id = r.memory_id AND p.content = r.content
          ) AND NOT EXISTS (
            SELECT FROM ${schema}.memory_revisions o
            WHERE o.tenant_id = $1 AND o.scope = $2 AND o.memory_id = r.memory_id AND o.version > r.version
              AND o.content = r.content))
        ORDER BY r.memory_id, r.version DESC
        LIMIT $7::bigint)
     ) AS texts
     ORDER BY memory_id, version DESC
     LIMIT $7::bigint`,
    [
      tenantId,
      scope,
      page.space,
      page.staleOnly,
      page.after?.memoryId ?? null,
      page.after?.version ?? null,
      page.limit,
    ],
  );
}
