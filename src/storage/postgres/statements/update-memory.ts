import type { Scope } from '../../../model/scope.js';
import type { MemoryChange } from '../../memory-store.js';
import { halfVectorLiteral } from '../half-vector.js';
import { MEMORY_COLUMNS, joinAccess } from '../memory-row.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';

export type UpdatedRow = MemoryRow & { readonly added_terms: number };

/** The row in its next version, or null where `version` is no longer the current one. A text and its vector change together. */
export async function updateMemory(
  session: Session,
  { tenantId, scope }: Scope,
  target: { id: string; version: number },
  change: MemoryChange,
  stamp: Date,
): Promise<UpdatedRow | null> {
  const { schema, extension } = session.names;
  const { text } = change;
  const [row] = await session.rows<UpdatedRow>(
    `WITH old AS MATERIALIZED (
       SELECT terms FROM ${schema}.memories WHERE tenant_id = $1 AND scope = $2 AND id = $3
     ), new AS MATERIALIZED (
       SELECT to_tsvector($6::regconfig, $10::text) AS search
     ), m AS (
       UPDATE ${schema}.memories AS o
       SET content = CASE WHEN $7::boolean THEN $8 ELSE o.content END,
           content_hash = CASE WHEN $7::boolean THEN $9::uuid ELSE o.content_hash END,
           search = CASE WHEN $7::boolean THEN new.search ELSE o.search END,
           terms = CASE WHEN $7::boolean THEN least(length(new.search), 32767) ELSE o.terms END,
           embedding = CASE WHEN $7::boolean THEN $11::text::${extension}.halfvec ELSE o.embedding END,
           space = CASE WHEN $7::boolean THEN $12::text ELSE o.space END,
           kind = coalesce($13, o.kind),
           importance = coalesce($14::real, o.importance),
           metadata = coalesce($15::jsonb, o.metadata),
           expires_at = CASE WHEN $16::boolean THEN $17::timestamptz ELSE o.expires_at END,
           evidence_at = coalesce($18::timestamptz, o.evidence_at),
           turn_id = CASE WHEN $19::boolean THEN $20::text ELSE o.turn_id END,
           message_no = CASE WHEN $21::boolean THEN $22::smallint ELSE o.message_no END,
           version = o.version + 1,
           valid_from = $5
       FROM new
       WHERE o.tenant_id = $1 AND o.scope = $2 AND o.id = $3 AND o.version = $4
       RETURNING o.*
     )
     SELECT ${MEMORY_COLUMNS}, m.terms - old.terms AS added_terms
     FROM m CROSS JOIN old
     ${joinAccess(session.names)}`,
    [
      tenantId,
      scope,
      target.id,
      target.version,
      stamp,
      session.language,
      text !== undefined,
      text?.content ?? null,
      text?.contentHash ?? null,
      text?.searchText ?? '',
      text?.vector ? halfVectorLiteral(text.vector) : null,
      text?.vector?.space ?? null,
      change.kind ?? null,
      change.importance ?? null,
      change.metadata === undefined ? null : JSON.stringify(change.metadata),
      change.expiresAt !== undefined,
      change.expiresAt ?? null,
      change.evidenceAt ?? null,
      change.turnId !== undefined,
      change.turnId ?? null,
      change.messageNo !== undefined,
      change.messageNo ?? null,
    ],
  );
  return row ?? null;
}
