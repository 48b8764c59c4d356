import type { DoneWith, HowDone } from '../../../model/done-with.js';
import { canonicalValue, clausesOf, parseStatement } from '../../../model/statement.js';
import type { Statement } from '../../../model/statement.js';
import { covers, listOf } from './values.js';

/** Under way, and told by its participle. */
const UNDER_WAY =
  '(?:learning(?: to play)?|studying(?: for)?|training(?: for)?|preparing(?: for)?|saving(?: up)?(?: for)?|taking|doing|writing|reading|building|making|knitting|restoring|renovating|developing|creating|growing|practi[cs]ing|working on|planning)';
/** What a memory must tell of, by its verb and value, so that something may be over in this way. */
const TELLS_OF: Readonly<Record<HowDone, RegExp>> = {
  'given up': new RegExp(
    `^(?:(?:play|practi[cs]e|take|eat|drink|smoke|follow|do|sing|dance|host|coach|grow|collect|watch|read|volunteer|attend|study|regimen|keep|bite) |be ${UNDER_WAY} )`,
  ),
  finished: new RegExp(`^(?:be ${UNDER_WAY}|want to (?:write|finish|complete|read|build|make|restore|renovate)) `),
  left: /^(?:sing|play|dance|volunteer|row|coach|be (?:in|on|part of|member of)|employer|work)\b/,
  gone: /^(?:drive|ride|own|have|car|laptop|phone|bike)\b/,
};
const LEADING = new RegExp(
  `^(?:${UNDER_WAY}|be|write|finish|complete|read|build|make|restore|renovate|in|at|with|for|on|as|part of|member of) `,
);

/** What a memory becomes; null where it holds nothing any more. */
export interface SettledMemory {
  readonly id: string;
  readonly content: string | null;
}

/** The memory of what is over. Null where none is of it, and where of several nobody can tell which. */
export function settleDone(
  { what, how }: DoneWith,
  known: readonly { readonly id: string; readonly content: string }[],
): SettledMemory | null {
  const wanted = canonicalValue(what).replace(/ diet$/, '');
  const told = known.flatMap(({ id, content }) =>
    clausesOf(content).flatMap((clause) => {
      const old = parseStatement(clause);
      return old && isOf(wanted, how, old) ? [{ id, content, clause }] : [];
    }),
  );
  const [only, another] = told;
  if (!only || another) return null;
  if (how === 'finished') return { id: only.id, content: `Finished the ${what}` };
  const denied = denial(only.clause);
  if (only.clause === only.content.replace(/[.!;]+$/, '')) return { id: only.id, content: denied };
  return denied === null ? null : { id: only.id, content: only.content.replace(only.clause, denied) };
}

function isOf(wanted: string, how: HowDone, old: Statement): boolean {
  if (old.subject !== 'user' || old.negated || old.replaces !== null) return false;
  if (old.predicate === 'be' && old.value === wanted) return true;
  if (!TELLS_OF[how].test(`${old.predicate} ${old.value}`)) return false;
  let thing = old.value;
  for (let bare = thing.replace(LEADING, ''); bare !== thing; bare = thing.replace(LEADING, '')) thing = bare;
  // "Learning to knit", and "knitting".
  const [, stem = ''] = /^([a-z]{3,})ing$/.exec(wanted) ?? [];
  if (stem !== '' && [stem, `${stem}e`, stem.slice(0, -1)].some((verb) => thing === `to ${verb}`)) return true;
  const isThing =
    listOf(thing).length === 1 && (thing === wanted || covers(wanted, thing) || thing.endsWith(` ${wanted}`));
  return isThing || (how === 'gone' && old.predicate === `have ${wanted}`);
}

/** "Sings in a choir" -> "Does not sing in a choir". What was under way leaves nothing: null. */
function denial(clause: string): string | null {
  const [, verb = '', rest = ''] = /^(?:Also )?([A-Za-z]+)(.*)$/.exec(clause) ?? [];
  const finite = verb.toLowerCase();
  if (finite === 'has') return `Does not have${rest}`;
  if (finite === 'is' || !/[^s]s$/.test(finite) || / (?:is|are) /.test(clause)) return null;
  const base = /ies$/.test(finite)
    ? `${finite.slice(0, -3)}y`
    : /(?:sh|ch|x|z|ss|o)es$/.test(finite)
      ? finite.slice(0, -2)
      : finite.slice(0, -1);
  return `Does not ${base}${rest}`;
}
