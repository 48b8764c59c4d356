import { occupationOf } from '../../../model/occupation.js';
import { LATELY, durable, fact, isLongAgo } from './rule.js';
import type { Rule } from './rule.js';
import { article } from './things.js';

/** "Shell a voicemail" is none. */
const EMPLOYER =
  "([\\p{Lu}\\d][\\p{L}\\d&.'-]*(?: (?:&|of|and(?= [\\p{Lu}])|[\\p{Lu}\\d][\\p{L}\\d&.'-]*))*)(?: (?:last|this|in|on|yesterday|today|for|after|as|two|a (?:week|month|year|couple|few|while)|three|now|recently|because|to)\\b.*)?";
/** Left and joined by people who do not work there. */
const NETWORK =
  /^(?:facebook|twitter|instagram|reddit|tiktok|whatsapp|discord|telegram|mastodon|bluesky|slack|signal)$/i;
const LEFT = new RegExp(
  `^I ${LATELY}(?:left|quit|resigned from|(?:was|got) (?:fired|laid off) (?:from|by)) (?:my job (?:at|with) )?${EMPLOYER}$`,
  'u',
);
const JOINED = new RegExp(
  `^I ${LATELY}(?:(?:got|found|landed|started|took|accepted) (?:a|my) (?:new )?(?:job|position|role) (?:at|with)|started (?:working )?(?:at|for)|am (?:now )?at) ${EMPLOYER}$`,
  'u',
);
const FOR_A_JOURNEY =
  /\b(?:yesterday|today|tonight|tomorrow|this (?:morning|afternoon|evening|week|weekend)|last night|on [a-z]+day|at (?:\d|noon)|for (?:the|a|an|two|three|my) (?:few )?(?:day|night|weekend|week|month|summer|winter|holiday|vacation)s?)\b/i;
const CANCELLED = new RegExp(`^I ${LATELY}(?:cancelled|canceled|ended) my (.+?) (subscription|plan|account)$`, 'iu');
/** With a day to it, it is an event. */
const PARTED = new RegExp(
  `^I ${LATELY}sold (?:my|the) (?!.* (?:last|this|yesterday|today|in|on|ago|to|for|recently)\\b)((?:[\\p{L}\\d_-]+ ){0,2}[\\p{L}\\d_-]+)$`,
  'iu',
);
const WEDDED = new RegExp(
  `^I ${LATELY}(?:got (married|remarried|engaged|divorced|separated)(?: to (\\p{Lu}\\p{Ll}+))?|(?:have )?married (\\p{Lu}\\p{Ll}+))$`,
  'u',
);
const WIDOWED = new RegExp(`^I (?:have )?(?:was|been|am|became|got) (widowed|a widow(?:er)?)\\b`, 'iu');
const BROKE_UP = new RegExp(
  `^I ${LATELY}(?:broke up|broken up|split up|separated) (?:with|from) (?:my (girlfriend|boyfriend|partner|fianc[e\u00E9]e?)\\b|(\\p{Lu}\\p{Ll}+)(?: (?:last|this|in|yesterday|two|three|a (?:week|month|year|few)) ?.*)?$)`,
  'u',
);
/** Where, was told before. */
const WITHOUT_JOB = new RegExp(
  `^I ${LATELY}(lost|quit|left|resigned from) my job(?: (?:to|because|last|this|yesterday|today|in|two|three|a (?:week|month|few)) .*)?$`,
  'i',
);
const RENAMED_SELF = /^I (?:have )?(?:just |recently )*changed my name (?:from .+ )?to (\p{Lu}[\p{L}' -]+)$/u;
const TIME = /\s+(?:last|this|in|on|yesterday|today|for|after|as|two|a|three|now|recently)\b.*$/i;

const BECAME = new RegExp(
  `^I ${LATELY}(?:(?:became|become|retrained as|qualified as|(?:got|took|found|started) a (?:new )?(?:job|position|role) as) (an? .+)|started (?:working )?as (an? .+))$`,
  'iu',
);

const PROMOTED = new RegExp(`^I ${LATELY}(?:got|was|been|am) promoted to (?:be )?(?:an? |the )?(.+)$`, 'i');

/** What began or ended, told as an event and kept as the state that it left: "I left Siemens", "I cancelled Netflix". */
export const changes: Rule = ({ text, english }) => {
  const left = LEFT.exec(text);
  const joined = JOINED.exec(text);
  const employer = durable((left ?? joined)?.[1]?.replace(TIME, '') ?? '', 4);
  // Of "I am at Oxford" nobody knows whether it is work.
  // "I left Anna and joined Tom": people, and no work.
  if (
    employer !== null &&
    /^I (?:[\p{L}\d_]+ )*?(?:left|quit|started at) (?!my job)/u.test(text) &&
    english.isFirstName(employer)
  )
    return null;
  if (employer !== null && NETWORK.test(employer) && !/\b(?:job|working)\b/.test(text)) return null;
  if (employer !== null && (left || !/^I am at /.test(text) || /\bnow\b/.test(text))) {
    // Of "I left Madrid" the home is meant, and of "I left Madrid this morning" a journey.
    if (left && FOR_A_JOURNEY.test(text) && english.isPlace(employer)) return null;
    if (left && /^I (?:[\p{L}\d_]+ )*?left (?!my job)/u.test(text) && english.isPlace(employer))
      return fact(`Does not live in ${employer}`);
    return fact(`${left ? 'Does not work' : 'Works'} at ${employer}`);
  }
  const became = BECAME.exec(text);
  const promoted = PROMOTED.exec(text)?.[1];
  const title = promoted === undefined ? (became?.[1] ?? became?.[2]) : `${article(promoted)} ${promoted}`;
  const job = durable(title?.replace(TIME, '') ?? '', 5);
  if (job !== null && occupationOf(`be ${job}`) && !isLongAgo(text)) return fact(`Is ${job} now`);
  const parted = PARTED.exec(text);
  const gone = durable(parted?.[1] ?? '', 4);
  if (gone !== null) return fact(`Sold the ${gone}`);
  const wedded = WEDDED.exec(text);
  const spouse = wedded?.[2] ?? wedded?.[3];
  if (wedded && !(spouse !== undefined && (english.isDemonym(spouse) || english.isPlace(spouse))))
    return fact(`Is ${wedded[1] ?? 'married'}${spouse === undefined ? '' : ` to ${spouse}`}`);
  if (WIDOWED.test(text)) return fact('Is widowed');
  const [, partner, whom] = BROKE_UP.exec(text) ?? [];
  if (partner !== undefined) return fact(`Does not have a ${partner}`);
  if (whom !== undefined) return fact(`Broke up with ${whom}`);
  const jobless = WITHOUT_JOB.exec(text)?.[1];
  if (jobless !== undefined && !isLongAgo(text))
    return fact(/lost/.test(jobless) ? 'Lost their job' : 'Left their job');
  const renamed = RENAMED_SELF.exec(text);
  if (renamed) return fact(`Is called ${renamed[1]}`);
  const cancelled = CANCELLED.exec(text);
  const what = durable(cancelled?.[1] ?? '', 4);
  if (!cancelled || what === null) return null;
  return fact(
    cancelled[2] === 'plan' ? `Is not on the ${what} plan` : `Does not have a ${what} ${cancelled[2]?.toLowerCase()}`,
  );
};
