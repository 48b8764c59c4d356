import { InvalidInputError } from '../errors/invalid-input-error.js';
import { truncateCodePoints } from '../model/content.js';
import type { MemoryKind } from '../model/kind.js';
import type { MemoryMetadata, RecallMode, RecalledMemory } from '../model/memory.js';
import { withinBudget } from '../model/ranking.js';
import type { Scope } from '../model/scope.js';
import { searchText } from '../model/search-text.js';
import { isSmallTalk } from '../model/small-talk.js';
import type { RecallQuery, SpaceVector } from '../storage/memory-store.js';
import { checkedVector } from './embed-texts.js';
import { holdsSecret } from './holds-secret.js';
import { inDatabase } from './in-database.js';
import type { MemoryContext } from './memory-context.js';
import { recallFromLayers, validateLayers } from './recall-layers.js';
import type { LayeredHit } from './recall-layers.js';
import { measured } from './telemetry.js';
import { validateDate, validateKinds, validateNumber, validateText, validateWhole } from './validate-input.js';
import { validateMetadata } from './validate-metadata.js';
import { withDeadline } from './with-deadline.js';

/** Most memories of one recall. */
export const RECALL_LIMIT_MAX = 100;
/** Largest `maxTokens`. */
export const RECALL_TOKENS_MAX = 1_000_000;

/**
 * Rows fetched beyond the limit, so that a folded duplicate or a refused row does not eat it: one, because each costs, and
 * many in a second try, which is rarely needed.
 */
const SPARE_ROWS = [1, 100];

export interface RecallInput {
  /** 1-100. @default options.recall.limit: 5 */
  readonly limit?: number;
  /** Only these kinds; empty is no filter. */
  readonly kinds?: readonly MemoryKind[];
  /** Only memories whose metadata contain this. */
  readonly metadata?: MemoryMetadata;
  /** Cosine distance 0-2. @default the embedder's calibration */
  readonly maxDistance?: number;
  /** @default 'hybrid' */
  readonly mode?: RecallMode;
  /** Token budget of the returned contents. @default none */
  readonly maxTokens?: number;
  /**
   * Recall as it would have answered at that moment, within the retention: texts, vectors, kinds and expiries of then.
   * A moment before an erasure is empty. States that have no vector of the present embedder are found by their words,
   * and the event says `degraded`. Not counted as an access. @default now
   */
  readonly asOf?: Date;
  /**
   * Names of further scopes of the same tenant to read, at most 10: `['team:7']`. Only what this caller may read: nothing
   * checks that here. Results come from all of them, by score, within the one limit; a text that several know is that of
   * the first, this scope before all. A scope that is switched off adds nothing. @default none
   */
  readonly alsoIn?: readonly string[];
}

interface ValidRecall {
  /** Where to look, the own scope first. */
  readonly layers: readonly Scope[];
  readonly query: string;
  readonly limit: number;
  readonly kinds: readonly MemoryKind[] | undefined;
  readonly metadata: MemoryMetadata | undefined;
  /** Null: the embedder's distances prove nothing for this query, and let nothing in. */
  readonly maxDistance: number | null;
  readonly minScore: number | null;
  readonly mode: RecallMode;
  readonly maxTokens: number | undefined;
  readonly asOf: Date | undefined;
}

const MODES: readonly RecallMode[] = ['hybrid', 'vector', 'keyword'];

function validateMode(value: unknown): RecallMode {
  const mode = MODES.find((known) => known === value);
  if (!mode) throw new InvalidInputError('mode', `mode is unknown. Use one of ${MODES.join(', ')}.`);
  return mode;
}

function validate(context: MemoryContext, scope: Scope, query: unknown, input: RecallInput): ValidRecall {
  const { recall, limits } = context.settings;
  const text = truncateCodePoints(validateText('query', query).trim(), limits.queryLength);
  return {
    layers: validateLayers(scope, input.alsoIn),
    query: text,
    limit: input.limit === undefined ? recall.limit : validateWhole('limit', input.limit, 1, RECALL_LIMIT_MAX),
    kinds: validateKinds(input.kinds),
    metadata: input.metadata === undefined ? undefined : validateMetadata(input.metadata, limits.metadataBytes),
    ...(input.maxDistance === undefined
      ? {
          maxDistance: context.embedder.canSearch?.(text) === false ? null : recall.maxDistance,
          minScore: recall.minScore,
        }
      : // A caller who names a distance means that one, and no other evidence of meaning.
        { maxDistance: validateNumber('maxDistance', input.maxDistance, 0, 2), minScore: null }),
    mode: input.mode === undefined ? recall.mode : validateMode(input.mode),
    maxTokens:
      input.maxTokens === undefined ? undefined : validateWhole('maxTokens', input.maxTokens, 1, RECALL_TOKENS_MAX),
    asOf: input.asOf === undefined ? undefined : validateDate('asOf', input.asOf),
  };
}

