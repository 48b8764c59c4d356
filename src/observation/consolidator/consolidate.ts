import { inDatabase } from '../../memory/in-database.js';
import type { MemoryContext } from '../../memory/memory-context.js';
import { measured } from '../../memory/telemetry.js';
import type { Candidate, Decision, DecisionAction } from '../../model/decision.js';
import type { Scope } from '../../model/scope.js';
import type { RecallHit, RecallQuery, SpaceVector } from '../../storage/memory-store.js';
import { searchText } from '../../model/search-text.js';
import { addTokens } from '../ask-model.js';
import type { TokenTally } from '../ask-model.js';
import { decideByRules } from './heuristic/decide-by-rules.js';
import { consolidateWithModel } from './llm/consolidate-with-model.js';
import type { Neighbour } from './neighbour.js';

/** A candidate that passed the policy, with the vector of its content. */
export interface EmbeddedCandidate {
  readonly candidate: Candidate;
  readonly vector: SpaceVector;
}

/** A candidate, what it was weighed against, and the outcome; null where the model named a memory that was not offered. */
export interface Consolidated extends EmbeddedCandidate {
  readonly neighbours: readonly Neighbour[];
  readonly decision: Decision | null;
}

export function noCounts(): Record<DecisionAction, number> {
  return { add: 0, update: 0, forget: 0, noop: 0, merge: 0 };
}

/** How the nearest memories of a candidate are asked for: by meaning and words, with no threshold, since a contradiction can lie far. */
export function neighbourQuery(context: MemoryContext, { candidate, vector }: EmbeddedCandidate): RecallQuery {
  return {
    searchText: searchText(candidate.content),
    vector,
    mode: 'hybrid',
    limit: context.settings.observation.neighbours,
    denseWeight: context.settings.recall.denseWeight,
    maxDistance: null,
    minCoverage: null,
    minScore: null,
    // Of the ten nearest the last ones decide nothing, and a turn shall cost no more the more is known.
    approximate: true,
  };
}

export function neighboursOf(hits: readonly RecallHit[]): Neighbour[] {
  return hits.map(({ memory, score, distance }) => ({ memory, score, distance }));
}

/** What the model's calls cost is counted while they are made. */
type ConsolidationDetail = TokenTally & { counts: Record<DecisionAction, number>; skipped: number };

/**
 * Reads each candidate's neighbours and decides; no transaction and no connection is held meanwhile. What the calls cost is
 * added to `tally`.
 */
export async function consolidate(
  context: MemoryContext,
  scope: Scope,
  candidates: readonly EmbeddedCandidate[],
  tally: TokenTally,
): Promise<readonly Consolidated[]> {
  if (candidates.length === 0) return [];
  const withModel = context.settings.observation.consolidation === 'llm';
  const detail = { counts: noCounts(), inputTokens: 0, outputTokens: 0, skipped: 0 };
  try {
    return await weigh(context, scope, candidates, withModel, detail);
  } finally {
    addTokens(tally, detail);
  }
}

function weigh(
  context: MemoryContext,
  scope: Scope,
  candidates: readonly EmbeddedCandidate[],
  withModel: boolean,
  detail: ConsolidationDetail,
): Promise<readonly Consolidated[]> {
  return measured(
    context,
    'engram.consolidate',
    scope,
    detail,
    async () => {
      const results: Consolidated[] = [];
      for (const embedded of candidates) {
        const query = neighbourQuery(context, embedded);
        const hits = await inDatabase(context, 'SELECT', 'memories', () => context.store.recall(scope, query));
        const neighbours = neighboursOf(hits);
        const decision = withModel
          ? await consolidateWithModel(context, embedded.candidate, neighbours, detail)
          : decideByRules(embedded.candidate, neighbours);
        results.push({ ...embedded, neighbours, decision });
      }
      return results;
    },
    (results) => {
      const counts = noCounts();
      for (const { decision } of results) if (decision) counts[decision.action] += 1;
      return { ...detail, counts, skipped: results.filter(({ decision }) => decision === null).length };
    },
  );
}
