import type { MemoryKind } from '../../model/kind.js';
import type { MemoryMetadata, MemorySource, RevisionEnd } from '../../model/memory.js';
import type { StoredRevision } from '../memory-store.js';

/** A revision as the statements of this folder return it. */
export interface RevisionRow {
  readonly memory_id: string;
  readonly version: number;
  readonly content: string;
  readonly kind: MemoryKind;
  readonly importance: number;
  readonly metadata: MemoryMetadata;
  readonly expires_at: Date | null;
  readonly valid_from: Date;
  readonly valid_to: Date;
  readonly ended_by: RevisionEnd;
  readonly ended_by_turn: string | null;
  readonly merged_into: string | null;
  readonly source: MemorySource;
  readonly created_at: Date;
}

export function toStoredRevision(row: RevisionRow): StoredRevision {
  return {
    memoryId: row.memory_id,
    version: row.version,
    content: row.content,
    kind: row.kind,
    importance: row.importance,
    metadata: row.metadata,
    expiresAt: row.expires_at,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    endedBy: row.ended_by,
    turnId: row.ended_by_turn,
    mergedInto: row.merged_into,
    source: row.source,
    createdAt: row.created_at,
  };
}
