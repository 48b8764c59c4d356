import { InvalidInputError } from '../errors/invalid-input-error.js';
import { foldNearDuplicates } from '../model/ranking.js';
import type { Scope } from '../model/scope.js';
import type { MemoryStore, RecallHit, RecallQuery } from '../storage/memory-store.js';
import { validateScope } from './validate-scope.js';

/** Most scopes that one recall may read beside its own. */
export const RECALL_LAYERS_MAX = 10;

/** What recall found, and in whose memory. */
export interface LayeredHit extends RecallHit {
  readonly scope: string;
}

export interface LayeredHits {
  /** Best first, near-duplicates folded. */
  readonly hits: readonly LayeredHit[];
  /** Some scope may have more than its limit let through. */
  readonly cut: boolean;
}

/**
 * The scopes to read, the own one first, each once.
 * @throws InvalidInputError for anything but a list of at most 10
 * @throws InvalidScopeError for a name that is no scope
 */
export function validateLayers(own: Scope, alsoIn: unknown): readonly Scope[] {
  if (alsoIn === undefined) return [own];
  if (!Array.isArray(alsoIn) || alsoIn.length > RECALL_LAYERS_MAX) {
    throw new InvalidInputError(
      'alsoIn',
      `alsoIn must be a list of at most ${RECALL_LAYERS_MAX} scope names. Name the scopes that this caller may read.`,
    );
  }
  const layers = new Map([[own.scope, own]]);
  for (const name of alsoIn as unknown[]) {
    const layer = validateScope({ tenantId: own.tenantId, scope: name });
    if (!layers.has(layer.scope)) layers.set(layer.scope, layer);
  }
  return [...layers.values()];
}

/**
 * Asks each scope by itself, so that every statement stays inside one scope and no two connections are held at once; the
 * scores are absolute, so they compare across scopes. Of near-duplicates the one of the earlier layer stays.
 */
export async function recallFromLayers(
  store: MemoryStore,
  layers: readonly Scope[],
  query: RecallQuery,
): Promise<LayeredHits> {
  const found: LayeredHit[] = [];
  let cut = false;
  for (const layer of layers) {
    const hits = await store.recall(layer, query);
    cut ||= hits.length === query.limit;
    for (const { memory, score, distance, coverage, vectorRank, keywordRank } of hits) {
      // Field by field: a spread is several times as slow, and this is done for every row of every recall.
      found.push({ memory, scope: layer.scope, score, distance, coverage, vectorRank, keywordRank });
    }
  }
  return { hits: foldNearDuplicates(found).sort((a, b) => b.score - a.score), cut };
}
