import { PET } from '../../../model/pet.js';
import { namesTime } from '../calendar.js';
import { LATELY, fact, isLongAgo } from './rule.js';
import type { Rule } from './rule.js';
import { detailOf } from './thing-details.js';
import { article } from './things.js';

/** What one goes on having; a fish that was bought may be for dinner. */
const KEPT = `(?:(?!fish\\b|chicken\\b|hen\\b)${PET}s?|puppies|bunnies|ponies|cars?|van|truck|camper|motorbike|motorcycle|bicycle|bikes?|scooter|boat|house|apartment|cottage|piano|guitar|violin|cello|laptop|(?:driving|driver's) licen[sc]e)`;
const GOT = new RegExp(
  `^I ${LATELY}(?:got|adopted|bought|rescued|purchased) (?:(an?|two|three|another)|my own|my|the) ((?:(?!(?:an?|the|some|two|three|another|for|with|of|in|on|to|toy|rental|hire|company)\\b)[\\p{L}\\d-]+ ){0,2}?${KEPT})\\b(.*)$`,
  'iu',
);
const NTH = 'first|second|third|fourth|fifth|sixth';
const COUNT: Readonly<Record<string, string>> = {
  first: 'a',
  second: 'two',
  third: 'three',
  fourth: 'four',
  fifth: 'five',
  sixth: 'six',
};
const BORN = new RegExp(
  `^my (${NTH}) (?:(?:child|kid|baby) )?(?:was (?:just )?born|has (?:just )?been born|arrived|has arrived|is born)(?: (?:yesterday|today|last (?:night|week|month|[a-z]+day)|this (?:week|month|morning|afternoon|evening)|on [a-z]+day))?$`,
  'i',
);
/** The day is not kept: one that is known by a name is the same. */
const CHILD_BORN =
  /^my (?:baby )?(daughter|son)(?:,? (\p{Lu}\p{Ll}+),?)? (?:was (?:just )?born|has (?:just )?been born)\b/u;
const ONE_MORE = new RegExp(
  `^I ${LATELY}(?:had|got|adopted|welcomed|rescued) (?:my|an?|the) (${NTH}) (child|kid|baby|${PET})(?! of)\\b`,
  'i',
);

/** What was got, bought or born and is there since: with a day to it, it is an event. */
export const acquisitions: Rule = ({ text }) => {
  const more = ONE_MORE.exec(text) ?? BORN.exec(text);
  if (more && !isLongAgo(text)) {
    const nth = more[1]?.toLowerCase() ?? '';
    const what = (more[2]?.toLowerCase() ?? 'child').replace(/^(?:kid|baby)$/, 'child');
    return fact(`Has ${COUNT[nth]} ${nth === 'first' ? what : many(what)}`);
  }
  const [, child, name] = isLongAgo(text) ? [] : (CHILD_BORN.exec(text) ?? []);
  if (child !== undefined) return fact(`Has a ${child}${name === undefined ? '' : ` called ${name}`}`);
  if (namesTime(text)) return null;
  const got = GOT.exec(text);
  const details = got && detailOf(got[3] ?? '');
  if (!got || details === null) return null;
  const what = got[2] ?? '';
  return fact(`Has ${got[1]?.toLowerCase() ?? article(what)} ${what}${details}`);
};

function many(animals: string): string {
  if (animals === 'child') return 'children';
  if (/[^aeiou]y$/.test(animals)) return `${animals.slice(0, -1)}ies`;
  return /fish$/.test(animals) ? animals : `${animals}s`;
}
