import type { MemoryKind } from '../../model/kind.js';
import type { Memory, MemoryMetadata } from '../../model/memory.js';
import type { Scope } from '../../model/scope.js';
import type {
  Retention,
  RevisionCause,
  ScopeState,
  SpaceVector,
  StoredMemory,
  StoredRevision,
} from '../../storage/memory-store.js';
import type { Turn } from './turns.js';

export interface Row extends StoredMemory {
  readonly vector: SpaceVector | null;
  readonly words: ReadonlySet<string>;
}

/** A state that ended, whole. */
interface EndedRow {
  readonly row: Row;
  readonly validTo: Date;
  readonly cause: RevisionCause;
}

interface Rows {
  readonly memories: Map<string, Row>;
  /** Oldest first; replaced as a whole, so that a rollback can put the list of before back. */
  revisions: readonly EndedRow[];
  readonly turns: Map<string, Turn>;
}

export interface ScopeData {
  readonly scope: Scope;
  state: ScopeState;
  clock: number;
  rows: Rows;
  /** Ends with the last writer in line. */
  writers: Promise<unknown>;
}

/** Rows that hold now, or held at `asOf`. */
export function liveRows(rows: Rows, asOf: Date | undefined, now = new Date()): Row[] {
  const at = (asOf ?? now).getTime();
  const present = [...rows.memories.values()];
  const states = asOf
    ? [
        ...present.filter((row) => row.updatedAt.getTime() <= at),
        ...rows.revisions
          .filter(({ row, validTo }) => row.updatedAt.getTime() <= at && validTo.getTime() > at)
          // Accesses are no part of a state: they are those of the memory that is there now.
          .map(({ row }) => {
            const { lastAccessedAt = null, accessCount = 0 } = rows.memories.get(row.id) ?? {};
            return { ...row, lastAccessedAt, accessCount };
          }),
      ]
    : present;
  return states.filter((row) => isLive(row, at));
}

export function isLive(row: Row, now: number): boolean {
  return row.expiresAt === null || row.expiresAt.getTime() > now;
}

export function isOfKind(row: Row, kinds: readonly MemoryKind[] | undefined): boolean {
  return !kinds || kinds.length === 0 || kinds.includes(row.kind);
}

export function revisionsOf(rows: Rows, id: string): StoredRevision[] {
  return rows.revisions.filter(({ row }) => row.id === id).map(toRevision);
}

/** Where the present state has expired, it is told as its removal will keep it, without what will go then. */
export function historyOf(rows: Rows, id: string, { versions }: Retention): StoredRevision[] {
  const revisions = revisionsOf(rows, id);
  const present = rows.memories.get(id);
  if (!present?.expiresAt || isLive(present, Date.now())) return revisions;
  const validTo = new Date(Math.max(present.expiresAt.getTime(), present.updatedAt.getTime() + 1));
  const all = [...revisions, toRevision({ row: present, validTo, cause: { endedBy: 'expire' } })];
  return all.slice(versions === null ? 0 : Math.max(0, all.length - versions));
}

function toRevision({ row, validTo, cause }: EndedRow): StoredRevision {
  return {
    memoryId: row.id,
    version: row.version,
    content: row.content,
    kind: row.kind,
    importance: row.importance,
    metadata: copyJson(row.metadata),
    expiresAt: row.expiresAt,
    validFrom: row.updatedAt,
    validTo,
    endedBy: cause.endedBy,
    turnId: cause.turnId ?? null,
    mergedInto: cause.mergedInto ?? null,
    source: row.source,
    createdAt: row.createdAt,
  };
}

/** JSON containment as Postgres' `@>` has it: objects by key, arrays as sets. */
export function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item) => whole.some((one) => contains(one, item)));
  }
  if (typeof part === 'object' && part !== null) {
    if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false;
    return Object.entries(part).every(
      ([key, value]) => Object.hasOwn(whole, key) && contains((whole as MemoryMetadata)[key], value),
    );
  }
  return whole === part;
}

export function wordsOf(searchText: string): Set<string> {
  return new Set(searchText.toLowerCase().split(' ').filter(Boolean));
}

export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function toMemory(row: Row): Memory {
  return {
    id: row.id,
    content: row.content,
    kind: row.kind,
    importance: row.importance,
    metadata: copyJson(row.metadata),
    source: row.source,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
    lastAccessedAt: row.lastAccessedAt,
    accessCount: row.accessCount,
  };
}

export function toStored(row: Row): StoredMemory {
  return { ...toMemory(row), contentHash: row.contentHash, space: row.space, evidenceAt: row.evidenceAt };
}

/** As a trip through a database would: no reference is shared, only JSON survives. */
export function copyJson(metadata: MemoryMetadata): MemoryMetadata {
  return JSON.parse(JSON.stringify(metadata)) as MemoryMetadata;
}
