import type { MemoryToWrite } from '../memory/write-memories.js';
import { isExpired, writeMemories } from '../memory/write-memories.js';
import { contentHash } from '../model/content.js';
import type { AppliedDecision, Candidate, Decision } from '../model/decision.js';
import type { Memory } from '../model/memory.js';
import { searchText } from '../model/search-text.js';
import type { ScopeWriter, SpaceVector, StoredMemory } from '../storage/memory-store.js';

/** A decision with the vector of the text that it would store. */
export interface ReadyDecision {
  readonly decision: Decision;
  readonly vector: SpaceVector;
}

export interface AppliedChange {
  readonly event: 'memory.added' | 'memory.updated' | 'memory.forgotten' | 'memory.expired';
  readonly memory: Memory;
}

export interface AppliedDecisions {
  /** In the order of the decisions. */
  readonly applied: readonly AppliedDecision[];
  readonly changes: readonly AppliedChange[];
}

interface Turn {
  readonly turnId: string;
  readonly saidAt: Date;
  /** Content hashes of texts that were forgotten for good since it was said. @default none */
  readonly barred?: readonly string[];
}

function toWrite(candidate: Candidate, content: string, vector: SpaceVector, turn: Turn): MemoryToWrite {
  return {
    content,
    contentHash: contentHash(content),
    searchText: searchText(content),
    kind: candidate.kind,
    importance: candidate.importance,
    metadata: {},
    expiresAt: null,
    vector,
    source: 'observed',
    turnId: turn.turnId,
    messageNo: candidate.messageNo,
    evidenceAt: turn.saidAt,
  };
}

/** Locks what the decisions may change, before the first one is applied: their order is not that of the ids. */
export async function lockTargets(writer: ScopeWriter, decisions: readonly ReadyDecision[]): Promise<void> {
  const ids: string[] = [];
  const contentHashes: string[] = [];
  for (const { decision } of decisions) {
    if (decision.action === 'update' || decision.action === 'forget') ids.push(decision.memoryId);
    if (decision.action === 'update') contentHashes.push(contentHash(decision.content));
    if (decision.action === 'add') contentHashes.push(contentHash(decision.candidate.content));
  }
  // What only adds meets expired memories of its texts, and those it finds in that order.
  if (ids.length > 0) await writer.lockForChange(ids, contentHashes);
}

/**
 * Applies a turn's decisions under the scope's lock, in the order forget, update, add.
 * A memory that is gone, or whose evidence is later than this turn, is left alone; a second decision about one memory
 * becomes an add, so that neither statement is lost. A text that somebody has forgotten or corrected by hand since the
 * turn was said is not learned from it again.
 * @param touched memories that this transaction has changed already; what is changed here is added to it
 */
export async function applyDecisions(
  writer: ScopeWriter,
  turn: Turn,
  decisions: readonly ReadyDecision[],
  touched: Set<string> = new Set(),
): Promise<AppliedDecisions> {
  // A store of an app's own may date a turn ahead, which must not keep every later one from changing a memory.
  const saidAt = turn.saidAt < writer.stamp ? turn.saidAt : writer.stamp;
  const endedByHand = decisions.some(({ decision: { action } }) => action === 'add' || action === 'update')
    ? new Set([...(turn.barred ?? []), ...(await writer.textsEndedByHand(saidAt)).map(contentHash)])
    : new Set<string>();
  const applied = decisions.map((): AppliedDecision => ({ action: 'noop', memoryId: null }));
  const changes: AppliedChange[] = [];
  const additions: { index: number; memory: MemoryToWrite }[] = [];

  const target = async (id: string): Promise<StoredMemory | 'gone' | 'newer'> => {
    const memory = touched.has(id) ? null : await writer.find(id);
    if (!memory || isExpired(memory, writer.stamp)) return 'gone';
    return memory.evidenceAt.getTime() > saidAt.getTime() ? 'newer' : memory;
  };

  for (const [index, { decision }] of decisions.entries()) {
    if (decision.action !== 'forget') continue;
    const memory = await target(decision.memoryId);
    if (memory === 'gone' || memory === 'newer') continue;
    await writer.remove(memory, { endedBy: 'forget', turnId: turn.turnId });
    touched.add(memory.id);
    applied[index] = { action: 'forget', memoryId: memory.id };
    changes.push({ event: 'memory.forgotten', memory });
  }

  for (const [index, { decision, vector }] of decisions.entries()) {
    if (decision.action === 'noop') applied[index] = { action: 'noop', memoryId: decision.memoryId };
    if (decision.action !== 'add' && decision.action !== 'update') continue;
    const content = decision.action === 'add' ? decision.candidate.content : decision.content;
    const next = toWrite(decision.candidate, content, vector, { ...turn, saidAt });
    if (endedByHand.has(next.contentHash)) {
      const [known] = await writer.findByHashes([next.contentHash]);
      applied[index] = { action: 'noop', memoryId: known && !isExpired(known, writer.stamp) ? known.id : null };
      continue;
    }
    if (decision.action === 'add') {
      additions.push({ index, memory: next });
      continue;
    }
    const memory = await target(decision.memoryId);
    if (memory === 'newer') {
      applied[index] = { action: 'noop', memoryId: decision.memoryId };
      continue;
    }
    if (memory === 'gone') {
      additions.push({ index, memory: next });
      continue;
    }
    const [twin] = (await writer.findByHashes([next.contentHash])).filter(({ id }) => id !== memory.id);
    if (twin && !isExpired(twin, writer.stamp)) {
      await writer.remove(memory, { endedBy: 'merge', turnId: turn.turnId, mergedInto: twin.id });
      touched.add(memory.id);
      applied[index] = { action: 'merge', memoryId: twin.id };
      changes.push({ event: 'memory.forgotten', memory });
      continue;
    }
    if (twin) {
      await writer.remove(twin, { endedBy: 'expire', turnId: turn.turnId });
      changes.push({ event: 'memory.expired', memory: twin });
    }
    if (next.content === memory.content) {
      applied[index] = { action: 'noop', memoryId: memory.id };
      continue;
    }
    const updated = await writer.update(
      memory,
      {
        text: {
          content: next.content,
          contentHash: next.contentHash,
          searchText: next.searchText,
          vector: next.vector,
        },
        kind: next.kind,
        importance: Math.max(next.importance, memory.importance),
        evidenceAt: saidAt,
        turnId: turn.turnId,
        messageNo: next.messageNo,
      },
      { endedBy: 'update', turnId: turn.turnId },
    );
    touched.add(memory.id);
    applied[index] = { action: 'update', memoryId: memory.id };
    changes.push({ event: 'memory.updated', memory: updated });
  }

  const { written, expired } = await writeMemories(
    writer,
    additions.map(({ memory }) => memory),
  );
  for (const memory of expired) changes.push({ event: 'memory.expired', memory });
  for (const [place, { memory, outcome }] of written.entries()) {
    const index = additions[place]?.index;
    if (index === undefined) continue;
    applied[index] = {
      action: outcome === 'added' ? 'add' : outcome === 'updated' ? 'update' : 'noop',
      memoryId: memory.id,
    };
    if (outcome === 'added') changes.push({ event: 'memory.added', memory });
    if (outcome === 'updated') changes.push({ event: 'memory.updated', memory });
  }
  return { applied, changes };
}
