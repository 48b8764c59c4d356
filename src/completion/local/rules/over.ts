import { MONTHS } from '../../../model/months.js';
import { inThirdPerson } from '../third-person.js';
import { doneWith } from '../../../model/done-with.js';
import type { HowDone } from '../../../model/done-with.js';
import { LATELY, durable, fact, isLongAgo } from './rule.js';
import type { Rule } from './rule.js';
import { KIN } from './things.js';

const WHAT = "((?:my |the |an? )?[\\p{L}\\d'&.-]+(?: [\\p{L}\\d'&.-]+){0,3}?)";
const WHEN = `(?:,? (?:last|this (?:week|month|year|spring|summer|autumn|fall|winter)|in (?:the (?:spring|summer|autumn|fall|winter|new year|end)|\\d{4}|(?:${MONTHS})\\b)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|recently|for good|completely|altogether|(?:an?|a few|two|three|four|\\d+) (?:days?|weeks?|months?|years?) ago|because|due to|after all|since)\\b.*|, (?:it|that|they|so|too|because|and|but)\\b.*)?$`;

/** The ways in which people say that they are done with something, and which. */
const WORDINGS: readonly (readonly [RegExp, HowDone])[] = [
  [
    new RegExp(
      `^I ${LATELY}(?:(?:had to )?(?:give|gave|given) up(?: on)?|dropped|quit|ditched|abandoned|am (?:now )?(?:off|done with|through with)|kicked the habit of) ${WHAT}${WHEN}`,
      'iu',
    ),
    'given up',
  ],
  [
    new RegExp(
      `^I ${LATELY}(?:(?:finished|completed|submitted|handed in) (?:writing |reading |building |making )?|(?:am|have) (?:finished|done|through) with )${WHAT}${WHEN}`,
      'iu',
    ),
    'finished',
  ],
  [
    new RegExp(`^I ${LATELY}(?:left|dropped out of|stepped down from|resigned from) (?:my|the) ${WHAT}${WHEN}`, 'iu'),
    'left',
  ],
  [
    new RegExp(
      `^(?:my|the) ${WHAT} (?:was|got|has been|is|has) (?:just |recently |sadly )*(?:stolen|gone|totalled|written off|wrecked|scrapped|sold)${WHEN}`,
      'iu',
    ),
    'gone',
  ],
  [
    new RegExp(
      `^I ${LATELY}(?:gave|given|donated|returned|passed) (?:my|the) ${WHAT} to (?:my|an?|the) (?:(?:best |old |good |local )?(?:${KIN}|friend|neighbou?r|charity|school|shelter|museum|colleague|church|thrift store|charity shop))${WHEN}`,
      'iu',
    ),
    'gone',
  ],
  [
    new RegExp(`^I ${LATELY}(?:sold|donated|scrapped|totalled|wrote off|wrecked) (?:my|the) ${WHAT}${WHEN}`, 'iu'),
    'gone',
  ],
];
const IS_OVER = /\b(?:any ?more|any longer|no longer|stopped|quit|given up|gave up)\b/i;
/** Back tomorrow. */
const FOR_TODAY =
  /\b(?:for (?:today|now|the day|tonight)|early|today|tonight|this (?:time|morning|afternoon|evening))\b/i;

const OF_THE_MOMENT = /^(?:want|need|know|think|see|understand|remember|get|mean|feel|care|mind)$/;
/** At hand for an hour. */
const WORKED_AT =
  /\b(?:apps?|servers?|scripts?|builds?|tests?|tasks?|tickets?|program|terminal|browser|tab|file|code|error|bug|loop|branch|page|call|meeting|chat)$/i;

/** That something is over, whatever it was: it says what to look for among what is known, and nothing by itself. */
export const over: Rule = ({ text, predicate }) => {
  if (FOR_TODAY.test(text) || isLongAgo(text)) return null;
  for (const [wording, how] of WORDINGS) {
    const what = told(wording.exec(text)?.[1]);
    if (what !== null) return fact(doneWith(what, how));
  }
  if (!predicate?.negated || predicate.unable || !IS_OVER.test(text) || OF_THE_MOMENT.test(predicate.verb)) return null;
  const what = told(predicate.rest.replace(/^(?:on|in|at) (?=\p{L})/iu, ''));
  return what === null ? null : fact(doneWith(what, /^(?:have|own)$/.test(predicate.verb) ? 'gone' : 'given up'));
};

function told(words: string | undefined): string | null {
  const what = durable((words ?? '').replace(/^(?:my|the|an?) /i, ''), 5);
  return what === null || WORKED_AT.test(what) ? null : inThirdPerson(what);
}
