import { HEIGHT, MASS_UNIT } from '../../../model/measure-forms.js';
import { NUMBER_WORD } from '../../../model/numerals.js';
import { fact, stated } from './rule.js';
import type { Rule } from './rule.js';

const ONE = `(?:\\d[\\d.,]*k?|${NUMBER_WORD})`;
const NUMBER = `(?:(?:about|around|roughly|approximately|only|over|under|at least|up to) )?${ONE}(?:(?: to | or | ?[-\u2013] ?)${ONE})?`;
const MONEY = '(?:k|euros?|dollars?|pounds?|francs?|yen|rupees?|grand|bucks|usd|eur|gbp|chf|[$\u20AC\u00A3])';
const SPAN =
  '(?:night|day|weekday|weekend|week|month|year|morning|evening|hour|minute|shift|(?:mon|tues|wednes|thurs|fri|satur|sun)day)';
const OFTEN = `(?:(?:a|an|per|each|every) (?:single )?${SPAN}|daily|weekly|monthly|yearly|annually|nightly)`;
const TIME = '(?:hours?|hrs?|h|minutes?|mins?)';
const DISTANCE = '(?:km|kms|k|kilomet(?:er|re)s?|miles?|met(?:er|re)s?|m|laps|lengths|steps)';

/** What is counted of each; of anything else (requests, builds, servers) it is no measure of somebody's life. */
const COUNTED: Readonly<Record<string, string>> = {
  sleep: TIME,
  work: `(?:${TIME}|days?|shifts?|nights?)`,
  'study|train|exercise|meditate|practice|practise|volunteer': TIME,
  'run|walk|jog|swim|cycle|bike|row|hike|drive|commute': `(?:${TIME}|${DISTANCE})`,
  smoke: '(?:cigarettes?|packs?|cigars?|joints?|pipes?)',
  drink:
    '(?:cups?|litres?|liters?|l|glass(?:es)?|pints?|cans?|bottles?|beers?|coffees?|espressos?|teas?|units|ml)(?: of [a-z ]{2,24})?',
  'eat|consume|burn':
    '(?:k?cal(?:ories)?|meals?|eggs?|(?:g|grams?)(?: of [a-z ]{2,24})?|portions? of [a-z ]{2,24}|pieces? of fruit)',
  take: '(?:mg|mcg|\u00B5g|g|ml|iu|units|pills?|tablets?|capsules?|drops?|puffs?)(?: of [A-Za-z][\\p{L}\\d_ -]{1,30}?)?',
  read: '(?:books?|novels?|pages?|papers?|articles?)',
  type: 'words',
  'earn|make|pay|spend|save': MONEY,
};
const REGULAR = Object.entries(COUNTED).map(
  ([verbs, counted]) =>
    [
      new RegExp(`^(?:${verbs})$`, 'u'),
      new RegExp(
        `^(?:[$\u20AC\u00A3] ?)?${NUMBER} ?${counted} ${OFTEN}(?: (?:for|in|on) (?:the |my )?[\\p{L}\\d_ ]{2,24})?$`,
        'iu',
      ),
    ] as const,
);
/** A sign of money stands for its name, before the number or in it: "$3,000 a month", "70k a year". */
const SUM = new RegExp(
  `^(?:(?:about|around|roughly|over) )?(?:[$\u20AC\u00A3] ?\\d[\\d.,]*k?|\\d[\\d.,]*k) ${OFTEN}(?: (?:for|in|on) (?:the |my )?[\\p{L}\\d_ ]{2,24})?$`,
  'iu',
);
const WEIGHT = new RegExp(`^${NUMBER} ?${MASS_UNIT}$`, 'iu');
const AT_WEIGHT = new RegExp(`^(?:(?:at|down to|up to) )?(${NUMBER} ?${MASS_UNIT})$`, 'iu');
const TALL = new RegExp(`^(?:(?:about|around|roughly) )?${HEIGHT} tall$`, 'iu');
/** Without "tall": what nobody is but in height. */
const PLAINLY_TALL =
  /^(?:1\d\d ?cm|1m ?\d{2}|[4-6] ?'\d{1,2}"?|[4-6] ?(?:ft|foot|feet) \d{1,2}|(?:four|five|six) (?:foot|feet) [\p{L}\d_]+)$/iu;
const SIZE =
  /^(?:an? )?(?:(?:shoe|uk|eu|us|european) )*size (?:\d{1,2}(?:[.,]5)?|X{0,3}[SML]|small|medium|large|extra large)(?: (?:in )?(?:shoes?|boots?|clothes|dress(?:es)?|shirts?|jeans|trousers|jackets?))?$/i;
const LIFTED = new RegExp(`^${NUMBER} ?${MASS_UNIT}$`, 'iu');
const SLEPT = new RegExp(`^(${NUMBER} ?${TIME})(?: of)? sleep (${OFTEN})$`, 'iu');

/** What can be measured of somebody: weight, height, sizes, and how much they do, have or spend again and again. */
export const measures: Rule = ({ predicate }) => {
  if (!predicate || predicate.negated || predicate.unable) return null;
  // "I only sleep five hours": where a number follows, the word adds nothing.
  const [, verb = predicate.verb, rest = predicate.rest] =
    predicate.verb === 'only' ? (/^([\p{L}\d_]+) (.+)$/u.exec(predicate.rest) ?? []) : [];
  const tell = (words: string, as = verb): ReturnType<Rule> => fact(stated({ ...predicate, verb: as }, words));
  // "I'm down to one coffee a day": what is counted tells the verb.
  const level = verb === 'be' ? /^(?:down|up) to (.+)$/.exec(rest)?.[1] : undefined;
  const habit =
    level &&
    ['smoke', 'drink'].find((each) => REGULAR.some(([verbs, amount]) => verbs.test(each) && amount.test(level)));
  if (level && habit) return tell(level, habit);
  if (verb === 'weigh') return WEIGHT.test(rest) ? tell(rest) : null;
  if (verb === 'be') {
    const weight = AT_WEIGHT.exec(rest)?.[1];
    if (weight !== undefined) return tell(weight, 'weigh');
    if (TALL.test(rest)) return tell(rest);
    if (PLAINLY_TALL.test(rest)) return tell(`${rest} tall`);
  }
  if (/^(?:wear|take|be)$/.test(verb) && SIZE.test(rest)) return tell(rest);
  if (/^(?:bench|squat|deadlift|lift)$/.test(verb) && LIFTED.test(rest)) return tell(rest);
  const slept = verb === 'get' ? SLEPT.exec(rest) : null;
  if (slept) return tell(`${slept[1]} ${slept[2]}`, 'sleep');
  if (/^(?:earn|make|pay|spend|save)$/.test(verb) && SUM.test(rest)) return tell(rest);
  return REGULAR.some(([verbs, amount]) => verbs.test(verb) && amount.test(rest)) ? tell(rest) : null;
};
