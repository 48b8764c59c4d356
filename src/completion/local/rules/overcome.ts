import { FEARED } from './feared.js';
import { LATELY, fact, isLongAgo } from './rule.js';
import type { Rule } from './rule.js';

const WHEN = '((?: (?:yesterday|today|last [a-z]+|this [a-z]+|on [A-Za-z]+|in [A-Z][a-z]+))?)';
const PAID_OFF = new RegExp(
  `^I ${LATELY}paid off (?:my|the) ((?:(?:student|car|home|bank) )?(?:mortgage|loans?|debts?|credit card|house|car))$`,
  'i',
);
const FEAR = new RegExp(`^I ${LATELY}(?:got over|overcame|overcome|conquered|lost) my fear of (${FEARED})$`, 'i');
const OUTGROWN = new RegExp(`^I ${LATELY}(?:outgrew|outgrown|got rid of) my ([\\p{L}-]+) allergy$`, 'iu');
const DELIVERED = new RegExp(
  `^I ${LATELY}(?:(gave birth(?: to (?:an? )?(?:(?:healthy|baby|beautiful|little) )*(?:boys?|girls?|son|daughter|twins))?)|had (?:the|my) (?:baby|twins))${WHEN}$`,
  'u',
);
const LOST_SPOUSE = new RegExp(
  `^my (?:husband|wife)(?:,? \\p{Lu}\\p{Ll}+,?)? (?:has )?(?:sadly |recently |just )*(?:passed away|died)\\b`,
  'u',
);
const FIELD =
  '(?:medicine|law|engineering|physics|chemistry|biology|maths?|mathematics|history|philosophy|psychology|economics|business|computer science|nursing|architecture|art|design|literature|linguistics|sociology|politics|geography|theology|music)';
const DROPPED_OUT = new RegExp(
  `^I ${LATELY}dropped out of (?:(college|university|uni|(?:[a-z]+ )?school)|(${FIELD}))${WHEN}$`,
  'u',
);
/** "Has lost" of weight. */
const LOST_WEIGHT = new RegExp(`^I ${LATELY}lost (\\d+ ?(?:kg|kgs|kilos?|pounds|lbs))$`, 'i');

/** What is behind one: a debt, a fear, an allergy, a pregnancy, a spouse, a course of studies. */
export const overcome: Rule = ({ text, calendar }) => {
  if (isLongAgo(text)) return null;
  const debt = PAID_OFF.exec(text)?.[1];
  if (debt !== undefined) return fact(`Paid off the ${debt}`);
  const fear = FEAR.exec(text)?.[1];
  if (fear !== undefined) return fact(`Is not afraid of ${fear}`);
  const allergen = OUTGROWN.exec(text)?.[1];
  if (allergen !== undefined) return fact(`Does not have a ${allergen} allergy`);
  const delivered = DELIVERED.exec(text);
  if (delivered) {
    const birth = delivered[1]?.replace(/^gave/, 'Gave') ?? 'Gave birth';
    return fact(calendar.absolute(`${birth}${delivered[2]}`, { past: true }));
  }
  if (LOST_SPOUSE.test(text)) return fact('Is widowed');
  const dropped = DROPPED_OUT.exec(text);
  if (dropped) return fact(dropped[1] === undefined ? `Does not study ${dropped[2]}` : `Dropped out of ${dropped[1]}`);
  const weight = LOST_WEIGHT.exec(text)?.[1];
  return weight === undefined ? null : fact(`Lost ${weight}`);
};
