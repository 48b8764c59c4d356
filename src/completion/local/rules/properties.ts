import { capitalised } from '../third-person.js';
import { IMPORTANCE, durable, fact } from './rule.js';
import type { Rule } from './rule.js';
import { ADJECTIVE, WORK, withoutWhatTheyDo } from './things.js';

const ATTRIBUTE =
  '(?:surname|last name|middle name|birthday|anniversary|time ?zone|native language|mother tongue|first language|mobile number|phone number|(?:home )?address|age|height|weight|waist(?: size)?|inseam|shoe size|ring size|hat size|clothing size|resting heart rate|blood pressure|bedtime|(?:monthly )?rent|notice period|blood type|star sign|zodiac sign|pronouns|job title|job|profession|occupation|role|major|hobby|hobbies|hometown|home town|home city|home airport|nationality|religion|budget|monthly budget|salary|working hours|work hours|tech stack|stack|main language|operating system|os|editor|ide|shell|phone|car|laptop|keyboard|database|hosting provider|cloud provider|framework|employer|email(?: address)?|github(?: handle| username)?|twitter handle|username|nickname|diet|allergies|preferred (?:language|name|units?|currency|airline|editor|framework|tone|style|format)|currency|dress size)';
const ATTRIBUTE_IS = new RegExp(`^my (${ATTRIBUTE}) (?:is|are|=) (not )?(.+)$`, 'iu');
const FAVOURITE =
  /^my (?:all-time |absolute )?(favou?rite [\p{L}\d_' -]{2,40}?)(?: (?:of all time|by far|ever|these days|nowadays|now|at the moment|right now))? (?:is|are|has always been|would be)(?: now)? (.+)$/iu;
const GOAL =
  /^my (?:(?:main|big|biggest|long-term|next|personal|current|career) )?(goal|dream|ambition|aim|new year's resolution|resolution)(?: (?:for|in) (this year|next year|\d{4}|[\p{L}\d_ ]{3,12}))? is (?:to |that I )(.+)$/iu;
const RUNS_ON = new RegExp(
  `^my (${ADJECTIVE}${WORK}|backend|back-end|frontend|front-end|api|stack|infrastructure|code|codebase|server|database|team|company|infra) (?:is |are )?(?:now )?(runs on|run on|uses|use|is built with|built with|is written in|written in|is hosted on|hosted on|hosted at|deployed on|deployed to|is deployed on|based on|made with) (.+)$`,
  'iu',
);
const NUMBER = /^\+?\(?\d[\d ()/.-]{4,20}$/;

/** What "my ..." is: a favourite, a goal, an attribute of which one has one; and what it runs on. */
export const properties: Rule = (statement) => {
  const { calendar } = statement;
  const text = withoutWhatTheyDo(statement.text);
  const favourite = FAVOURITE.exec(text);
  if (favourite) {
    const value = durable(favourite[2] ?? '', 8);
    return value === null || /^not\b/i.test(value)
      ? null
      : {
          content: `${capitalised(favourite[1] ?? '')} is ${value}`,
          kind: 'preference',
          importance: IMPORTANCE.preference,
        };
  }
  const goal = GOAL.exec(text);
  if (goal) {
    const what = durable(goal[3] ?? '', 16);
    const when = goal[2] ? ` in ${goal[2]}` : '';
    return what === null
      ? null
      : {
          content: calendar.absolute(`Wants to ${what}${when}`).replace('in in', 'in'),
          kind: 'goal',
          importance: IMPORTANCE.goal,
        };
  }
  const attribute = ATTRIBUTE_IS.exec(text);
  if (attribute) {
    const [, name = '', not = '', raw = ''] = attribute;
    const value = /pronouns/i.test(name)
      ? raw
      : /^(?:home )?address$/i.test(name)
        ? addressIn(raw)
        : /number$/i.test(name)
          ? (NUMBER.exec(raw)?.[0] ?? null)
          : durable(raw, 8);
    if (
      value === null ||
      (!/^hobb/i.test(name) && /^[a-z]+(?:ing|ed)\b/.test(value)) ||
      /^(?:a secret|none of|private)\b/i.test(value) ||
      /^(?:broken|not|down|slow|full|dead|on fire|crashing|failing|gone|missing|late|locked|wrong|being|about|too|so|very|really|killing|driving|boring|hard|stressful|to\b|going|getting|dying|acting|frozen|stuck|in the|due|coming|up|old|new|great|good|better|bad|worse|fun|nice|lovely|amazing|awesome|interesting|exciting|terrible|awful|fine|ok|okay|tight|limited|small|big|at risk)\b/i.test(
        value,
      )
    )
      return null;
    return {
      content: calendar.absolute(
        `${capitalised(name)} ${/s$/.test(name) && !/allergies|pronouns|hours|hobbies/i.test(name) ? 'is' : /allergies|pronouns|hours|hobbies/i.test(name) ? 'are' : 'is'} ${not.toLowerCase()}${value}`,
      ),
      kind: 'fact',
      importance: IMPORTANCE.fact,
    };
  }
  const runsOn = RUNS_ON.exec(text);
  if (runsOn) {
    const [, thing = '', verb = '', raw = ''] = runsOn;
    const what = durable(raw, 8);
    if (what === null || /^(?:time|schedule|fire|a (?:cron|schedule|loop)|port|localhost|\d)/i.test(what)) return null;
    const phrase =
      {
        'run on': 'runs on',
        use: 'uses',
        'built with': 'is built with',
        'written in': 'is written in',
        'hosted on': 'is hosted on',
        'hosted at': 'is hosted at',
        'deployed on': 'is deployed on',
        'deployed to': 'is deployed to',
        'based on': 'is based on',
        'made with': 'is made with',
      }[verb.toLowerCase()] ?? verb.toLowerCase();
    return fact(`${capitalised(thing)} ${phrase} ${what}`);
  }
  return null;
};

/** "5 Elm Street, Leeds" is one with its commas. */
function addressIn(words: string): string | null {
  return /^(?=.*\d)[\p{L}\d][\p{L}\d .,'/-]{4,100}$/u.test(words) &&
    /\p{Lu}/u.test(words) &&
    !/\b(?:and|but|I|is)\b/.test(words)
    ? words
    : null;
}
