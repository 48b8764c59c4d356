import type { Statement } from '../../../model/statement.js';

/** A predicate, and which of its values are meant. */
type Side = readonly [predicate: RegExp, value: RegExp];

/** Source of a pattern: of whom people have one at a time. */
export const PARTNER = 'wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend';

/** What cannot be so at the same time, though it is said of different things. */
const EXCLUSIVE: readonly (readonly [Side, Side])[] = [
  [
    [/^live$/, /^alone$/],
    [/^live$/, /^with (?!(?:\d|one|two|three|four|five|dogs?|cats?|pets?|kids|children)\b)/],
  ],
  [
    [/^have$/, /^own place$/],
    [/^live$/, /^with (?:parents|mum|mom|mother|dad|father|grandparents|.*(?:roommates?|flatmates?|housemates?))$/],
  ],
  [
    [/^give$/, /^birth\b/],
    [/^be(?: .+ pregnant)?$/, /^(?:pregnant|\d+)$/],
  ],
  [
    [/^drop$/, /^out of\b/],
    [/^(?:profession|job)$/, /^(?:[a-z]+ )?(?:student|undergraduate)$/],
  ],
  [
    [/^graduate$/, /./],
    [/^(?:profession|job)$/, /^(?:[a-z]+ )?(?:student|undergraduate)$/],
  ],
  [
    [/^be$/, /^(?:unemployed|out of work|retired|jobless|between jobs)$/],
    [/^employer$/, /./],
  ],
  [
    [/^marital status$/, /^single$/],
    [new RegExp(`^have (?:${PARTNER})$`), /./],
  ],
  [
    [/^marital status$/, /^single$/],
    [/^have$/, new RegExp(`^(?:new )?(?:${PARTNER})\\b`)],
  ],
  [
    [/^marital status$/, /^(?:divorced|widowed)$/],
    [/^have (?:wife|husband|spouse)$/, /./],
  ],
  [
    [/^marital status$/, /^(?:divorced|widowed)$/],
    [/^have$/, /^(?:wife|husband|spouse)$/],
  ],
  [
    [/^be$/, /^(?:morning person|early bird)$/],
    [/^be$/, /^night owl$/],
  ],
  [
    [/^diet$/, /^(?:vegan|vegetarian)$/],
    [/^eat$/, /^(?:red )?(?:meat|beef|pork|chicken|lamb|steaks?|poultry|bacon|ham|sausages)$/],
  ],
  [
    [/^diet$/, /^vegan$/],
    [/^eat$/, /^(?:fish|dairy|cheese|eggs?|butter|honey|yoghurt|yogurt|seafood)$/],
  ],
];

/** Whether the user says of themselves what leaves no room for what they said before: "Is vegan", and "Eats meat". */
export function excludes(said: Statement, old: Statement): boolean {
  if (said.negated || old.negated || said.additional || said.subject !== 'user') return false;
  return EXCLUSIVE.some(
    ([one, other]) => (isOn(one, said) && isOn(other, old)) || (isOn(other, said) && isOn(one, old)),
  );
}

function isOn([predicate, value]: Side, statement: Statement): boolean {
  return predicate.test(statement.predicate) && value.test(statement.value);
}
