import { PET } from '../../../model/pet.js';
import { capitalised } from '../third-person.js';
import { IMPORTANCE, durable, fact } from './rule.js';
import type { Rule } from './rule.js';

const KIN =
  '(?:daughter|son|wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|mother|father|mum|mom|dad|stepmother|stepfather|stepson|stepdaughter|brother|sister|half-?brother|half-?sister|twin(?: brother| sister)?|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|aunt|uncle|niece|nephew|cousin|boss|manager|roommate|flatmate|baby|kid|child)';
/** Who looks after one, and of whom one has one. */
const SERVING = '(?:line manager|supervisor|doctor|gp|dentist|therapist|landlord|landlady)';
const TITLED = /^(?:Dr|Mr|Mrs|Ms|Prof)\.? \p{Lu}/u;
const WORK =
  '(?:app|application|company|startup|start-up|business|shop|store|website|site|blog|podcast|newsletter|channel|project|side project|product|band|boat|car|house|bakery|restaurant|cafe|café|studio|agency|team|game|book|library|saas|bot|farm|school|brand|club|organisation|organization|non-?profit|server|repo|repository|open[- ]source project)';
const ADJECTIVE =
  '(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|new|first|second|third|other|middle|late|only|pet|main|current|own|rescue|twin|[\\p{L}\\d_-]+ing|mobile|web|saas|online|[\\p{L}\\d_-]+-year-old) )?';
const NAME =
  "((?:[\\p{Lu}\\d][\\p{L}\\p{M}\\d&.'+-]*|of|the|and|de|la|von|van)(?: (?:&|[\\p{Lu}\\d][\\p{L}\\p{M}\\d&.'+-]*|of|the|and|de|la|von|van))*|[\\p{Ll}][\\p{L}\\d]*[.\\d][\\p{L}\\d.]*|[a-z][a-z\\d-]{2,})";
