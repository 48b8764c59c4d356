import type { MemoryContext } from '../../../memory/memory-context.js';
import { contentHash } from '../../../model/content.js';
import type { Candidate, Decision } from '../../../model/decision.js';
import { askModel } from '../../ask-model.js';
import type { Neighbour } from '../neighbour.js';
import { CONSOLIDATION_SCHEMA, consolidationPrompt } from './consolidation-prompt.js';
import { parseDecision } from './parse-decision.js';

export interface ModelDecision {
  /** Null: the model named a memory that was not offered. */
  readonly decision: Decision | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Neighbours of the candidate's own kind first; within a kind the order of nearness stays. */
function sameKindFirst(candidate: Candidate, neighbours: readonly Neighbour[]): Neighbour[] {
  const rank = ({ memory }: Neighbour): number => (memory.kind === candidate.kind ? 0 : 1);
  return [...neighbours].sort((a, b) => rank(a) - rank(b));
}

/**
 * Asks the model about one candidate. No call where there is nothing to weigh: no neighbours is a plain add, an equal
 * text is known.
 */
export async function consolidateWithModel(
  context: MemoryContext,
  candidate: Candidate,
  neighbours: readonly Neighbour[],
): Promise<ModelDecision> {
  const free = { inputTokens: 0, outputTokens: 0 };
  if (neighbours.length === 0) return { decision: { action: 'add', candidate }, ...free };
  const hash = contentHash(candidate.content);
  const equal = neighbours.find(({ memory }) => contentHash(memory.content) === hash);
  if (equal) return { decision: { action: 'noop', candidate, memoryId: equal.memory.id }, ...free };

  const offered = sameKindFirst(candidate, neighbours).map(({ memory }, index) => ({
    alias: String(index + 1),
    memory,
  }));
  const input = {
    candidate: { content: candidate.content, kind: candidate.kind },
    neighbours: offered.map(({ alias, memory }) => ({ alias, content: memory.content, kind: memory.kind })),
  };
  return askModel(context, async (signal) => {
    const answer = await context.completion.complete({
      task: 'consolidate',
      input,
      prompt: consolidationPrompt(input),
      schema: CONSOLIDATION_SCHEMA,
      signal,
    });
    const ids = new Map(offered.map(({ alias, memory }) => [alias, memory.id]));
    return {
      decision: parseDecision(answer.text, candidate, ids, context.settings.limits.contentLength),
      inputTokens: answer.usage?.inputTokens ?? 0,
      outputTokens: answer.usage?.outputTokens ?? 0,
    };
  });
}
