import { OCCASION, RACE } from '../../../model/occasion.js';
import { namesTime } from '../calendar.js';
import { capitalised, inThirdPerson } from '../third-person.js';
import { IMPORTANCE, durable, fact, isLongAgo, stated } from './rule.js';
import type { Finding, Rule } from './rule.js';
import { article } from './things.js';

const LATELY = '(?:have )?(?:just |recently |finally |now )*';
/** "Dentist appointment", "trip to Lisbon": the user's own, and not "my sister's wedding". */
const PLANNED = `((?:(?!\\p{L}+'s )[\\p{L}\\d_'-]+ ){0,3}(?:${OCCASION}|engagement)(?: (?:to|in|with) \\p{Lu}[\\p{L}' -]*?)?)`;
const WAS_OFF = new RegExp(
  `^(?:my|the) ${PLANNED} (?:is|was|got|has been|had to be) (?:now |sadly )?(?:called off|cancelled|canceled|off)(?: (?:yesterday|today|last .+))?$`,
  'u',
);
const CALLED_OFF = new RegExp(
  `^I ${LATELY}(?:had to )?(?:call(?:ed)? off|cancel(?:l?ed)?|scrap(?:ped)?|pull(?:ed)? out of|drop(?:ped)? out of) (?:my|the) ${PLANNED}(?: (?:yesterday|today|last .+))?$`,
  'u',
);
const PUT_OFF = '(?:moved|rescheduled|postponed|pushed(?: back)?|brought forward|changed)';
const WAS_PUT_OFF = new RegExp(
  `^(?:(?:my|the) ${PLANNED} (?:is|was|got|has been) ${PUT_OFF}|I ${LATELY}${PUT_OFF} (?:my|the) ${PLANNED}) to (?:the )?(.+)$`,
  'u',
);
const NOT_GOING = /^(?:moving|relocating|flying|travell?ing|going) to (\p{Lu}[\p{L}' -]*?)$/u;
const BACK = new RegExp(
  `^I (?:am (?:now |finally |already )*(?:back|home)(?: home)?|${LATELY}(?:came|got) (?:back|home)) from (?:my (?:trip|holiday|vacation|honeymoon) (?:to|in) )?(\\p{Lu}[\\p{L}'-]*(?: \\p{Lu}[\\p{L}'-]*)*)(?: (?:yesterday|today|last .+))?$`,
  'u',
);
const VISITED = new RegExp(
  `^I ${LATELY}(visited|went to|travell?ed to|flew to) (\\p{Lu}[\\p{L}'-]*(?: \\p{Lu}[\\p{L}'-]*)*)$`,
  'u',
);
const RAN = new RegExp(
  `^I ${LATELY}(ran|finished|completed|did) (?:my|the|an?) (?:first |second |third |last )?((?:[\\p{L}\\d_-]+ )?${RACE})$`,
  'iu',
);
const LESSONS = new RegExp(
  `^I (?:${LATELY}(?:started|began|took up)(?: taking)?|am (?:now )?taking|take) ([\\p{L}-]+ (?:lessons|classes))$`,
  'iu',
);
const LEARNING = new RegExp(
  `^I ${LATELY}(?:started|began|begun) (?:learning|to learn) (.+?)(?: (?:last|this|in|on|yesterday|today|again|two|three|a (?:week|month|year|few|couple))\\b.*)?$`,
  'iu',
);

/** What became of a plan: called off, put off to another day, begun, or come true. */
export const outcomes: Rule = ({ text, predicate, english, calendar }) => {
  const off = (WAS_OFF.exec(text) ?? CALLED_OFF.exec(text))?.[1];
  if (off !== undefined) return fact(`Called off the ${inThirdPerson(off)}`);
  const later = WAS_PUT_OFF.exec(text);
  if (later) return putOff(later[1] ?? later[2] ?? '', later[3] ?? '', (words) => calendar.absolute(words));
  if (predicate?.verb === 'be' && predicate.negated) {
    const place = NOT_GOING.exec(predicate.rest)?.[1];
    return place !== undefined && english.isPlace(place) ? fact(stated(predicate, predicate.rest)) : null;
  }
  const back = BACK.exec(text)?.[1];
  if (back !== undefined && english.isPlace(back))
    return { content: `Came back from ${back}`, kind: 'episodic', importance: IMPORTANCE.event };
  const [, went = '', there = ''] = VISITED.exec(text) ?? [];
  if (there !== '' && english.isPlace(there) && !english.isFirstName(there))
    return { content: `${capitalised(went)} ${there}`, kind: 'episodic', importance: IMPORTANCE.event };
  const ran = RAN.exec(text);
  if (ran && !isLongAgo(text)) return fact(`${ran[1] === 'ran' ? 'Ran' : 'Finished'} the ${ran[2]}`);
  const lessons = LESSONS.exec(text)?.[1];
  if (lessons !== undefined) return fact(`Takes ${lessons}`);
  const learning = durable(LEARNING.exec(text)?.[1] ?? '', 6);
  return learning === null || /^(?:about|how|that|more|from|why)\b/i.test(learning)
    ? null
    : fact(`Is learning ${inThirdPerson(learning)}`);
};

/** The occasion and its new day, where that is told. */
function putOff(what: string, to: string, absolute: (words: string) => string): Finding | null {
  const when = [to, `on ${to}`].find((words) => namesTime(words));
  return when === undefined || /'s |\bmove\b/.test(what)
    ? null
    : {
        content: `Has ${article(what)} ${inThirdPerson(what)} moved to ${absolute(when).replace(/^(?:on|in) /, '')}`,
        kind: 'episodic',
        importance: IMPORTANCE.event,
      };
}
