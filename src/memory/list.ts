import type { MemoryKind } from '../model/kind.js';
import type { Memory } from '../model/memory.js';
import type { Scope } from '../model/scope.js';
import { searchText } from '../model/search-text.js';
import type { MemoryPage, MemoryPosition } from '../storage/memory-store.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { MemoryContext } from './memory-context.js';
import { toMemoryId, validateDate, validateIds, validateKinds, validateText, validateWhole } from './validate-input.js';

/** Most memories of one page. */
export const PAGE_SIZE_MAX = 100;

export interface ListInput {
  readonly kinds?: readonly MemoryKind[];
  /** Words that a memory must have, all of them. Blank is no filter. */
  readonly search?: string;
  /** 1-100. @default 20 */
  readonly first?: number;
  /** The `cursor` of the last memory of the page before. */
  readonly after?: string;
  /** The memories as they were at that moment, found by their words of then. Pages of one moment do not change. @default now */
  readonly asOf?: Date;
}

export interface ListedMemories {
  /** Newest first. */
  readonly memories: readonly Memory[];
  /** Where each memory stands; give the last one as `after` for the next page. */
  readonly cursors: readonly string[];
  readonly hasNextPage: boolean;
  /** Memories that match, on all pages. */
  readonly totalCount: number;
}

/** @throws InvalidInputError for a page size out of range or a cursor that this package did not make */
export async function list(context: MemoryContext, scope: Scope, input: ListInput = {}): Promise<ListedMemories> {
  const kinds = validateKinds(input.kinds);
  const first = input.first === undefined ? 20 : validateWhole('first', input.first, 1, PAGE_SIZE_MAX);
  const after: MemoryPosition | undefined = input.after === undefined ? undefined : decodeCursor(input.after);
  const asOf = input.asOf === undefined ? undefined : validateDate('asOf', input.asOf);
  const search = input.search === undefined ? '' : validateText('search', input.search).trim();
  const terms = searchText(search);
  // Signs alone name no word, so no memory has them.
  if (search !== '' && terms === '') return { memories: [], cursors: [], hasNextPage: false, totalCount: 0 };
  const page: MemoryPage = await context.store.list(scope, {
    limit: first,
    ...(kinds ? { kinds } : {}),
    ...(terms === '' ? {} : { searchText: terms }),
    ...(after ? { after } : {}),
    ...(asOf ? { asOf } : {}),
  });
  return {
    memories: page.memories,
    cursors: page.memories.map(encodeCursor),
    hasNextPage: page.hasNextPage,
    totalCount: page.totalCount,
  };
}

export interface GetInput {
  /** The memory as it was at that moment. @default now */
  readonly asOf?: Date;
}

/**
 * One live memory, or null for an id that is not in this scope, whoever else's it may be.
 * @throws InvalidInputError for an `asOf` that is no date
 */
export async function get(
  context: MemoryContext,
  scope: Scope,
  id: string,
  input: GetInput = {},
): Promise<Memory | null> {
  const asOf = input.asOf === undefined ? undefined : validateDate('asOf', input.asOf);
  const memoryId = toMemoryId(id);
  return memoryId === null ? null : context.store.get(scope, memoryId, asOf);
}

/** Same as `get`, of many by one statement. @returns for each id its memory or null, in the order of the ids */
export async function getMany(
  context: MemoryContext,
  scope: Scope,
  ids: readonly string[],
): Promise<(Memory | null)[]> {
  const wanted = validateIds('ids', ids).map(toMemoryId);
  const known = wanted.filter((id) => id !== null);
  const memories = known.length > 0 ? await context.store.getMany(scope, known) : [];
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return wanted.map((id) => (id !== null && byId.get(id)) || null);
}
