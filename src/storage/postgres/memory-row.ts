import type { MemoryKind } from '../../model/kind.js';
import type { Memory, MemoryMetadata, MemorySource } from '../../model/memory.js';
import type { StoredMemory } from '../memory-store.js';
import type { SqlNames } from './sql-names.js';

/** A memory as readers see it. */
export interface ShownRow {
  readonly id: string;
  readonly content: string;
  readonly kind: MemoryKind;
  readonly importance: number;
  readonly metadata: MemoryMetadata;
  readonly source: MemorySource;
  readonly version: number;
  readonly created_at: Date;
  readonly valid_from: Date;
  readonly expires_at: Date | null;
  readonly last_accessed_at: Date | null;
  readonly access_count: string | null;
}

/** A memory as the statements of this folder return it, with what writers need. */
export interface MemoryRow extends ShownRow {
  readonly content_hash: string;
  readonly space: string | null;
  readonly evidence_at: Date;
}

/** Columns of `ShownRow` that are the memory `m`'s own. */
export const SHOWN_COLUMNS =
  'm.id, m.content, m.kind, m.importance, m.metadata, m.source, m.version, m.created_at, m.valid_from, m.expires_at';

/** Columns of `MemoryRow`, with `m` for the memory and `a` for its access row. */
export const MEMORY_COLUMNS = `m.id, m.content, m.content_hash, m.kind, m.importance, m.metadata, m.space, m.source,
  m.evidence_at, m.version, m.created_at, m.valid_from, m.expires_at, a.last_accessed_at, a.access_count`;

/** The access row `a` of memory `m`, where there is one. */
export const joinAccess = ({ schema }: SqlNames): string => `LEFT JOIN ${schema}.memory_access a
  ON a.tenant_id = m.tenant_id AND a.scope = m.scope AND a.memory_id = m.id AND a.tenant_id = $1 AND a.scope = $2`;

export function toMemory(row: ShownRow): Memory {
  return {
    id: row.id,
    content: row.content,
    kind: row.kind,
    importance: row.importance,
    metadata: row.metadata,
    source: row.source,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.valid_from,
    expiresAt: row.expires_at,
    lastAccessedAt: row.last_accessed_at,
    accessCount: Number(row.access_count ?? 0),
  };
}

export function toStoredMemory(row: MemoryRow): StoredMemory {
  return { ...toMemory(row), contentHash: row.content_hash, space: row.space, evidenceAt: row.evidence_at };
}

/** Postgres refuses a uuid of another form with an error; to a caller such an id is simply unknown. */
export function isUuid(id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}
