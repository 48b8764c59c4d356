import { ConflictError } from '../errors/conflict-error.js';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import type { Memory } from '../model/memory.js';
import type { Rejection } from '../model/rejection.js';
import type { Scope } from '../model/scope.js';
import type { SpaceVector } from '../storage/memory-store.js';
import { changedEvent } from './changed-event.js';
import { embedTexts } from './embed-texts.js';
import type { MemoryContext } from './memory-context.js';
import { screen, validateMemory, withDerived } from './prepare-memory.js';
import type { AddMemory, PreparedMemory } from './prepare-memory.js';
import { rejectedEvent } from './rejected-event.js';
import { screenMetadata } from './screen-metadata.js';
import { measured } from './telemetry.js';
import { writeInOrder } from './write-in-order.js';
import { writeMemories } from './write-memories.js';
import type { MemoryToWrite, WriteOutcome } from './write-memories.js';

/** A memory, or why there is none. */
export type AddResult =
  { readonly memory: Memory; readonly rejection: null } | { readonly memory: null; readonly rejection: Rejection };

export const DISABLED: Rejection = {
  reason: 'disabled',
  message: 'Memory is switched off for this scope. Switch it on to keep something.',
};

/** The write began under another generation than the present one: the scope was erased meanwhile. */
export function erasedMeanwhile(): ConflictError {
  return new ConflictError(
    'The scope was erased while this call was under way, so nothing was stored. Call again if it still should be.',
  );
}

/** One vector per distinct text. */
async function embedAll(
  context: MemoryContext,
  memories: readonly PreparedMemory[],
): Promise<Map<string, SpaceVector>> {
  const texts = new Map(memories.map((memory) => [memory.contentHash, memory.content]));
  if (texts.size === 0) return new Map();
  const vectors = await embedTexts(context.embedder, [...texts.values()]);
  return new Map(
    [...texts.keys()].flatMap((hash, index) => {
      const vector = vectors[index];
      return vector ? [[hash, vector] as const] : [];
    }),
  );
}

/**
 * Adds memories in one embedding batch and one transaction; results in the order of the inputs.
 * @throws InvalidInputError naming input and field; nothing is stored then
 * @throws ProviderError when the embedder fails; nothing is stored then
 */
export async function addMany(
  context: MemoryContext,
  scope: Scope,
  inputs: readonly AddMemory[],
): Promise<AddResult[]> {
  if (!Array.isArray(inputs)) throw new InvalidInputError('inputs', 'inputs must be a list of memories to add.');
  const { batchSize } = context.settings.limits;
  if (inputs.length > batchSize) {
    throw new InvalidInputError(
      'inputs',
      `inputs has ${inputs.length} items, at most ${batchSize} are allowed. Add them in several calls.`,
    );
  }
  // `Array.from` sees a hole in the list, which `map` would pass over.
  const validated = Array.from(inputs, (input: AddMemory, index) => {
    const path = inputs.length === 1 ? '' : `inputs[${index}].`;
    if (typeof input !== 'object' || input === null)
      throw new InvalidInputError(`inputs[${index}]`, `inputs[${index}] must be an object with content.`);
    return validateMemory(context, input, path);
  });

  return measured(
    context,
    'engram.add',
    scope,
    { count: 0, rejected: 0, kinds: [] },
    () => store(context, scope, validated),
    (results) => {
      const kept = results.flatMap(({ memory }) => memory ?? []);
      const kinds = [...new Set(kept.map(({ kind }) => kind))];
      return { count: kept.length, rejected: results.length - kept.length, kinds };
    },
  );
}

async function store(
  context: MemoryContext,
  scope: Scope,
  validated: readonly Omit<PreparedMemory, 'contentHash' | 'searchText'>[],
): Promise<AddResult[]> {
  if (validated.length === 0) return [];
  const { enabled, generation } = await context.store.scopeState(scope);
  const screened: (PreparedMemory | Rejection)[] = [];
  for (const memory of validated) {
    if (!enabled) {
      screened.push(DISABLED);
      continue;
    }
    const about = { kind: memory.kind, source: 'manual' } as const;
    const { content, rejection } = await screen(context, { content: memory.content, ...about });
    screened.push(
      rejection ?? (await screenMetadata(context, memory.metadata, about)) ?? withDerived({ ...memory, content }),
    );
  }
  const accepted = screened.filter((item): item is PreparedMemory => 'contentHash' in item);
  const vectors = await embedAll(context, accepted);

  const write = (): Promise<Committed | null> =>
    writeInOrder(
      context,
      scope,
      async (writer) => {
        if (writer.state.generation !== generation) throw erasedMeanwhile();
        if (!writer.state.enabled) return null;
        const toWrite = accepted.map((memory): MemoryToWrite => {
          const vector = vectors.get(memory.contentHash) ?? { space: context.embedder.space, values: [] };
          return { ...memory, vector, source: 'manual', turnId: null, messageNo: null, evidenceAt: null };
        });
        return { ...(await writeMemories(writer, toWrite)), stamp: writer.stamp };
      },
      (outcome) => tellWritten(context, scope, outcome),
    );
  const committed = accepted.length === 0 ? null : await write();

  let next = 0;
  const results = screened.map((item): AddResult => {
    if (!('contentHash' in item)) return { memory: null, rejection: item };
    const written = committed?.written[next];
    next += 1;
    return written ? { memory: written.memory, rejection: null } : { memory: null, rejection: DISABLED };
  });
  for (const [index, { rejection }] of results.entries()) {
    if (rejection) {
      const kind = validated[index]?.kind ?? 'fact';
      context.events.publish('memory.rejected', rejectedEvent(context, scope, rejection, { kind, source: 'manual' }));
    }
  }
  return results;
}

interface Committed extends WriteOutcome {
  readonly stamp: Date;
}

function tellWritten(context: MemoryContext, scope: Scope, committed: Committed | null): void {
  if (!committed) return;
  const { expired, written, stamp } = committed;
  for (const memory of expired) context.events.publish('memory.expired', changedEvent(scope, memory, stamp, null));
  for (const { memory, outcome } of written) {
    if (outcome === 'unchanged') continue;
    const event = outcome === 'added' ? 'memory.added' : 'memory.updated';
    context.events.publish(event, changedEvent(scope, memory, stamp, null));
  }
}