const CALLED = new RegExp(
  `^my (${ADJECTIVE}(?:${KIN}|${SERVING}|${PET}|${WORK}))(?:'s name)? (?:is|was just|is now|are) (?:called |named )?${NAME}$`,
  'u',
);
const CALLED_WORD = /(?:'s name (?:is|are)|called|named)\s/;
const HAVE_THING = new RegExp(
  `^((?:an?|one|two|three|four|five|six|seven|\\d+|another|no)) ((?:(?!(?:about|for|with|of|in|on|to|that|from|my|the|where|which|is|and|or)\\b)[\\p{L}\\d_'-]+ ){0,3}?(?:${KIN}s?|children|kids|twins|siblings|grandchildren|wives|${PET}s?|puppies|bunnies|ponies|horses|${WORK}s?|companies|businesses|agencies|bakeries|garden|allotment|balcony|flat|apartment|cottage|farm|piano|guitar|motorbike|motorcycle|bicycle|bike|van|truck|camper|tesla|mac|macbook|iphone|pixel|thinkpad|pc|laptop|ps5|xbox|nas|degree|phd|master's|masters|bachelor's|mba|diploma|subscription|membership|allergy|allergies|intolerance|condition|pacemaker|tattoo|mortgage|visa|green card|passport|licen[sc]e))\\b(.*)$`,
  'iu',
);
const CONDITION =
  /^((?:type[- ][12] |severe |mild |chronic |bad |seasonal )?(?:diabetes|asthma|adhd|add|autism|dyslexia|coeliac disease|celiac disease|celiac|crohn's(?: disease)?|ibs|epilepsy|migraines|insomnia|arthritis|hypertension|high blood pressure|hay fever|eczema|psoriasis|tinnitus|anxiety|depression|ocd|ptsd|endometriosis|hypothyroidism|lactose intolerance|(?:[\p{L}\d_-]+ ){1,2}allerg(?:y|ies)|an? (?:[\p{L}\d_-]+ ){1,3}(?:allergy|intolerance)))$/iu;
const EXPERIENCE =
  /^((?:\d+|two|three|four|five|six|seven|eight|nine|ten|many|over \d+|more than \d+)\+? years(?:'| of)? (?:of )?experience\b.*|experience (?:with|in) .+|a degree in .+)$/i;

const ATTRIBUTE =
  '(?:birthday|anniversary|time ?zone|native language|mother tongue|first language|mobile number|phone number|(?:home )?address|age|height|weight|waist(?: size)?|inseam|shoe size|ring size|hat size|clothing size|resting heart rate|blood pressure|bedtime|(?:monthly )?rent|notice period|blood type|star sign|zodiac sign|pronouns|job title|job|profession|occupation|role|major|hobby|hobbies|hometown|home town|home city|home airport|nationality|religion|budget|monthly budget|salary|working hours|work hours|tech stack|stack|main language|operating system|os|editor|ide|shell|phone|car|laptop|keyboard|database|hosting provider|cloud provider|framework|employer|email(?: address)?|github(?: handle| username)?|twitter handle|username|nickname|diet|allergies|preferred (?:language|name|units?|currency|airline|editor|framework|tone|style|format)|currency|dress size)';
const ATTRIBUTE_IS = new RegExp(`^my (${ATTRIBUTE}) (?:is|are|=) (not )?(.+)$`, 'iu');
const FAVOURITE =
  /^my (?:all-time |absolute )?(favou?rite [\p{L}\d_' -]{2,40}?)(?: (?:of all time|by far|ever))? (?:is|are|has always been|would be) (.+)$/iu;
const GOAL =
  /^my (?:(?:main|big|biggest|long-term|next|personal|current|career) )?(goal|dream|ambition|aim|new year's resolution|resolution)(?: (?:for|in) (this year|next year|\d{4}|[\p{L}\d_ ]{3,12}))? is (?:to |that I )(.+)$/iu;
const RUNS_ON = new RegExp(
  `^my (${ADJECTIVE}${WORK}|backend|back-end|frontend|front-end|api|stack|infrastructure|code|codebase|server|database|team|company|infra) (?:is |are )?(?:now )?(runs on|run on|uses|use|is built with|built with|is written in|written in|is hosted on|hosted on|hosted at|deployed on|deployed to|is deployed on|based on|made with) (.+)$`,
  'iu',
);

/** What the user has, and what "my ..." is or is called. */
export const belongings: Rule = (statement) => {
  const { predicate, calendar, additional } = statement;
  const text = statement.text
    .replace(/,? and (?:he|she|it|they)(?: is|'s| are)\b.*$/, '')
    .replace(
      /^(my .+?\b(?:called|named) .+?) and (?:(?:is|was|has|loves|likes|hates|barks|sleeps|eats|lives|works|plays|needs|wants|comes|goes|can|does|knows|always|never)\b.*)$/,
      '$1',
    );
  const diagnosed = predicate?.verb === 'be' ? /^diagnosed with (.+)$/i.exec(predicate.rest) : null;
  const illness = CONDITION.exec(diagnosed?.[1] ?? '');
  if (illness) return { content: `Has ${illness[1]}`, kind: 'fact', importance: IMPORTANCE.health };
  const renamed =
    /^I (?:have )?(?:just )?(?:renamed|rebranded) (?:my )?([\p{L}\d_ -]{2,30}?) (?:from (.+?) )?(?:to|as) (.+)$/iu.exec(
      text,
    );
  if (renamed) {
    const [, thing = '', from, to = ''] = renamed;
    const name = durable(to, 4);
    return name !== null && /^[\p{Lu}\d]/u.test(name) && new RegExp(`^(?:${WORK}|${PET})$`, 'iu').test(thing.trim())
      ? fact(`Has ${article(thing.trim())} ${thing.trim()} called ${name}${from ? `, formerly ${from}` : ''}`)
      : null;
  }
  const [, put = text, wrong] = /^(.+), not (\p{Lu}[\p{L}'-]+)$/u.exec(text) ?? [];
  const called = CALLED.exec(put);
  if (called) {
    const [, owned = ''] = called;
    // With its stop it would read as two sentences.
    const name = (called[2] ?? '').replace(/^(Dr|Mr|Mrs|Ms|Prof)\. /, '$1 ');
    const explicit = CALLED_WORD.test(put.slice(3 + owned.length));
    if (
      (explicit ||
        (new RegExp(`(?:${KIN}|${SERVING}|${PET})$`, 'u').test(owned) &&
          /^\p{Lu}/u.test(name) &&
          (TITLED.test(name) || statement.english.isFirstName(name.split(' ')[0] ?? '')))) &&
      !/^(?:not|it|after|off|out|by|from|via|back|twice|once|for|in|on|with|when|every|again|late|home|into|up)\b/.test(
        name,
      )
    ) {
      return fact(
        `Has ${article(owned)} ${owned} called ${name}${wrong === undefined ? '' : `, not ${wrong}`}`.replace(
          'an other ',
          'another ',
        ),
      );
    }
  }
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
      const details = tailOf(tail);
      if (details === null) return null;
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

const NUMBER = /^\+?\(?\d[\d ()/.-]{4,20}$/;

/** "5 Elm Street, Leeds" is one with its commas. */
function addressIn(words: string): string | null {
  return /^(?=.*\d)[\p{L}\d][\p{L}\d .,'/-]{4,100}$/u.test(words) &&
    /\p{Lu}/u.test(words) &&
    !/\b(?:and|but|I|is)\b/.test(words)
    ? words
    : null;
}

/** What may follow the thing had: its name, its age, what it is of. Anything else is a story. */
function tailOf(tail: string): string | null {
  const text = tail
    .trim()
    .replace(/[.,;]+$/, '')
    .replace(/^,? ?but .*$|,? and (?:he|she|it|they)\b.*$/i, '')
    .replace(/^, (?=\p{Lu}[\p{L}'-]+(?:,? and \p{Lu}|, \p{Lu}))/u, 'called ')
    .replace(/^, (\p{Lu}[\p{L}'-]+),? who is .*$/u, 'called $1')
    .replace(/^, (\p{Lu}[\p{L}'-]+)(?:,? (?:aged )?\d{1,2})?$/u, 'called $1')
    .replace(
      /^,? ?(?:and )?(?:named|who is (?:called|named)|whose name is|(?:her|his|their|its) names? (?:is|are)) /i,
      'called ',
    );
  if (text === '') return '';
  return DETAIL.test(text) && durable(text, 10) !== null ? ` ${text}` : null;
}

const DETAIL =
  /^(?:called .{1,80}|,? ?[\p{Lu}]\p{L}+(?:(?:,? and |, )\p{Lu}\p{L}+)*|(?:in|with|of|from|to) (?!(?:me|this|that|it|you|a question|problem)\b)[\p{L}\d][\p{L}\d' -]{1,60}|aged? \d+(?: and \d+)?)$/u;

function article(thing: string): string {
  return /^(?:[aeiou])/i.test(thing) && !/^(?:one|uni|use)/i.test(thing) ? 'an' : 'a';
}
