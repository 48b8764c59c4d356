/** The least that must hold, in one place, with the reason. `npm run eval` ends with exit code 1 when one is missed. */
export interface Floor {
  readonly metric: string;
  readonly least: number;
  readonly why: string;
}

export interface MissedFloor extends Floor {
  readonly measured: number | undefined;
}

const PROMISED = 'What the README promises of the defaults.';
const NO_WORSE =
  'What was measured when this floor was written, less a little: a change that falls below made it worse.';

export const LABELLED_FLOORS: readonly Floor[] = [
  { metric: 'recall.recall@5', least: 0.85, why: PROMISED },
  { metric: 'recall.negatives silent', least: 0.9, why: PROMISED },
  { metric: 'recall.negatives silent.small talk', least: 0.95, why: PROMISED },
  { metric: 'recall.right above distractor', least: 0.7, why: NO_WORSE },
  {
    metric: 'extraction.facts found',
    least: 0.6,
    why: 'Rules for English, not a model: what they miss is missed quietly.',
  },
  { metric: 'extraction.nothing invented', least: 0.9, why: 'An invented profile is worse than a missed fact.' },
  { metric: 'consolidation.right decisions', least: 0.75, why: NO_WORSE },
  { metric: 'consolidation.contradictions resolved', least: 0.8, why: PROMISED },
  { metric: 'consolidation.repeats folded', least: 0.9, why: 'Said again is not one more row.' },
];

export const LOCOMO_FLOORS: readonly Floor[] = [
  { metric: 'turns.ranking.recall@10', least: 0.64, why: 'What was reached by hand with the same embedder and BM25.' },
  { metric: 'facts.ranking.recall@10', least: 0.62, why: 'What was reached by hand with the same embedder and BM25.' },
  { metric: 'turns.default.recall@10', least: 0.62, why: 'The threshold may cost 2 points, no more.' },
  { metric: 'facts.default.recall@10', least: 0.6, why: 'The threshold may cost 2 points, no more.' },
];

export function missedFloors(floors: readonly Floor[], measured: Readonly<Record<string, number>>): MissedFloor[] {
  return floors
    .map((floor) => ({ ...floor, measured: measured[floor.metric] }))
    .filter(({ least, measured: value }) => value === undefined || value < least);
}
