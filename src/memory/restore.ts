import { NotFoundError } from '../errors/not-found-error.js';
import type { Scope } from '../model/scope.js';
import type { ScopeWriter, SpaceVector, StoredRevision } from '../storage/memory-store.js';
import { DISABLED, erasedMeanwhile } from './add.js';
import type { AddResult } from './add.js';
import { tellChange } from './changed-event.js';
import type { ChangedMemory } from './changed-event.js';
import { embedText } from './embed-texts.js';
import type { MemoryContext } from './memory-context.js';
import { screen, withDerived } from './prepare-memory.js';
import { rejectedEvent } from './rejected-event.js';
import { shownMemory } from './shown-memory.js';
import { differing } from './update.js';
import { toMemoryId, validateWhole } from './validate-input.js';
import { writeInOrder } from './write-in-order.js';
import { isExpired } from './write-memories.js';

export type RestoreResult = AddResult;

/** Largest version that the store can hold: an `integer`. */
export const VERSION_MAX = 2_147_483_647;

interface RestoredText {
  readonly content: string;
  readonly contentHash: string;
  readonly searchText: string;
  readonly vector: SpaceVector;
}

function notFound(): NotFoundError {
  return new NotFoundError(
    'No memory of that id with that version in this scope. Its history says which versions can be restored.',
  );
}

/**
 * Brings an earlier state back as the present one, under the next version.
 * The state goes through the policy as if it were added now, and is evidence of now. An expiry that has passed is left
 * out: who restores a state wants it to hold. A live memory of the same text is returned as it is, and nothing changes.
 * @returns the memory, or why it was not restored
 * @throws NotFoundError for an id or version that is not in this scope, or that retention has dropped
 * @throws ConflictError when the scope was erased meanwhile
 */
export async function restore(
  context: MemoryContext,
  scope: Scope,
  givenId: string,
  version: number,
): Promise<RestoreResult> {
  validateWhole('version', version, 1, VERSION_MAX);
  const id = toMemoryId(givenId);
  if (id === null) throw notFound();
  const { enabled, generation } = await context.store.scopeState(scope);
  const ended = async (): Promise<StoredRevision | undefined> =>
    (await context.store.history(scope, id)).find((state) => state.version === version);
  let revision = await ended();
  if (!revision) {
    const present = await context.store.get(scope, id);
    if (present?.version === version) return { memory: present, rejection: null };
    // It may have expired between the two.
    revision = await ended();
    if (!revision) throw notFound();
  }
  if (!enabled) return { memory: null, rejection: DISABLED };

  const { kind, source } = revision;
  const screened = await screen(context, { content: revision.content, kind, source }, { byHand: true });
  if (screened.rejection) {
    context.events.publish('memory.rejected', rejectedEvent(context, scope, screened.rejection, { kind, source }));
    return { memory: null, rejection: screened.rejection };
  }
  const text = withDerived({
    content: screened.content,
    vector: await vectorOf(context, scope, revision, screened.content),
  });

  const write = async (writer: ScopeWriter): Promise<ChangedMemory | null> => {
    if (writer.state.generation !== generation) throw erasedMeanwhile();
    return writer.state.enabled ? apply(writer, revision, text) : null;
  };
  const restored = await writeInOrder(context, scope, write, (outcome) =>
    tellChange(context, scope, 'memory.restored', outcome),
  );
  return restored ? { memory: restored.memory, rejection: null } : { memory: null, rejection: DISABLED };
}

/** The kept vector where the present embedder made it of this very text, else a new one. */
async function vectorOf(
  context: MemoryContext,
  scope: Scope,
  revision: StoredRevision,
  content: string,
): Promise<SpaceVector> {
  const { space } = context.embedder;
  if (content === revision.content) {
    const kept = await context.store.revisionVector(scope, revision.memoryId, revision.version);
    if (kept?.space === space) return kept;
  }
  return embedText(context.embedder, content);
}

async function apply(writer: ScopeWriter, revision: StoredRevision, text: RestoredText): Promise<ChangedMemory> {
  const { stamp } = writer;
  const id = revision.memoryId;
  const twins = (await writer.findByHashes([text.contentHash])).filter((twin) => twin.id !== id);
  for (const twin of twins) {
    if (!isExpired(twin, stamp)) return { memory: shownMemory(twin), changed: false, expired: [], stamp };
  }
  if (twins.length > 0) await writer.lockForChange([id, ...twins.map((twin) => twin.id)], []);
  const expired = [...(await writer.findExpired({ ids: [id], limit: 1 })), ...twins];
  for (const memory of expired) await writer.remove(memory, { endedBy: 'expire' });

  const history = await writer.history(id);
  // Forgotten for good, or dropped by retention, while the text was checked.
  if (!history.some(({ version }) => version === revision.version)) throw notFound();

  const { kind, importance, metadata, source, createdAt } = revision;
  const expiresAt = revision.expiresAt && !isExpired(revision, stamp) ? revision.expiresAt : null;
  const live = await writer.find(id);
  if (live) {
    const differences = differing(live, { text, kind, importance, metadata, expiresAt });
    if (Object.keys(differences).length === 0) return { memory: shownMemory(live), changed: false, expired, stamp };
    const memory = await writer.update(live, { ...differences, evidenceAt: stamp }, { endedBy: 'restore' });
    return { memory, changed: true, expired, stamp };
  }
  const [memory] = await writer.insert([
    {
      id,
      ...text,
      kind,
      importance,
      metadata,
      expiresAt,
      source,
      createdAt,
      version: Math.max(...history.map(({ version }) => version)) + 1,
      turnId: null,
      messageNo: null,
      evidenceAt: null,
    },
  ]);
  if (!memory) throw new Error('The store returned no memory for the one that was inserted.');
  return { memory, changed: true, expired, stamp };
}
