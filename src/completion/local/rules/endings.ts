import { kindOfTool } from '../../../model/counterparts.js';
import { PET } from '../../../model/pet.js';
import { capitalised, inThirdPerson } from '../third-person.js';
import { LATELY, durable, fact, isLongAgo, stated } from './rule.js';
import type { Rule } from './rule.js';

const WHEN =
  '((?:,? (?:last (?:week|month|year|night|weekend|summer|winter|spring|autumn|[\\p{L}\\d_]+day)|yesterday|today|this (?:week|month|year|morning)|on [\\p{L}\\d_]+day|in (?:\\d{4}|[A-Z][\\p{L}\\d_]+)|(?:an?|two|three|four|\\d+) (?:days?|weeks?|months?|years?) ago))?)';
/** What one has and may part with; of a seat, a secret or a chance nothing was known. */
const THING = `((?:[\\p{L}\\d_-]+ ){0,2}(?:${PET}|car|van|truck|camper|motorbike|motorcycle|bike|bicycle|scooter|boat|piano|guitar|violin|drums|tv|house|flat|apartment|cottage|laptop|console|xbox|sofa)|[A-Z][\\p{L}\\d_-]*(?: [A-Z\\d][\\p{L}\\d_-]*)?)`;
const GIVEN_AWAY = new RegExp(
  `^I ${LATELY}(?:had to )?(?:(?:give|gave|given) (?:my|the) ${THING} away|(?:give|gave|given) away (?:my|the) ${THING})${WHEN}$`,
  'u',
);
const RID_OF = new RegExp(`^I ${LATELY}(?:had to )?(?:(?:get|got) rid of|rehomed?) (?:my|the) ${THING}${WHEN}$`, 'u');
const LOST_PET = new RegExp(
  `^my (${PET})(?:,? \\p{Lu}\\p{L}+,?)? (?:has |have )?(?:sadly |recently |just |finally )*(passed away|died|ran away|was put (?:down|to sleep)|had to be put (?:down|to sleep))${WHEN}$`,
  'u',
);
const ONE_OF_THEM = new RegExp(
  `^one of my (${PET}s|puppies|bunnies|ponies) (?:has )?(?:sadly |recently |just |finally )*(passed away|died|ran away)${WHEN}$`,
  'u',
);
/** By its name: "Biscuit passed away". What gives up the ghost otherwise is a battery. */
const LOST_BY_NAME = new RegExp(
  `^(?:(?!(?:he|she|it|they|this|that|everyone|everybody|nobody|somebody|someone|people|everything|something|battery|laptop|phone|computer|server|hope|i)\\b)(\\p{L}+) (?:has )?(?:sadly |recently |just |finally )*(passed away|died|ran away|was put (?:down|to sleep))|I ${LATELY}had to put (?!(?:it|them|him|her|that|this|me)\\b)(\\p{Lu}\\p{L}+) (down|to sleep))${WHEN}$`,
  'u',
);
const TRADED = new RegExp(
  `^I ${LATELY}(?:traded(?: in)?|swapped|exchanged|replaced) (?:my|the) ${THING}(?: in)? (?:for|with|by) (an?) ${THING}${WHEN}$`,
  'u',
);
const WITH_WHOM =
  '(?:parents|mum|mom|mother|dad|father|grandparents|grandmother|grandma|sister|brother|aunt|uncle|girlfriend|boyfriend|partner|husband|wife|ex|friend|roommate|in-laws)';
const MOVED_OUT = new RegExp(
  `^I ${LATELY}moved out(?: of| from)?(?: living with)? my (${WITH_WHOM})(?:'s?)?(?: (?:place|house|home|flat|apartment))?${WHEN}$`,
  'u',
);
const OWN_PLACE = new RegExp(
  `^I ${LATELY}(?:moved into|got) (?:my own|a) (?:(?<=own )(?:place|flat|apartment|house)|place of my own)${WHEN}$`,
  'u',
);
const MOVED_OUT_OF_TOWN = new RegExp(`^I ${LATELY}moved out of ([A-Z][\\p{L}\\d_ -]+?)${WHEN}$`, 'u');
const EXAM = '(?:exams?|driving test|theory test|finals|boards|bar|viva|certification|licen[sc]ing test)';
const PASSED = new RegExp(`^I ${LATELY}(?:passed|aced) (?:my|the) ((?:[\\p{L}\\d_-]+ ){0,3}${EXAM})${WHEN}$`, 'u');
/** Where people go again and again. */
const GOING =
  /^to (?:the )?(?:gym|church|mosque|temple|synagogue|therapy|yoga|pilates|crossfit|spinning|pool|sauna|library|(?:[\p{L}\d_-]+ ){0,2}(?:class|classes|lessons|club|choir|practice|training|group|meetings))$|^(?:running|jogging|swimming|hiking|climbing|cycling|dancing|fishing|skiing|surfing|bouldering|sailing|riding)$/iu;
