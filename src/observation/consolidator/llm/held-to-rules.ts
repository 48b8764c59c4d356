import type { Candidate, Decision } from '../../../model/decision.js';
import { clausesOf, parseStatement } from '../../../model/statement.js';
import { decideByRules } from '../heuristic/decide-by-rules.js';
import { isDenial, saysOpposite } from '../heuristic/says-opposite.js';
import type { Neighbour } from '../neighbour.js';

/** That somebody does not like, eat or bear a thing is worth as much as that they do. */
const WORTH_DENYING = new Set(['like', 'eat', 'drink', 'smoke', 'allergy']);

/**
 * A model's decision, where it neither loses the statement nor leaves it beside its opposite; else what the rules make of
 * it. A changed mind ends as one memory, whatever the model calls it:
 * - an add beside the opposite takes its place,
 * - a noop or a forget of what the statement changes is an update; a forget stands where the statement only says that
 *   something has ended,
 * - a noop beside one of another name ("a dog called Max" and "a dog called Maxine") is what the rules make of it,
 * - a change of one memory, where the rules see that another one is meant, is a change of that one.
 * What happened contradicts nothing, and nothing contradicts it.
 */
export function heldToRules(decision: Decision, candidate: Candidate, neighbours: readonly Neighbour[]): Decision {
  if (candidate.kind === 'episodic') return decision;
  const lasting = neighbours.filter(({ memory }) => memory.kind !== 'episodic');
  if (decision.action === 'add') {
    const opposite = lasting.find(({ memory }) => saysOpposite(candidate.content, memory.content));
    return opposite ? changed(candidate, opposite) : decision;
  }
  const named = lasting.find(({ memory }) => memory.id === decision.memoryId);
  const meant = decideByRules(candidate, lasting);
  if (!named) return decision.memoryId === null && meant.action !== 'add' ? meant : decision;
  const byRules = decideByRules(candidate, [named]);
  if (byRules.action === 'add' && meant.action !== 'add') return meant;
  if (decision.action === 'update') return decision;
  if (decision.action === 'noop' && namesAnother(candidate.content, named.memory.content)) return meant;
  if (decision.action === 'noop')
    return saysOpposite(candidate.content, named.memory.content) || byRules.action === 'update'
      ? changed(candidate, named)
      : decision;
  if (byRules.action === 'noop' || byRules.action === 'forget') return byRules;
  return isDenial(candidate.content) && !isWorthDenying(candidate) ? decision : changed(candidate, named);
}

/** What the rules make of a memory that the statement changes; where they do not understand it, the statement takes its place. */
function changed(candidate: Candidate, neighbour: Neighbour): Decision {
  const byRules = decideByRules(candidate, [neighbour]);
  return byRules.action === 'update' || byRules.action === 'forget'
    ? byRules
    : { action: 'update', candidate, memoryId: neighbour.memory.id, content: candidate.content };
}

/** A name is told again letter by letter or it is another one; of anything else there are many wordings. */
function namesAnother(one: string, other: string): boolean {
  const [said, known] = [parseStatement(one), parseStatement(other)];
  if (!said || !known || said.predicate !== known.predicate || !said.predicate.startsWith('have ')) return false;
  const names = new Set(known.value.split(' '));
  return said.subject === known.subject && !said.value.split(' ').every((name) => names.has(name));
}

function isWorthDenying({ content, kind }: Candidate): boolean {
  return (
    kind === 'preference' ||
    clausesOf(content).some((clause) => WORTH_DENYING.has(parseStatement(clause)?.predicate ?? ''))
  );
}
