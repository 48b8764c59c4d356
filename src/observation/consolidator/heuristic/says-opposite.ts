import { words } from '../../../model/search-text.js';
import { clausesOf, parseStatement } from '../../../model/statement.js';
import { standsIn } from '../../telling-words.js';
import { consolidateByRules } from './heuristic-consolidator.js';

/** Words that turn a sentence into its denial, in the languages that have such words. */
const NEGATING = new Set(
  (
    "not no never none cannot don't doesn't didn't isn't aren't wasn't can't won't hasn't haven't " +
    'nicht kein keine keinen keinem keiner keines nie niemals ne pas jamais nunca jamás tampoco non mai não nem ' +
    'niet geen nooit inte ingen aldrig ikke nigdy не нет никогда δεν لا ليس لم नहीं 不 没 没有'
  ).split(' '),
);
/** What goes with a denial and says nothing by itself: "no longer", "any more", "nicht mehr", "ya no". */
const BESIDE_DENIAL = new Set(
  'any more anymore longer do does did has have is are a an the mehr länger ya plus più já mais meer больше'.split(' '),
);

/** Of two sentences, one says that it is so and the other that it is not. What neither rules nor words show counts as no. */
export function saysOpposite(one: string, other: string): boolean {
  return contradicts(one, other) || differInDenialOnly(one, other);
}

function contradicts(one: string, other: string): boolean {
  const read = (sentence: string): boolean[] =>
    clausesOf(sentence).flatMap((clause) => parseStatement(clause)?.negated ?? []);
  const [said, known] = [read(one), read(other)];
  if (!said.some((negated) => known.includes(!negated))) return false;
  const { action } = consolidateByRules({ content: one, kind: 'fact' }, [
    { id: 'other', content: other, kind: 'fact', score: 0, distance: null },
  ]);
  return action === 'update' || action === 'forget';
}

function differInDenialOnly(one: string, other: string): boolean {
  const [said, known] = [words(one), words(other)];
  if (said.some((word) => NEGATING.has(word)) === known.some((word) => NEGATING.has(word))) return false;
  const telling = (all: readonly string[]): string[] =>
    all.filter((word) => !NEGATING.has(word) && !BESIDE_DENIAL.has(word));
  const [a, b] = [telling(said), telling(known)];
  const standsAll = (some: readonly string[], all: readonly string[]): boolean =>
    some.every((word) => standsIn(word, new Set(all)));
  return a.length > 0 && b.length > 0 && standsAll(a, b) && standsAll(b, a);
}

/** Whether a sentence denies something, by itself or in so many words. */
export function isDenial(sentence: string): boolean {
  return (
    words(sentence).some((word) => NEGATING.has(word)) ||
    clausesOf(sentence).some((clause) => parseStatement(clause)?.negated === true)
  );
}
