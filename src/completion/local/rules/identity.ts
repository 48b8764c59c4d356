import { OCCUPATION, occupationOf } from '../../../model/occupation.js';
import { capitalised } from '../third-person.js';
import { FEARED } from './feared.js';
import { IMPORTANCE, durable, fact, since, stated } from './rule.js';
import type { Finding, Rule } from './rule.js';

const NAME = "([\\p{Lu}][\\p{L}'.-]*(?: (?:[\\p{Lu}][\\p{L}'.-]*|de|da|van|von|der|bin|al)){0,3})";
const NAMED = new RegExp(
  `^(?:my (?:full |first |real |preferred )?name is|I am called|I go by|call me|you can call me|please call me|my friends call me|everyone calls me) ${NAME}$`,
  'u',
);
const AM_NAME = new RegExp(
  `^I am ([\\p{Lu}][\\p{Ll}'-]+(?: [\\p{Lu}][\\p{Ll}'-]+)?)(?: (?:from|at) [\\p{Lu}].*)?$`,
  'u',
);
/** "Call me Monday". */
const WHEN_TO_CALL =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Tomorrow|Today|Tonight|Later|Back|When|If|After|Before)\b/;
const AGE = /^(?:(\d{1,3})(?: years old| years of age| yo| y\/o)?)$/i;

/** What one is for long: diet, health, family status, faith. Anything else after "I am" may be gone in an hour. */
const LASTING = new RegExp(
  '^(?:an? )?((?:strict |strictly |lifelong |type[- ][12] |severely |mildly |legally |partially |newly |happily |recently )?(?:' +
    'vegetarian|vegan|pescatarian|pescetarian|flexitarian|omnivore|teetotal|teetotaler|gluten[- ]free|dairy[- ]free|gluten[- ]intolerant|lactose[- ]intolerant|coeliac|celiac|diabetic|asthmatic|epileptic|anaemic|anemic|colou?r[- ]?blind|near-?sighted|short-?sighted|dyslexic|autistic|neurodivergent|deaf|hard of hearing|blind|pregnant|disabled|a wheelchair user|left-handed|right-handed|ambidextrous|' +
    'married|single|engaged|divorced|separated|widowed|in a (?:[a-z-]+ )?relationship|retired|unemployed|self-employed|bilingual|trilingual|gay|lesbian|bisexual|queer|straight|non-?binary|trans|transgender|religious|muslim|jewish|christian|catholic|protestant|hindu|buddhist|sikh|atheist|agnostic|kosher|halal|' +
    'morning person|night owl|early bird|introvert|extrovert|introverted|extroverted' +
    '))(?:(?<=married|engaged) to (?!(?:my|the) (?!(?:husband|wife|partner|love|best friend|high)\\b)).+|(?<=divorced|widowed|married) with .+)?$',
  'iu',
);
const HEALTH =
  /vegetarian|vegan|pesc|glut|dairy|lactose|liac|diabet|asthma|epilep|anaem|anem|pregnan|allerg|intoleran|halal|kosher|blind|deaf/i;

const FEAR = new RegExp(
  `^(?:really |very |a bit |deathly )?(?:afraid|scared|terrified|frightened) of (${FEARED})$`,
  'i',
);
/** What people are beside their work. */
const ROLE =
  'parent|father|mother|dad|mum|mom|grandfather|grandmother|homeowner|landlord|tenant|beekeeper|stay-at-home (?:mom|mum|dad|parent)|beginner|polyglot|runner|cyclist|climber|swimmer|gamer|surfer|skier|vegetarian|vegan';
const IS_OCCUPATION = new RegExp(
  `^(an?|the) ((?:[\\p{L}\\d_/+#.-]+ ){0,3}(?:${OCCUPATION}|${ROLE}))(?: (?:at|for|with|in|of|from|on|by|who|based|specialising|specializing|working|to)\\b .+)?$`,
  'iu',
);
const STUDIED =
  /^I (?:have )?studied ((?!for\b|all\b|it\b|hard\b)[\p{L}][\p{L} ]{2,30}?) at (\p{Lu}[\p{L}.'-]*(?: (?:of |\p{Lu})[\p{L}.'-]*)*)$/u;
