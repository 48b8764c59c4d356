import { canonicalContent } from '../../../model/content.js';
import type { MemoryKind } from '../../../model/kind.js';
import { readDoneWith } from '../../../model/done-with.js';
import { PET } from '../../../model/pet.js';
import { canonicalValue, clausesOf, parseStatement } from '../../../model/statement.js';
import type { Statement } from '../../../model/statement.js';
import { changesEmployer, changesJob } from './changes-job.js';
import { corrects } from './corrects.js';
import { excludes } from './excludes.js';
import { isParted } from './is-parted.js';
import { oneFewer } from './one-fewer.js';
import { settleDone } from './settle-done.js';
import { onNewDay, settlesPlan } from './settles-plan.js';
import { changesDay, exchanged, leavesHabit, outdated } from './takes-place.js';
import { covers, remainder, sameValue } from './values.js';

/** A memory that may be about the same thing. */
export interface RuledNeighbour {
  readonly id: string;
  readonly content: string;
  readonly kind: MemoryKind;
  /** 0-1, higher is closer. */
  readonly score: number;
  /** Cosine distance 0-2, null where words alone found it. */
  readonly distance: number | null;
  /** Said in one breath with the candidate: of two jobs both are held then. @default false */
  readonly saidWith?: boolean;
}

export type RuledDecision =
  | { readonly action: 'add' }
  | { readonly action: 'update'; readonly memoryId: string; readonly content: string }
  | { readonly action: 'forget'; readonly memoryId: string }
  /** `memoryId` is what holds it; null where something unknown is over, and there is nothing to keep. */
  | { readonly action: 'noop'; readonly memoryId: string | null };

const IS_PET = new RegExp(`^(?:[a-z]+ )*${PET}$`);
/** A new value says that the old one has ended; elsewhere "not X" and "Y" hold side by side. */
const DENIAL_ENDS_WITH_NEW_VALUE = new Set(['residence', 'plan', 'employer', 'job', 'profession', 'diet']);
/** What one is or has one of: when it is so no longer, there is nothing left to know. */
const LEAVES_NOTHING = /^(?:job|profession|employer|diet|regimen|residence|marital status|be|plan\b.*)$/;
/** Wordings of one thing, of which neither takes the place of the other. */
const ALIKE: readonly (readonly [string, string])[] = [
  ['job', 'be'],
  ['job', 'profession'],
  ['profession', 'be'],
  ['use', 'switch to'],
  ['name', 'form of address'],
];
/** "Now" and "instead" at the end of a sentence, where what was before is gone. */
const SINCE_LATELY = /,? (?:now|nowadays|these days|instead)(?: now)?(?=[.!]*$)/i;

/**
 * Weighs a candidate against what is known, from the sentences alone: scores say only which of several equal cases comes
 * first. Known already is a noop; the same subject and a predicate of one value at a time, or its denial, is an update;
 * a goal given up and a named thing no longer had are forgotten. Where a sentence is not understood, the candidate is
 * added: beside a memory it does less harm than in place of the wrong one.
 */