/** What is called off and was no subscription. */
const NO_SERVICE =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter|Thanksgiving|Uber|Lyft|Airbnb|Zoom|Visa|Mastercard|Amex|American Express|I)\b/;
const SERVICE = '((?:the )?[A-Z][\\p{L}\\d_.]*\\+?(?: (?:&|of|[A-Z\\d][\\p{L}\\d_.]*\\+?)){0,3})';
const CANCELLED = new RegExp(
  `^I ${LATELY}(?:(?:cancelled|canceled) (?:my )?|unsubscribed from )${SERVICE}${WHEN}$`,
  'u',
);
const SUBSCRIBED = new RegExp(`^(?:subscribed )?to ${SERVICE}$`, 'u');

/** What is over: a habit, a possession, a home with others, an exam, a subscription; and the subscription while it lasts. */
export const endings: Rule = ({ text, predicate, english, calendar }) => {
  const dated = (content: string, when = ''): ReturnType<Rule> =>
    fact(calendar.absolute(`${content}${when.replace(/^,/, '')}`, { past: true }));

  const away = GIVEN_AWAY.exec(text);
  if (away) return dated(`Gave the ${away[1] ?? away[2]} away`, away[3]);
  const rid = RID_OF.exec(text);
  if (rid) return dated(`Got rid of the ${rid[1]}`, rid[2]);
  const pet = LOST_PET.exec(text);
  if (pet) return dated(capitalised(`${pet[1]} ${pet[2]?.replace('had to be', 'was')}`), pet[3]);
  const one = ONE_OF_THEM.exec(text);
  if (one) return dated(`One of their ${one[1]} ${one[2]}`, one[3]);
  const [, lost, how, laid, where, when] = LOST_BY_NAME.exec(text) ?? [];
  const gone = lost ?? laid;
  if (gone !== undefined && !isLongAgo(text) && kindOfTool(gone) === null) {
    // "Bitcoin died" and "time ran away": without a day only who has a person's name.
    const isTold =
      (when ?? '') !== '' || !/^(?:died|ran away)$/.test(how ?? '') || english.isFirstName(capitalised(gone));
    return isTold ? dated(capitalised(`${gone} ${how ?? `was put ${where}`}`), when) : null;
  }
  const traded = TRADED.exec(text);
  if (traded) {
    const [, before = '', article = 'a', now = ''] = traded;
    return kindOfTool(now) === null ? fact(`Has ${article} ${now} instead of the ${before}`) : null;
  }
  const whom = MOVED_OUT.exec(text)?.[1];
  if (whom !== undefined) return fact(`Does not live with their ${whom}`);
  if (OWN_PLACE.test(text)) return fact('Has their own place');
  const town = MOVED_OUT_OF_TOWN.exec(text)?.[1];
  if (town !== undefined) return english.isPlace(town) ? fact(`Does not live in ${town}`) : null;
  const passed = PASSED.exec(text);
  if (passed) return dated(`Passed the ${passed[1]}`, passed[2]);
  const service = CANCELLED.exec(text)?.[1];
  if (service !== undefined)
    return NO_SERVICE.test(service) || english.isFirstName(service) ? null : fact(`Does not subscribe to ${service}`);

  if (predicate?.verb === 'go' && predicate.negated && GOING.test(predicate.rest)) {
    const isOver = /\b(?:any ?more|any longer|no longer|stopped|quit|given up|gave up)\b/i.test(text);
    return isOver ? fact(stated(predicate, inThirdPerson(predicate.rest))) : null;
  }
  const subscribed =
    predicate?.verb === 'subscribe' || predicate?.verb === 'be' ? SUBSCRIBED.exec(predicate.rest) : null;
  const subscription = durable(subscribed?.[1] ?? '', 5);
  if (subscription === null || !predicate || (predicate.verb === 'be' && !/^subscribed/.test(predicate.rest)))
    return null;
  return fact(stated({ ...predicate, verb: 'subscribe' }, `to ${subscription}`));
};