const NOT_LASTING =
  /\b(?:bit|little|mess|wreck|fan|loser|happy|sad|tired|busy|frustrated|confused|lucky|current|test|fake|bad|good|great|terrible|awful|first-time|new user|user)\b/i;

/** Name, age, origin, work, health: who the user is. */
export const identity: Rule = (statement) => {
  const { text, predicate, english, additional, renewed } = statement;
  const name = NAMED.exec(text.replace(/,? (?:instead|from now on|please)$/, ''));
  if (name && !WHEN_TO_CALL.test(name[1] ?? ''))
    return { content: `Is called ${name[1]}`, kind: 'fact', importance: IMPORTANCE.identity };
  const amName = AM_NAME.exec(text);
  if (
    amName &&
    english.isFirstName(amName[1]?.split(' ')[0] ?? '') &&
    !english.isDemonym(amName[1] ?? '') &&
    !LASTING.test(amName[1] ?? '')
  ) {
    return { content: `Is called ${amName[1]}`, kind: 'fact', importance: IMPORTANCE.identity };
  }
  const turned =
    /^I (?:have )?(?:just )?turned (\d{2,3})(?=$|,| (?:today|yesterday|last|this|on|in|and|two|three|years)\b)/i.exec(
      text,
    );
  if (turned) return fact(`Is ${turned[1]} years old`);
  const plainName = /^my (?:first )?name is ([a-z]+)$/.exec(text)?.[1];
  if (plainName !== undefined && english.isFirstName(plainName)) {
    return { content: `Is called ${capitalised(plainName)}`, kind: 'fact', importance: IMPORTANCE.identity };
  }
  if (!predicate) return null;
  const { verb, rest, negated } = predicate;

  if (verb === 'be') {
    const age = AGE.exec(rest);
    if (age && Number(age[1]) >= 5 && Number(age[1]) <= 120)
      return fact(`${negated ? 'Is not' : 'Is'} ${age[1]} years old`);
    if (/^allergic to /i.test(rest)) {
      const what = durable(rest.replace(/^allergic to /i, '').replace(/\s+(?:by the way|btw)$/i, ''), 10);
      return what === null ||
        /\b(?:mondays|meetings|work|bullshit|stupidity|nonsense|javascript|java|xml|yaml|morning|mornings|bugs)\b/i.test(
          what,
        )
        ? null
        : { content: stated(predicate, `allergic to ${what}`), kind: 'fact', importance: IMPORTANCE.health };
    }
    if (/^(?:intolerant to|sensitive to) /i.test(rest)) {
      const what = durable(rest, 6);
      return what === null ? null : { content: stated(predicate, what), kind: 'fact', importance: IMPORTANCE.health };
    }
    const fear = FEAR.exec(rest);
    if (fear) return fact(stated(predicate, `afraid of ${fear[1]?.toLowerCase()}`));
    const plain = rest
      .replace(/\s*(?:,|\b(?:because|since|so|but|for (?=\d|[\p{L}\d_]+ (?:years|months)))\b).*$/iu, '')
      .replace(/ again$/i, '')
      .trim();
    if (LASTING.test(plain) && !PASSING_STATE.test(plain)) {
      return {
        content: stated(predicate, plain, additional),
        kind: 'fact',
        importance: HEALTH.test(plain) ? IMPORTANCE.health : IMPORTANCE.fact,
      };
    }
    if (IS_OCCUPATION.test(plain) && !NOT_LASTING.test(plain) && (!negated || /no longer|any ?more/i.test(text)))
      return fact(since(occupationOf(`be ${plain}`) ? renewed : null, stated(predicate, plain, additional)));
    if (/^(?:half |part )?[A-Za-z-]+$/.test(plain) && english.isDemonym(plain.replace(/^(?:half|part) /, ''))) {
      return fact(
        stated(
          predicate,
          plain.replace(/([a-z-]+)$/i, (word) => word.charAt(0).toUpperCase() + word.slice(1)),
          additional,
        ),
      );
    }
    const tongue = /^(?:fluent in|an? native speaker of) ([a-z]+)$|^an? native ([a-z]+) speaker$/i.exec(rest);
    const language = tongue?.[1] ?? tongue?.[2];
    if (language !== undefined && english.isDemonym(language)) {
      return fact(stated({ ...predicate, verb: 'speak' }, capitalised(language), additional));
    }
    const seeker = /^(?:studying|learning|teaching|training to (?:be|become)|working (?:at|for|as|in)) (.+)$/i.exec(
      rest,
    );
    if (seeker) return work({ ...predicate, verb: '' }, rest, additional);
    return null;
  }
  const degree = STUDIED.exec(text);
  if (degree) {
    const what = durable(degree[1] ?? '', 4);
    return what === null ? null : fact(`Studied ${what} at ${degree[2]}`);
  }
  if (verb === 'work') {
    const working = work(predicate, rest, additional);
    return working && /^Works as /.test(working.content) ? fact(since(renewed, working.content)) : working;
  }
  if (
    verb === 'study' ||
    verb === 'teach' ||
    verb === 'major' ||
    verb === 'speak' ||
    verb === 'manage' ||
    verb === 'lead'
  ) {
    const what = durable(rest, 8);
    if (what === null) return null;
    if (verb === 'speak' && !what.split(/,? and |, | /).some((word) => english.isDemonym(word))) return null;
    if (verb === 'speak' && /^(?:to|with|for|of|about)\b/i.test(what)) return null;
    if (
      (verb === 'manage' || verb === 'lead') &&
      !/\b(?:team|department|group|store|shop|restaurant|company|people|engineers|developers|projects?)\b/i.test(what)
    )
      return null;
    return fact(stated(predicate, what, additional));
  }
  return null;
};

