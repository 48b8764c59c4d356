import type { Scope } from '../../../model/scope.js';
import type { NewMemory } from '../../memory-store.js';
import { halfVectorLiteral } from '../half-vector.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';

export type InsertedRow = MemoryRow & { readonly terms: number };

/** One statement for a whole batch; `terms` stops at the column's largest number. */
export async function insertMemories(
  session: Session,
  { tenantId, scope }: Scope,
  stamp: Date,
  memories: readonly NewMemory[],
): Promise<InsertedRow[]> {
  const { schema, extension } = session.names;
  return session.rows<InsertedRow>(
    `WITH new AS MATERIALIZED (
       SELECT *, to_tsvector($4::regconfig, search_text) AS search
       FROM unnest($5::uuid[], $6::text[], $7::uuid[], $8::text[], $9::real[], $10::text[], $11::text[], $12::text[],
                   $13::text[], $14::text[], $15::text[], $16::smallint[], $17::timestamptz[], $18::timestamptz[],
                   $19::timestamptz[], $20::int[])
         AS r (id, content, content_hash, kind, importance, metadata, search_text, embedding,
               space, source, turn_id, message_no, evidence_at, expires_at, created_at, version)
     )
     INSERT INTO ${schema}.memories AS m
       (tenant_id, scope, id, content, content_hash, kind, importance, metadata, search, terms, embedding, space,
        source, turn_id, message_no, evidence_at, version, created_at, valid_from, expires_at)
     SELECT $1, $2, id, content, content_hash, kind, importance, metadata::jsonb, search, least(length(search), 32767),
            embedding::${extension}.halfvec, space, source, turn_id, message_no, coalesce(evidence_at, $3::timestamptz),
            version, coalesce(created_at, $3::timestamptz), $3::timestamptz, expires_at
     FROM new
     RETURNING m.id, m.content, m.content_hash, m.kind, m.importance, m.metadata, m.space, m.source, m.evidence_at,
               m.version, m.created_at, m.valid_from, m.expires_at, m.terms,
               NULL::timestamptz AS last_accessed_at, NULL::bigint AS access_count`,
    [
      tenantId,
      scope,
      stamp,
      session.language,
      memories.map((memory) => memory.id),
      memories.map((memory) => memory.content),
      memories.map((memory) => memory.contentHash),
      memories.map((memory) => memory.kind),
      memories.map((memory) => memory.importance),
      memories.map((memory) => JSON.stringify(memory.metadata)),
      memories.map((memory) => memory.searchText),
      memories.map((memory) => memory.vector && halfVectorLiteral(memory.vector)),
      memories.map((memory) => memory.vector?.space ?? null),
      memories.map((memory) => memory.source),
      memories.map((memory) => memory.turnId),
      memories.map((memory) => memory.messageNo),
      memories.map((memory) => memory.evidenceAt),
      memories.map((memory) => memory.expiresAt),
      memories.map((memory) => memory.createdAt ?? null),
      memories.map((memory) => memory.version ?? 1),
    ],
  );
}
