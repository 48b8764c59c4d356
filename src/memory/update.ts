import { ConflictError } from '../errors/conflict-error.js';
import { NotFoundError } from '../errors/not-found-error.js';
import type { MemoryKind } from '../model/kind.js';
import type { MemoryMetadata } from '../model/memory.js';
import type { Rejection } from '../model/rejection.js';
import type { Scope } from '../model/scope.js';
import type { MemoryChange, ScopeWriter, StoredMemory } from '../storage/memory-store.js';
import { DISABLED, erasedMeanwhile } from './add.js';
import type { AddResult } from './add.js';
import { tellChange } from './changed-event.js';
import type { ChangedMemory } from './changed-event.js';
import { embedText } from './embed-texts.js';
import type { MemoryContext } from './memory-context.js';
import { screen, withDerived } from './prepare-memory.js';
import { rejectedEvent } from './rejected-event.js';
import { screenMetadata } from './screen-metadata.js';
import { shownMemory } from './shown-memory.js';
import { toMemoryId, validateContent, validateDate, validateImportance, validateKind } from './validate-input.js';
import { validateMetadata } from './validate-metadata.js';
import { writeInOrder } from './write-in-order.js';
import { isExpired, sameMetadata } from './write-memories.js';

/** Fields to change; an absent one stays as it is. */
export interface UpdateMemory {
  readonly content?: string;
  readonly kind?: MemoryKind;
  readonly importance?: number;
  /** Replaces the metadata whole. */
  readonly metadata?: MemoryMetadata;
  /** Null: never expires. */
  readonly expiresAt?: Date | null;
}

export type UpdateResult = AddResult;

function validateChange(context: MemoryContext, input: UpdateMemory): UpdateMemory {
  const { limits } = context.settings;
  return {
    ...(input.content === undefined ? {} : { content: validateContent(input.content, limits.contentLength) }),
    ...(input.kind === undefined ? {} : { kind: validateKind(input.kind) }),
    ...(input.importance === undefined ? {} : { importance: validateImportance('importance', input.importance) }),
    ...(input.metadata === undefined ? {} : { metadata: validateMetadata(input.metadata, limits.metadataBytes) }),
    ...(input.expiresAt === undefined
      ? {}
      : { expiresAt: input.expiresAt === null ? null : validateDate('expiresAt', input.expiresAt) }),
  };
}

function notFound(): NotFoundError {
  return new NotFoundError('No memory of that id in this scope. List the memories to see which there are.');
}

async function findLive(writer: ScopeWriter, id: string): Promise<StoredMemory> {
  const memory = await writer.find(id);
  if (!memory || isExpired(memory, writer.stamp)) throw notFound();
  return memory;
}

/** Leaves out what already is so: an update that changes nothing makes no version and no event. */
export function differing(memory: StoredMemory, change: MemoryChange): MemoryChange {
  return Object.fromEntries(
    Object.entries(change).filter(([field, value]) => {
      if (field === 'text') return change.text?.content !== memory.content;
      if (field === 'metadata') return !sameMetadata(value as MemoryMetadata, memory.metadata);
      if (field === 'importance') return Math.fround(value as number) !== Math.fround(memory.importance);
      return JSON.stringify(value) !== JSON.stringify(memory[field as keyof StoredMemory]);
    }),
  );
}

/**
 * Changes a memory; its earlier state stays as a revision.
 * @throws NotFoundError for an id that is not in this scope, whoever else's it may be
 * @throws ConflictError when another memory has that text already, or somebody changed this one meanwhile
 */
export async function update(
  context: MemoryContext,
  scope: Scope,
  givenId: string,
  input: UpdateMemory,
): Promise<UpdateResult> {
  const change = validateChange(context, input);
  const id = toMemoryId(givenId);
  if (id === null) throw notFound();
  const before = await context.store.get(scope, id);
  if (!before) throw notFound();
  const { enabled, generation } = await context.store.scopeState(scope);
  if (!enabled) return { memory: null, rejection: DISABLED };

  const { content, ...attributes } = change;
  const about = { kind: change.kind ?? before.kind, source: before.source };
  const rejected = (rejection: Rejection): UpdateResult => {
    context.events.publish('memory.rejected', rejectedEvent(context, scope, rejection, about));
    return { memory: null, rejection };
  };
  const refused = await screenMetadata(context, attributes.metadata, about);
  if (refused) return rejected(refused);
  let text: MemoryChange['text'];
  if (content !== undefined && content !== before.content) {
    const screened = await screen(context, { content, ...about }, { byHand: true });
    if (screened.rejection) return rejected(screened.rejection);
    const vector = await embedText(context.embedder, screened.content);
    text = { ...withDerived({ content: screened.content }), vector };
  }

  const write = async (writer: ScopeWriter): Promise<ChangedMemory | null> => {
    if (writer.state.generation !== generation) throw erasedMeanwhile();
    if (!writer.state.enabled) return null;
    const memory = await findLive(writer, id);
    if (memory.version !== before.version) {
      throw new ConflictError(
        `Memory ${id} was changed by somebody else meanwhile (version ${memory.version}, read ${before.version}). Read it again, then retry.`,
      );
    }
    const expired: StoredMemory[] = [];
    if (text) {
      for (const twin of await writer.findByHashes([text.contentHash])) {
        if (twin.id === id) continue;
        if (!isExpired(twin, writer.stamp)) {
          throw new ConflictError(`Memory ${twin.id} has that text already. Forget one of the two instead.`);
        }
        expired.push(twin);
      }
    }
    if (expired.length > 0) await writer.lockForChange([id, ...expired.map((twin) => twin.id)], []);
    for (const twin of expired) await writer.remove(twin, { endedBy: 'expire' });
    const differences = differing(memory, { ...attributes, ...(text ? { text } : {}) });
    if (Object.keys(differences).length === 0)
      return { memory: shownMemory(memory), changed: false, expired, stamp: writer.stamp };
    // A correction by hand is evidence of now: a turn that was said earlier must not undo it.
    const updated = await writer.update(memory, { ...differences, evidenceAt: writer.stamp }, { endedBy: 'update' });
    return { memory: updated, changed: true, expired, stamp: writer.stamp };
  };
  const updated = await writeInOrder(context, scope, write, (outcome) =>
    tellChange(context, scope, 'memory.updated', outcome),
  );
  return updated ? { memory: updated.memory, rejection: null } : { memory: null, rejection: DISABLED };
}
