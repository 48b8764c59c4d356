import type { Memory, MemoryMetadata, MemorySource } from '../model/memory.js';
import type { NewMemory, ScopeWriter, SpaceVector, StoredMemory } from '../storage/memory-store.js';
import { newMemoryId } from './memory-id.js';
import type { PreparedMemory } from './prepare-memory.js';
import { shownMemory } from './shown-memory.js';

/** A prepared memory with its vector and where it comes from. */
export interface MemoryToWrite extends PreparedMemory {
  readonly vector: SpaceVector;
  readonly source: MemorySource;
  readonly turnId: string | null;
  readonly messageNo: number | null;
  readonly evidenceAt: Date | null;
}

export interface WrittenMemory {
  readonly memory: Memory;
  readonly outcome: 'added' | 'updated' | 'unchanged';
}

export interface WriteOutcome {
  /** In the order of the inputs. */
  readonly written: readonly WrittenMemory[];
  readonly expired: readonly StoredMemory[];
}

/** The later expiry; none wins, because "for ever" is later than any date. */
function laterExpiry(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return null;
  return a.getTime() >= b.getTime() ? a : b;
}

/** Equal as JSON, whatever the order of keys: jsonb keeps its own. */
export function sameMetadata(a: MemoryMetadata, b: MemoryMetadata): boolean {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.entries(value)
            .sort(([x], [y]) => (x < y ? -1 : 1))
            .map(([key, item]) => [key, sorted(item)])
        : value;
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** What both a stored memory and one still to be inserted can be strengthened in. */
interface Attributes {
  readonly importance: number;
  readonly metadata: MemoryMetadata;
  readonly expiresAt: Date | null;
}

/** The greater importance, the later expiry, the metadata of both; the newer wins a key. */
function strengthened(known: Attributes, again: Attributes): Attributes {
  return {
    // Stored as float4: compare in that precision, or 0.7 would count as a change each time.
    importance: Math.fround(again.importance) > Math.fround(known.importance) ? again.importance : known.importance,
    metadata: { ...known.metadata, ...again.metadata },
    expiresAt: laterExpiry(known.expiresAt, again.expiresAt),
  };
}

function sameAttributes(a: Attributes, b: Attributes): boolean {
  return (
    Math.fround(a.importance) === Math.fround(b.importance) &&
    a.expiresAt?.getTime() === b.expiresAt?.getTime() &&
    sameMetadata(a.metadata, b.metadata)
  );
}

export function isExpired(memory: { expiresAt: Date | null }, at: Date): boolean {
  return memory.expiresAt !== null && memory.expiresAt.getTime() <= at.getTime();
}

/**
 * Writes memories under the scope's lock by the rule "one text, one memory": a live equal is strengthened and keeps its
 * id, an expired equal is closed and replaced, anything else is new. Equal texts among the inputs become one.
 */
export async function writeMemories(writer: ScopeWriter, inputs: readonly MemoryToWrite[]): Promise<WriteOutcome> {
  const known = new Map(
    (await writer.findByHashes([...new Set(inputs.map((input) => input.contentHash))])).map((memory) => [
      memory.contentHash,
      memory,
    ]),
  );
  const expired = [...known.values()].filter((memory) => isExpired(memory, writer.stamp));
  for (const memory of expired) {
    await writer.remove(memory, { endedBy: 'expire' });
    known.delete(memory.contentHash);
  }

  const strengthenings = new Map<string, { memory: StoredMemory; attributes: Attributes }>();
  const additions = new Map<string, NewMemory>();
  for (const { contentHash, ...input } of inputs) {
    const live = known.get(contentHash);
    if (live) {
      const before = strengthenings.get(contentHash)?.attributes ?? live;
      strengthenings.set(contentHash, { memory: live, attributes: strengthened(before, input) });
      continue;
    }
    const twin = additions.get(contentHash);
    additions.set(
      contentHash,
      twin ? { ...twin, ...strengthened(twin, input) } : { ...input, contentHash, id: newMemoryId() },
    );
  }

  const results = new Map<string, WrittenMemory>();
  for (const [hash, { memory, attributes }] of [...strengthenings].sort(([, a], [, b]) =>
    a.memory.id < b.memory.id ? -1 : 1,
  )) {
    results.set(
      hash,
      sameAttributes(memory, attributes)
        ? { memory: shownMemory(memory), outcome: 'unchanged' }
        : {
            memory: await writer.update(memory, attributes, {
              endedBy: 'update',
              turnId: inputs.find((i) => i.contentHash === hash)?.turnId ?? null,
            }),
            outcome: 'updated',
          },
    );
  }
  const added = await writer.insert([...additions.values()]);
  for (const [index, hash] of [...additions.keys()].entries()) {
    const memory = added[index];
    if (memory) results.set(hash, { memory, outcome: 'added' });
  }

  const reported = new Set<string>();
  const written = inputs.map(({ contentHash }): WrittenMemory => {
    const result = results.get(contentHash);
    if (!result)
      throw new Error('The store returned fewer memories than were inserted; the transaction is rolled back.');
    // The second of two equal inputs found what the first one made.
    if (reported.has(contentHash)) return { memory: result.memory, outcome: 'unchanged' };
    reported.add(contentHash);
    return result;
  });
  return { written, expired };
}
