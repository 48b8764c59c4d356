import { PET } from '../../../model/pet.js';
import { capitalised } from '../third-person.js';
import { IMPORTANCE, durable, fact } from './rule.js';
import type { Rule } from './rule.js';
import { detailOf } from './thing-details.js';
import { KIN, SERVING, WORK } from './things.js';

const HAVE_THING = new RegExp(
  `^((?:an?|one|two|three|four|five|six|seven|\\d+|another|no)) ((?:(?!(?:about|for|with|of|in|on|to|that|from|my|the|where|which|is|and|or)\\b)[\\p{L}\\d_'-]+ ){0,3}?(?:${KIN}s?|${SERVING}|children|kids|twins|siblings|grandchildren|wives|${PET}s?|puppies|bunnies|ponies|horses|${WORK}s?|companies|businesses|agencies|bakeries|garden|allotment|balcony|flat|apartment|cottage|farm|piano|guitar|motorbike|motorcycle|bicycle|bike|van|truck|camper|tesla|mac|macbook|iphone|pixel|thinkpad|pc|laptop|ps5|xbox|nas|degree|phd|master's|masters|bachelor's|mba|diploma|subscription|membership|allergy|allergies|intolerance|condition|pacemaker|tattoo|mortgage|visa|green card|passport|licen[sc]e))\\b(.*)$`,
  'iu',
);
const CONDITION =
  /^((?:type[- ][12] |severe |mild |chronic |bad |seasonal )?(?:diabetes|asthma|adhd|add|autism|dyslexia|coeliac disease|celiac disease|celiac|crohn's(?: disease)?|ibs|epilepsy|migraines|insomnia|arthritis|hypertension|high blood pressure|hay fever|eczema|psoriasis|tinnitus|anxiety|depression|ocd|ptsd|endometriosis|hypothyroidism|lactose intolerance|(?:[\p{L}\d_-]+ ){1,2}allerg(?:y|ies)|an? (?:[\p{L}\d_-]+ ){1,3}(?:allergy|intolerance)))$/iu;
const EXPERIENCE =
  /^((?:\d+|two|three|four|five|six|seven|eight|nine|ten|many|over \d+|more than \d+)\+? years(?:'| of)? (?:of )?experience\b.*|experience (?:with|in) .+|a degree in .+)$/i;

/** What the user has, owns, drives and runs; illnesses and allergies among it. */
export const possessions: Rule = ({ predicate, additional }) => {
  const diagnosed = predicate?.verb === 'be' ? /^diagnosed with (.+)$/i.exec(predicate.rest) : null;
  const illness = CONDITION.exec(diagnosed?.[1] ?? '');
  if (illness) return { content: `Has ${illness[1]}`, kind: 'fact', importance: IMPORTANCE.health };
  if (predicate?.verb === 'have' && !predicate.unable) {
    const { rest, negated } = predicate;
    const condition = CONDITION.exec(rest.replace(/,? (?:so|but|because)\b.*$|,.*$/i, ''));
    if (condition)
      return {
        content: `${negated ? 'Does not have' : 'Has'} ${condition[1]}`,
        kind: 'fact',
        importance: IMPORTANCE.health,
      };
    const experience = EXPERIENCE.exec(rest);
    if (experience) {
      const what = durable(experience[1] ?? '', 10);
      return what === null ? null : fact(`${negated ? 'Does not have' : 'Has'} ${what}`);
    }
    const noThing =
      negated &&
      /^(?:any )?((?:kids|children|siblings|pets|brothers|sisters|a (?:car|dog|cat|driving licen[sc]e|smartphone|tv|garden|partner)))$/i.exec(
        rest,
      );
    if (noThing) return fact(`Does not have ${noThing[1]}`);
    const thing = HAVE_THING.exec(rest);
    if (thing) {
      const [, count = '', what = '', tail = ''] = thing;
      const details = detailOf(tail);
      if (details === null || (details === '' && new RegExp(`${SERVING}$`, 'i').test(what))) return null;
      const finite = negated ? 'Does not have' : additional && count.toLowerCase() !== 'another' ? 'Also has' : 'Has';
      return fact(`${finite} ${count.toLowerCase()} ${what}${details}`);
    }
    return null;
  }
  if (
    predicate?.verb === 'own' ||
    predicate?.verb === 'run' ||
    predicate?.verb === 'drive' ||
    predicate?.verb === 'ride'
  ) {
    const { rest, negated, verb } = predicate;
    const pattern =
      verb === 'run'
        ? new RegExp(
            `^((?:an?|my own|my) (?:[\\p{L}\\d_-]+ ){0,3}(?:${WORK}|bar|hotel|gym|salon|practice|clinic|charity|workshop|bookshop|coffee shop|kindergarten|campsite))\\b(.*)$`,
            'iu',
          )
        : /^((?:an?|two|three|my own) .+)()$/i;
    const owned = pattern.exec(rest);
    if (!owned) return null;
    const what = durable(`${owned[1]}${owned[2]}`, 9);
    if (what === null) return null;
    const finite = { own: 'owns', run: 'runs', drive: 'drives', ride: 'rides' }[verb];
    return fact(
      negated
        ? `Does not ${verb} ${what}`
        : capitalised(`${additional ? 'also ' : ''}${finite} ${what.replace(/^my own /, 'their own ')}`),
    );
  }
  return null;
};
