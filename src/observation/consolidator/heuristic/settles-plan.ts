import { OCCASION } from '../../../model/occasion.js';
import type { Statement } from '../../../model/statement.js';
import { canonicalValue } from '../../../model/statement.js';
import { remainder, sameValue, undated } from './values.js';

/** What a memory tells as ahead. */
const AHEAD =
  /^(?:want to |have .*\b(?:appointment|interview|exam|surgery|operation|flight|wedding|trip|holiday|vacation|check-?up|concert|conference|recital|marathon)\b|be (?:moving|relocating|flying|travell?ing|going|visiting|driving|heading|planning|training|saving|preparing|getting|having|running|hosting|attending|starting) )/;
/** By what verbs a plan tells of an occasion that is called off by its name. */
const TOLD_BY: readonly (readonly [occasion: RegExp, plan: RegExp])[] = [
  [/^move$/, /^(?:be (?:moving|relocating)|want to (?:move|relocate)) /],
  [
    /^(?:trip|journey|flight|holiday|vacation|honeymoon|cruise)$/,
    /^(?:be (?:flying|travell?ing|going|visiting|driving|heading)|want to (?:visit|travel|fly|go)) /,
  ],
  [/^wedding$/, /^be getting married\b/],
];
const NAMES_OCCASION = new RegExp(`\\b${OCCASION}\\b`);
const BESIDE_NAMES = new Set(['to', 'in', 'with']);
const ON_THE_WAY =
  /^be (?:flying|travell?ing|going|visiting|driving|heading|(?:planning|saving(?: up)? for) .*\b(?:trip|holiday|vacation|journey)\b.*) /;

/** What is said of a plan: it has come true, it is called off, or one is called off that may be this. */
export type Settled = 'reached' | 'called off' | 'perhaps called off';

/** Whether a plan that a memory tells of is settled by what is said. */
export function settlesPlan(said: Statement, old: Statement): Settled | null {
  const plan = `${old.predicate} ${old.value}`.trim();
  if (said.subject !== 'user' || old.subject !== 'user' || old.negated || !AHEAD.test(`${plan} `)) return null;
  if (said.predicate === 'call off') return callsOff(said.value, plan);
  if (said.negated && said.predicate === old.predicate && startsWith(old.value, said.value)) return 'called off';
  return isReached(said, plan) ? 'reached' : null;
}

const DAY = / (?:on|in|moved to) (?:the week(?:end)? of |[a-z]+ )?\d{4}(?:-\d\d-\d\d)?$/i;

/** A memory with the day to which its appointment was moved; whether it is told as the same one, or may be it. */
export interface NewDay {
  readonly content: string;
  readonly plainly: boolean;
}

/** "Has an interview moved to 2026-03-11", of the interview at Google. Null where it is another one, or none was moved. */
export function onNewDay(moved: string, known: string): NewDay | null {
  const [day = '', before] = [DAY.exec(moved)?.[0], DAY.exec(known)];
  if (!day.startsWith(' moved to ') || before === null) return null;
  const [what, old] = [moved.slice(0, -day.length), known.slice(0, before.index)].map((words) =>
    words.replace(/^Has an? /, ''),
  );
  if (what === undefined || old === undefined) return null;
  const plainly = startsWith(old, what);
  return plainly || old.endsWith(` ${what}`) ? { content: known.replace(DAY, day), plainly } : null;
}

function callsOff(what: string, plan: string): Settled | null {
  const occasion = NAMES_OCCASION.exec(what)?.[0] ?? '';
  const named = what
    .replace(occasion, '')
    .split(' ')
    .filter((word) => word !== '' && !BESIDE_NAMES.has(word));
  const words = new Set(plan.split(' '));
  // Of more than one word, some of them: "half marathon".
  const isTold =
    (occasion !== '' && ` ${plan} `.includes(` ${occasion} `)) ||
    TOLD_BY.some(([name, verbs]) => name.test(occasion) && verbs.test(`${plan} `));
  if (!isTold || !named.every((word) => words.has(word))) return null;
  return named.length > 0 ? 'called off' : 'perhaps called off';
}

function isReached(said: Statement, plan: string): boolean {
  if (said.negated) {
    const [, stem = ''] = /^want to (?:quit|stop|give up) ([a-z]+)ing$/.exec(plan) ?? [];
    return stem !== '' && [stem, `${stem}e`, stem.slice(0, -1)].includes(said.predicate) && said.value === '';
  }
  const wanted = (verbs: string): string => canonicalValue(new RegExp(`^(?:${verbs}) (.+)$`).exec(plan)?.[1] ?? '');
  const { predicate } = said;
  const value = undated(said.value);
  if (/^(?:have|drive)\b/.test(predicate))
    return sameValue(
      predicate.startsWith('have ') ? predicate.slice(5) : value,
      wanted('be saving(?: up)? for|want to (?:buy|get|own|have|adopt)'),
    );
  const [, run = ''] = /^(?:run|finish) (.+)$/.exec(undated(`${predicate} ${said.value}`)) ?? [];
  if (run !== '')
    return startsWith(wanted('be (?:training|preparing) for|want to (?:run|finish|complete|do)|be running'), run);
  if (predicate === 'residence')
    return startsWith(wanted('want to (?:move|relocate) to|be (?:moving|relocating) to'), value);
  if (predicate === 'marital status' && value === 'married')
    return /^be (?:planning .*wedding|getting married)\b|^want to get married\b/.test(plan);
  if (predicate === 'profession' || predicate === 'job') return sameValue(value, wanted('want to become'));
  if (predicate === 'take') return value.replace(/ (?:lessons|classes)$/, '') === wanted('want to learn(?: to play)?');
  if (predicate === 'be' && value.startsWith('learning ')) return value.slice(9) === wanted('want to learn');
  if (predicate === 'pay off') return value === wanted('want to pay off');
  if (predicate === 'lose') return value === wanted('want to lose');
  const to = /^(?:visit (.+)|(?:go|travel|fly) to (.+))$/.exec(`${predicate} ${said.value}`);
  if (to) return startsWith(to[1] ?? to[2] ?? '', wanted('want to (?:visit|see|(?:go|travel|fly) to)'));
  const [, from = ''] = predicate === 'come' ? (/^back from (.+)$/.exec(value) ?? []) : [];
  return from !== '' && ON_THE_WAY.test(plan) && ` ${plan} `.includes(` ${from} `);
}

function startsWith(whole: string, part: string): boolean {
  return part !== '' && (whole === part || remainder(part, whole) !== '');
}
