import { ProviderError } from '../../../errors/provider-error.js';
import type { MemoryContext } from '../../../memory/memory-context.js';
import { contentHash } from '../../../model/content.js';
import type { Candidate, Decision } from '../../../model/decision.js';
import { askModel } from '../../ask-model.js';
import type { TokenTally } from '../../ask-model.js';
import { decideByRules } from '../heuristic/decide-by-rules.js';
import { consolidateByRules } from '../heuristic/heuristic-consolidator.js';
import type { Neighbour } from '../neighbour.js';
import { CONSOLIDATION_SCHEMA, consolidationPrompt } from './consolidation-prompt.js';
import { heldToRules } from './held-to-rules.js';
import { parseDecision } from './parse-decision.js';

/** Neighbours of the candidate's own kind first; within a kind the order of nearness stays. */
function sameKindFirst(candidate: Candidate, neighbours: readonly Neighbour[]): Neighbour[] {
  const rank = ({ memory }: Neighbour): number => (memory.kind === candidate.kind ? 0 : 1);
  return [...neighbours].sort((a, b) => rank(a) - rank(b));
}

/**
 * Asks the model about one candidate. No call where there is nothing to weigh: no neighbours is a plain add, an equal
 * text is known. Where the model refuses to weigh them, the rules do: a memory that no model wants to see must not cost
 * all that is said near it.
 * @param tally told what the call cost
 * @returns null where the model named a memory that was not offered
 */
export async function consolidateWithModel(
  context: MemoryContext,
  candidate: Candidate,
  neighbours: readonly Neighbour[],
  tally: TokenTally,
): Promise<Decision | null> {
  if (neighbours.length === 0) return { action: 'add', candidate };
  const hash = contentHash(candidate.content);
  const equal = neighbours.find(({ memory }) => contentHash(memory.content) === hash);
  if (equal) return { action: 'noop', candidate, memoryId: equal.memory.id };

  const { maxDistance } = context.embedder.calibration;
  const offered = sameKindFirst(candidate, neighbours).map(({ memory, distance, score }, index) => ({
    alias: String(index + 1),
    memory,
    // "Lives in Munich" and "Is based in Berlin" share no word, and an embedder may set them apart: the rules know better.
    near:
      (distance !== null && distance <= maxDistance) ||
      consolidateByRules(candidate, [{ ...memory, distance, score }]).action !== 'add',
  }));
  const input = {
    candidate: { content: candidate.content, kind: candidate.kind },
    neighbours: offered.map(({ alias, memory }) => ({ alias, content: memory.content, kind: memory.kind })),
  };
  const byAlias = new Map(
    offered.map(({ alias, memory, near }) => [alias, { memoryId: memory.id, content: memory.content, near }]),
  );
  try {
    const decision = await askModel(
      context,
      { task: 'consolidate', input, prompt: consolidationPrompt(input), schema: CONSOLIDATION_SCHEMA },
      tally,
      (text) => parseDecision(text, candidate, byAlias, context.settings.limits.contentLength),
    );
    return decision && heldToRules(decision, candidate, neighbours);
  } catch (error) {
    if (error instanceof ProviderError && error.fault === 'refused') return decideByRules(candidate, neighbours);
    throw error;
  }
}
