import { words } from '../../../model/search-text.js';
import { clausesOf, parseStatement } from '../../../model/statement.js';
import { standsIn } from '../../telling-words.js';
import { deniesInWords, isWordOfDenial } from '../../words-of-denial.js';
import { consolidateByRules } from './heuristic-consolidator.js';

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
  if (deniesInWords(one) === deniesInWords(other)) return false;
  const telling = (sentence: string): string[] =>
    words(sentence).filter((word) => !isWordOfDenial(word) && !BESIDE_DENIAL.has(word));
  const [a, b] = [telling(one), telling(other)];
  const standsAll = (some: readonly string[], all: readonly string[]): boolean =>
    some.every((word) => standsIn(word, new Set(all)));
  return a.length > 0 && b.length > 0 && standsAll(a, b) && standsAll(b, a);
}

/** Whether a sentence denies something, by itself or in so many words. */
export function isDenial(sentence: string): boolean {
  return deniesInWords(sentence) || clausesOf(sentence).some((clause) => parseStatement(clause)?.negated === true);
}