export function consolidateByRules(
  candidate: { readonly content: string; readonly kind: MemoryKind },
  neighbours: readonly RuledNeighbour[],
): RuledDecision {
  const ordered = [...neighbours].sort(
    (a, b) => b.score - a.score || (a.distance ?? 2) - (b.distance ?? 2) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  const known = ordered.find(({ content }) => sameText(content, candidate.content));
  if (known) return { action: 'noop', memoryId: known.id };
  for (const { id, content } of ordered) {
    const right = corrects(candidate.content, content) ?? oneFewer(candidate.content, content);
    if (right !== null) return { action: 'update', memoryId: id, content: right };
  }
  const done = readDoneWith(candidate.content);
  if (done) {
    const settled = settleDone(
      done,
      ordered.filter(({ kind }) => kind !== 'episodic'),
    );
    if (!settled) return { action: 'noop', memoryId: null };
    const { id, content } = settled;
    return content === null ? { action: 'forget', memoryId: id } : { action: 'update', memoryId: id, content };
  }
  const said = clausesOf(candidate.content).map((clause) => parseStatement(clause));
  const settled = settle(candidate, said, ordered);
  // What happened stays true whatever changed since; only what was ahead does not.
  if (candidate.kind === 'episodic') return settled ?? { action: 'add' };
  const lasting = ordered.filter(({ kind }) => kind !== 'episodic');

  const outgoing = lasting.filter(({ content }) => said.some((statement) => statement && ends(statement, content)));
  const decisions = lasting.flatMap(
    (neighbour) => decide(candidate, said, neighbour, outgoing.length === 1 && outgoing[0] === neighbour) ?? [],
  );
  return (
    decisions.find(({ action }) => action === 'noop') ??
    decisions.find(({ action }) => action !== 'noop') ??
    settled ?? { action: 'add' }
  );
}

/** The plan that is settled by what is said: forgotten when called off, else what has become of it in its place. */
function settle(
  candidate: { readonly content: string },
  said: readonly (Statement | null)[],
  neighbours: readonly RuledNeighbour[],
): RuledDecision | null {
  const [statement] = said;
  if (!statement || said.length > 1) return null;
  const moved = neighbours.flatMap(({ id, content }) => {
    const day = onNewDay(candidate.content, content);
    return day === null ? [] : [{ ...day, memoryId: id }];
  });
  const onDay = moved.find(({ plainly }) => plainly) ?? (moved.length === 1 ? moved[0] : undefined);
  if (onDay) return { action: 'update', memoryId: onDay.memoryId, content: onDay.content };
  const plans = neighbours.flatMap(({ id, content }) => {
    const old = parseStatement(content);
    const outcome = old && settlesPlan(statement, old);
    return outcome === null ? [] : [{ memoryId: id, outcome }];
  });
  const plain = plans.find(({ outcome }) => outcome !== 'perhaps called off') ?? (plans.length === 1 ? plans[0] : null);
  if (!plain) return null;
  const { memoryId, outcome } = plain;
  return outcome === 'reached'
    ? { action: 'update', memoryId, content: candidate.content.replace(SINCE_LATELY, '') }
    : { action: 'forget', memoryId };
}

/** Whether something in a memory seems to be over by what is said. */
function ends(said: Statement, content: string): boolean {
  return clausesOf(content).some((clause) => {
    const old = parseStatement(clause);
    return old !== null && (outdated(said, old) !== null || isParted(said, old) === 'perhaps');
  });
}

/** @param isMeant the one memory that something said may have ended */
function decide(
  candidate: { readonly content: string; readonly kind: MemoryKind },
  said: readonly (Statement | null)[],
  neighbour: RuledNeighbour,
  isMeant: boolean,
): RuledDecision | null {
  const clauses = clausesOf(neighbour.content);
  const update = (content: string): RuledDecision => ({ action: 'update', memoryId: neighbour.id, content });
  // What is in its place now needs no "now" any more.
  const content = said.length === 1 ? candidate.content.replace(SINCE_LATELY, '') : candidate.content;
  let knownClauses = 0;
  for (const statement of said) {
    if (!statement) continue;
    for (const clause of clauses) {
      const old = parseStatement(clause);
      if (!old) continue;
      const gone = exchanged(statement, old) ?? (isMeant ? outdated(statement, old) : null);
      if (gone !== null) {
        const renewed = replaceWord(clause, gone, valueAsWritten(content, statement.value));
        return update(clauses.length > 1 ? neighbour.content.replace(clause, renewed) : renewed);
      }
      const relation = isOver(statement, old, clause, isMeant)
        ? 'changed'
        : relate(statement, old, neighbour.saidWith ?? false);
      if (relation === null) continue;
      if (relation === 'known') {
        knownClauses += 1;
        continue;
      }
      if (relation === 'ended' && clauses.length === 1) return { action: 'forget', memoryId: neighbour.id };
      // The rest of a longer memory still holds: only the clause that changed is written anew.
      return update(
        clauses.length > 1 && said.length === 1 ? neighbour.content.replace(clause, fitted(content, clause)) : content,
      );
    }
  }
  return knownClauses > 0 && knownClauses >= said.length ? { action: 'noop', memoryId: neighbour.id } : null;
}

function isOver(said: Statement, old: Statement, clause: string, isMeant: boolean): boolean {
  // "Adores their bike", which is gone: of bikes in general nothing is over.
  if (said.predicate === 'sell' && old.predicate === 'like' && /\btheir\b/i.test(clause))
    return said.subject === old.subject && !old.negated && sameValue(said.value, old.value);
  const parted = isParted(said, old);
  return parted === 'plainly' || (parted === 'perhaps' && isMeant);
}

type Relation = 'known' | 'changed' | 'ended';

function relate(said: Statement, old: Statement, together: boolean): Relation | null {
  if (said.subject !== old.subject) return null;
  if (said.replaces !== null && said.predicate === old.predicate && sameValue(said.replaces, old.value))
    return 'changed';
  if (excludes(said, old) || leavesHabit(said, old)) return 'changed';
  if (changesEmployer(said, old) || (changesJob(said, old) && !(together && said.renewed === null))) return 'changed';
  const thing = relateThings(said, old);
  if (thing !== null) return thing;
  if (said.predicate !== old.predicate) {
    const alike = ALIKE.some((pair) => pair.includes(said.predicate) && pair.includes(old.predicate));
    if (!alike || old.negated || !sameValue(said.value, old.value)) return null;
    return said.negated ? (said.ended ? 'ended' : 'changed') : 'known';
  }

  if (said.negated !== old.negated) {
    if (sameValue(said.value, old.value) || (said.negated && covers(said.value, old.value))) {
      const named = said.predicate.startsWith('have ');
      const gone = named || said.predicate === 'want' || (said.ended && LEAVES_NOTHING.test(said.predicate));
      return said.negated && gone ? 'ended' : 'changed';
    }
    return !said.negated && said.single && !said.additional && DENIAL_ENDS_WITH_NEW_VALUE.has(said.predicate)
      ? 'changed'
      : null;
  }
  if (sameValue(said.value, old.value)) {
    if (said.detail === '' || said.detail === old.detail) return 'known';
    // Two details of one value can both be true.
    return old.detail === '' ? 'changed' : null;
  }
  if (said.negated) return null;
  // "Plays the cello" against "Plays the cello in an orchestra", "Drives a Volvo" against "Drives an electric Volvo".
  if (covers(said.value, old.value)) return 'known';
  if (said.predicate === 'profession' || said.predicate === 'job')
    return old.value.endsWith(` ${said.value}`)
      ? 'known'
      : said.value.endsWith(` ${old.value}`) && said.single && old.single
        ? 'changed'
        : null;
  if (said.predicate === 'drive' && old.value.endsWith(` ${said.value}`)) return 'known';
  if (/^(?:who|aged|which|that)\b/.test(remainder(said.value, old.value))) return 'known';
  if (!said.single || !old.single) {
    return changesDay(said, old) ? 'changed' : null;
  }
  // Shell and Shell Oil are two; a town and a quarter of it are one place to live in.
  if (said.predicate !== 'employer' && old.value.startsWith(`${said.value} `)) return 'known';
  return said.additional ? null : 'changed';
}

/** "Has a dog" against "Has a dog called Rex": the unnamed one is the named one, unless it is said to be another. */
function relateThings(said: Statement, old: Statement): Relation | null {
  // "Has no pets", and now a hamster.
  if (old.negated && old.predicate === 'have' && !said.negated && isOneOf(old.value, said)) return 'changed';
  if (said.additional || said.predicate === old.predicate) return null;
  const general = said.predicate === 'have' ? said : old.predicate === 'have' ? old : null;
  const particular = general === said ? old : said;
  if (general === null || particular.negated) return null;
  const named = particular.predicate === `have ${general.value}`;
  const counted =
    particular.predicate === `number of ${general.value}` ||
    (general.value === 'child' && /^have (?:[\p{L}\d_-]+ )?(?:child|daughter|son)$/u.test(particular.predicate));
  if (general.negated) return named || counted ? 'changed' : null;
  // "A dog", and then two of them.
  if (general === old && particular.predicate === `number of ${general.value}`) return 'changed';
  if (!named) return null;
  return general === said ? 'known' : 'changed';
}

function isOneOf(kind: string, { predicate, value }: Statement): boolean {
  return kind === 'pet' && /^have(?: .|$)/.test(predicate) && IS_PET.test(predicate.slice('have '.length) || value);
}

const FILLER = new Set(['a', 'an', 'the', 'very', 'really', 'currently', 'now', 'user', 'their', 'his', 'her', 'they']);

/** Equal but for case, punctuation, articles and "The user": every number, name and negation must be there on both sides, in order. */
function sameText(a: string, b: string): boolean {
  return canonicalContent(a) === canonicalContent(b) || plain(a) === plain(b);
}

function plain(content: string): string {
  const words = canonicalValue(content)
    .replace(/\b(?:isn't|is not)\b/g, 'is not')
    .replace(/\b(?:doesn't)\b/g, 'does not')
    .replace(/\b(?:can't|can not)\b/g, 'cannot')
    .split(' ')
    .map((word) => word.replace(/^[("']+|[)"':]+$/g, ''))
    .filter((word) => word !== '' && !FILLER.has(word));
  return words.join(' ');
}

function valueAsWritten(content: string, value: string): string {
  const at = content.toLowerCase().indexOf(value);
  return at < 0 ? value : content.slice(at, at + value.length);
}

function replaceWord(content: string, old: string, value: string): string {
  const at = content.toLowerCase().lastIndexOf(old);
  if (at < 0) return content;
  const before = content
    .slice(0, at)
    .replace(/\ban? $/i, (article) => `${article.charAt(0)}${/^[aeiou]/i.test(value) ? 'n' : ''} `);
  return before + value + content.slice(at + old.length);
}

/** A sentence as a part of another: without its full stop, small where the clause was small. */
function fitted(content: string, clause: string): string {
  const bare = content.replace(/[.!]+$/, '');
  return /^[a-z]/.test(clause) ? bare.charAt(0).toLowerCase() + bare.slice(1) : bare;
}
