import type { Candidate } from '../model/decision.js';
import { consolidateByRules } from './consolidator/heuristic/heuristic-consolidator.js';

/**
 * Lets a later statement of a turn correct an earlier one ("I live in Berlin. Well, since May in Munich."): by the rules
 * that weigh a candidate against memories, so that both never reach the store side by side.
 */
export function foldCandidates(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    const earlier = kept.map(({ content, kind, messageNo }, index) => ({
      id: String(index),
      content,
      kind,
      score: 0,
      distance: null,
      saidWith: messageNo === candidate.messageNo,
    }));
    const ruled = consolidateByRules(candidate, earlier);
    // What is over may be among the memories: of the turn alone nobody can tell.
    if (ruled.action === 'noop' && ruled.memoryId !== null) continue;
    if (ruled.action === 'update' || ruled.action === 'forget') kept.splice(Number(ruled.memoryId), 1);
    kept.push(ruled.action === 'update' ? { ...candidate, content: ruled.content } : candidate);
  }
  return kept;
}