const PASSING_STATE = /^(?:single|blind|straight)\s+(?:to|with)/i;

function work(
  predicate: { verb: string; negated: boolean; unable?: boolean },
  rest: string,
  additional: boolean,
): Finding | null {
  if (predicate.verb === '') {
    const [, verb = '', what = ''] = /^([\p{L}\d_]+)(?: (.+))?$/u.exec(rest) ?? [];
    const base = { studying: 'study', learning: 'learn', teaching: 'teach', training: 'train', working: 'work' }[
      verb.toLowerCase()
    ];
    if (base === undefined) return null;
    if (base === 'work') return work({ verb: 'work', negated: predicate.negated }, what, additional);
    const object = durable(what, 8);
    if (object === null || /^(?:about|how|that|from)\b|\b(?:it|them)$/i.test(object)) return null;
    return base === 'learn' || base === 'train'
      ? {
          content: `Is ${predicate.negated ? 'not ' : ''}${verb.toLowerCase()} ${object}`,
          kind: 'fact',
          importance: IMPORTANCE.fact,
        }
      : fact(stated({ verb: base, rest, negated: predicate.negated, unable: false }, object, additional));
  }
  const how =
    /^(?:(?:full|part)[- ]time |remotely |freelance |mostly )?((?:at|for|as|in|from home|remotely|night shifts|nights|freelance|part[- ]time|full[- ]time)\b.*)$/i.exec(
      rest,
    );
  const what = how ? durable(how[1] ?? '', 9) : null;
  if (
    what === null ||
    /^(?:at|for|in) (?:it|this|that|the|my|a) (?!(?:bank|hospital|school|university|startup|start-up|restaurant|company|shop|factory|library|bakery|law firm|hotel|garage|farm|city|government|clinic|agency|family|café|cafe|big|small|large|local|non-profit|tech|uk|us|un|eu)\b)/i.test(
      what,
    )
  )
    return null;
  if (
    /^(?:in|as) (?:progress|expected|intended|designed|well|soon|long|order|parallel|silence|bed)\b/i.test(what) ||
    /^(?:at|for|in|on) (?:it|this|that)\b|^(?:for|at) (?:me|hours|days|weeks|months|years|free|\d|once|all|least|first|that|now|the moment)\b/i.test(
      what,
    )
  )
    return null;
  return fact(stated({ verb: 'work', rest, negated: predicate.negated, unable: false }, what, additional));
}
