import type { Candidate, Decision } from '../../../model/decision.js';
import type { Neighbour } from '../neighbour.js';
import { consolidateByRules } from './heuristic-consolidator.js';

/** Decides without a model, from the sentences alone. */
export function decideByRules(candidate: Candidate, neighbours: readonly Neighbour[]): Decision {
  const ruled = consolidateByRules(
    candidate,
    neighbours.map(({ memory, score, distance }) => ({
      id: memory.id,
      content: memory.content,
      kind: memory.kind,
      score,
      distance,
    })),
  );
  return { ...ruled, candidate };
}