/** The query's vector, or null: nothing would be let in by it, or the embedder did not answer in time. */
async function embedQuery(
  context: MemoryContext,
  { query, mode, maxDistance }: ValidRecall,
): Promise<{ vector: SpaceVector | null; degraded: boolean }> {
  const { embedder, settings } = context;
  if (mode === 'keyword' || (mode === 'vector' && maxDistance === null)) return { vector: null, degraded: false };
  try {
    const timeoutMs = Math.min(settings.recall.embedTimeoutMs, settings.observation.modelTimeoutMs);
    const values = await withDeadline(timeoutMs, (signal) => embedder.embedQuery(query, { signal }));
    return { vector: checkedVector(embedder.space, values), degraded: false };
  } catch {
    // Degrades, never breaks: the event says so, whatever the embedder's fault was.
    return { vector: null, degraded: true };
  }
}

interface Recall {
  readonly memories: readonly RecalledMemory[];
  readonly degraded: boolean;
}

async function search(context: MemoryContext, valid: ValidRecall): Promise<Recall> {
  const nothing: Recall = { memories: [], degraded: false };
  if (valid.query === '' || isSmallTalk(valid.query)) return nothing;
  const layers: Scope[] = [];
  for (const layer of valid.layers) {
    // The statement asks again. This is for the provider: no query of a scope that is off shall reach it.
    if (await context.switches.isOn(context.store, layer)) layers.push(layer);
  }
  if (layers.length === 0) return nothing;
  const { vector, degraded: unembedded } = await embedQuery(context, valid);
  const degraded = unembedded || (await lacksVectors(context, layers, vector, valid.asOf));
  // Where vectors are missing, a recall by meaning alone still answers with words.
  const text = valid.mode === 'vector' && !degraded ? '' : searchText(valid.query);
  if (!vector && text === '') return { ...nothing, degraded };
  const { recall } = context.settings;
  const allowed = await findAllowed(context, layers, valid.limit, {
    searchText: text,
    vector,
    mode: vector ? (degraded ? 'hybrid' : valid.mode) : 'keyword',
    ...(valid.kinds ? { kinds: valid.kinds } : {}),
    ...(valid.metadata ? { metadata: valid.metadata } : {}),
    ...(valid.asOf ? { asOf: valid.asOf } : {}),
    denseWeight: recall.denseWeight,
    maxDistance: valid.maxDistance,
    minCoverage: recall.minCoverage,
    minScore: vector ? valid.minScore : null,
    ...(recall.prior ? { prior: recall.prior } : {}),
  });
  const { maxTokens } = valid;
  const memories =
    maxTokens === undefined
      ? allowed
      : withinBudget(allowed, maxTokens, (content) => context.tokenCounter.count(content));
  return { memories, degraded };
}

/** Whether some state of the moment asked for can be reached by its words only. */
async function lacksVectors(
  context: MemoryContext,
  layers: readonly Scope[],
  vector: SpaceVector | null,
  asOf: Date | undefined,
): Promise<boolean> {
  if (!vector || !asOf) return false;
  for (const layer of layers) {
    if ((await context.store.withoutVector(layer, { space: vector.space, asOf })) > 0) return true;
  }
  return false;
}

async function findAllowed(
  context: MemoryContext,
  layers: readonly Scope[],
  limit: number,
  query: Omit<RecallQuery, 'limit'>,
): Promise<RecalledMemory[]> {
  let allowed: RecalledMemory[] = [];
  for (const spare of SPARE_ROWS) {
    const { hits, cut } = await inDatabase(context, 'SELECT', 'memories', () =>
      recallFromLayers(context.store, layers, { ...query, limit: limit + spare }),
    );
    allowed = await withoutRefused(context, hits, limit);
    if (allowed.length === limit || !cut) break;
  }
  return allowed;
}

/** A secret that came in by another way (an older rule set, an import, plain SQL) is not shown: the policy has the last word. */
async function withoutRefused(
  context: MemoryContext,
  hits: readonly LayeredHit[],
  limit: number,
): Promise<RecalledMemory[]> {
  const allowed: RecalledMemory[] = [];
  for (const hit of hits) {
    if (allowed.length === limit) break;
    if (!(await holdsSecret(context.policy, hit.memory))) allowed.push(hit);
  }
  return allowed;
}

/**
 * The memories that matter to a query, best first; nothing relevant gives an empty list.
 * A blank query, small talk, or a scope that is switched off returns an empty list without a provider call. Embedder
 * down or slow: words alone answer.
 * @throws InvalidInputError naming the option at fault
 */
export async function recall(
  context: MemoryContext,
  scope: Scope,
  query: string,
  input: RecallInput = {},
): Promise<RecalledMemory[]> {
  const valid = validate(context, scope, query, input);
  const { memories } = await measured(
    context,
    'engram.recall',
    scope,
    { mode: valid.mode, limit: valid.limit, kinds: valid.kinds ?? [], count: 0, degraded: false },
    () => search(context, valid),
    (result) => ({ count: result.memories.length, degraded: result.degraded }),
  );
  // A look into the past says nothing about what is of use now.
  if (context.settings.recall.touch && !valid.asOf) {
    for (const layer of valid.layers) {
      const found = memories.filter((recalled) => recalled.scope === layer.scope);
      context.access.record(
        layer,
        found.map(({ memory }) => memory.id),
      );
    }
  }
  return [...memories];
}
