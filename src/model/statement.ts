import { ATTRIBUTE_FORMS } from './attribute-forms.js';
import { begunOrEnded } from './begun-or-ended.js';
import { MEASURE_FORMS, measured } from './measure-forms.js';
import { figure } from './numerals.js';
import { occupationOf, workOf } from './occupation.js';
import { PET } from './pet.js';
import { PLAN_TIER } from './plan-tier.js';
import type { Form, Reading } from './statement-form.js';

/**
 * A memory's sentence taken apart, so that two can be compared: "Is on the Pro plan" is the user's `plan`, `pro`. Only the
 * plain forms are read that extraction and models write; of anything else nothing is claimed.
 */
export interface Statement {
  /** `user`, or in lower case whoever or whatever else it is about: `anna`, `wife`, `ledgerly`. */
  readonly subject: string;
  /** What is said, named alike for all its wordings: `residence`, `plan`, `likes`, `has dog`; else the verb. */
  readonly predicate: string;
  /** In lower case without articles: `berlin`, `postgres 16`. */
  readonly value: string;
  readonly negated: boolean;
  /** Says that what was so is so no longer, and nothing beside it ("No longer works as a nurse"). */
  readonly ended: boolean;
  /** Whether a new value takes the place of the old one: one lives in one city and likes many things. */
  readonly single: boolean;
  /** Says itself that it stands beside others ("Also works at Acme", "another dog"). */
  readonly additional: boolean;
  /** Says itself that something else was so before: "now" as in "these days", "instead" where it is of something unsaid. Null of a friend, who may be another one. */
  readonly renewed: 'now' | 'instead' | null;
  /** What the value took the place of, where the sentence says it ("Uses Linear instead of Jira"). */
  readonly replaces: string | null;
  /** What is told beside the value ("as a manager", "with two cats"); empty where nothing is. */
  readonly detail: string;
}

/** Of these a person has one at a time; of dogs, children and projects any number. */
const ONE_OF_A_KIND =
  'wife|husband|spouse|partner|fiance|fiancee|girlfriend|boyfriend|mother|father|mum|mom|dad|boss|manager|line manager|supervisor|doctor|gp|dentist|therapist|landlord|landlady';
const UNIQUE = new RegExp(`^(?:${ONE_OF_A_KIND})$`, 'i');
/** A noun that may be another one the next time. */
const ANY_OF_THEM =
  /^(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|new|first|second|other) )?(?:friend|best friend|colleague|coworker|neighbou?r|client|customer|daughter|son|child|kid|baby|brother|sister|cousin|aunt|uncle|niece|nephew|dog|cat|pet|horse|app|application|company|startup|business|shop|store|website|site|blog|podcast|newsletter|channel|project|side project|product|band|boat|car|house|team|game|book|library|bot|farm|server|repo|repository|backend|frontend|api|service|database|stack|it|this|that)s?$/i;

const PLAN_WORD = 'plan|tier|subscription|licen[sc]e|package';
const SHORT =
  /^(?:very |quite |more )?(?:short|shorter|brief|briefer|concise|terse|succinct|to the point)(?:,? and (?:short|brief|concise|to the point|direct|simple))?$/;
const LONG =
  /^(?:very |quite |more )?(?:long|longer|detailed|in-depth|thorough|comprehensive|verbose|elaborate)(?:,? and (?:detailed|thorough|long))?$/;
const REPLIES = '(?:answers?|replies|reply|responses?|explanations?|messages|communication|output)';
const DIET = 'vegetarian|vegan|pescatarian|pescetarian|flexitarian|omnivore|omnivorous';
const MARITAL = 'married|remarried|single|engaged|divorced|separated|widowed|in a (?:[a-z-]+ )?relationship';
const REPLY_LANGUAGE = /^(?:answer|reply|respond|speak|write) in /i;
const UNITS = /^use (metric|imperial)(?: units| system)?$/i;
const LIKING = 'like|love|enjoy|adore|be fond of|be a (?:big |huge )?fan of|be into|be keen on|be passionate about';
const DISLIKING =
  'hate|dislike|detest|loathe|despise|cannot (?:stand|bear|tolerate)|do not (?:stand|bear|tolerate)|be not a (?:big |huge )?fan of|be not into|be not keen on|be not fond of|do not (?:really )?(?:like|love|enjoy|adore|care for)';
/** What "migrated to GCP" is about when a memory says where the app is deployed. */
export const HOSTING_PROVIDER =
  /^(?:aws|amazon web services|gcp|google cloud(?: platform)?|azure|heroku|fly\.io|fly|render|railway|vercel|netlify|digitalocean|hetzner|cloudflare(?: pages| workers)?|linode|ovh|scaleway|firebase|supabase|kubernetes|ecs|lambda|cloud run|dokku|coolify)$/i;
const NOT_A_TOWN =
  /^(?:postgres.*|mysql|mongodb|redis|docker|react.*|vue.*|angular|svelte|typescript|javascript|python.*|rust|go|java|kotlin|swift|ruby|node.*|linear|jira|notion|slack|teams|linux|ubuntu|mac(?:os)?|windows.*|github|gitlab|production|staging|marketing|sales|finance|engineering|management|product|hr|legal|support|design|operations|graphql|rest|esm|kafka|rabbitmq|excel|vim|neovim|emacs|vs ?code|cursor)$/i;

/** Order matters: the particular readings stand before the general verb. */
const FORMS: readonly Form[] = [
  ...MEASURE_FORMS,
  ...ATTRIBUTE_FORMS,
  {
    pattern: new RegExp(
      `^(?:be on|have|use|be using|be subscribed to|subscribe to|pay for|upgrade to|downgrade to|switch to|be now on) (?:the |an? )?(.+?) (${PLAN_WORD})(?: (?:of|for|on|with|at) (.+?))?(?:,? ((?:since|until|because) .+|\\(.+\\))|, (.+))?$`,
      'i',
    ),
    read: ([, name = '', word = '', of, since, rest]) =>
      /^subscription$/i.test(word) && of === undefined && !name.split(' ').some((part) => PLAN_TIER.test(part))
        ? { predicate: 'subscription', value: name }
        : planOf(name, of, since ?? rest),
  },
  {
    pattern: new RegExp(
      `^(?:switch|upgrade|downgrade|move|change) (?:their plan )?from (?:the |an? )?(.+?)(?: (?:${PLAN_WORD}))? to (?:the |an? )?(.+?)(?: (${PLAN_WORD}))?(?: (?:of|for|on|in|since) .+)?$`,
      'i',
    ),
    read: ([whole, from = '', to = '', word]) =>
      word !== undefined ||
      new RegExp(`\\b(?:${PLAN_WORD})\\b`, 'i').test(whole) ||
      (PLAN_TIER.test(from) && PLAN_TIER.test(to))
        ? planOf(to)
        : null,
  },
  {
    pattern: /^(?:upgrade|downgrade|switch) to (?:the |an? )?(\S+)$/i,
    read: ([, to = '']) => (PLAN_TIER.test(to) ? planOf(to) : null),
  },
  {
    pattern:
      /^(?:(?:live|reside|be (?:living|based|located|residing|settled))(?: with [^,]+?| alone)? in|be a resident of|make (?:a|their) home in) (.+)$/i,
    read: ([, where = '']) => residenceOf(where),
  },
  {
    pattern:
      /^(?:move|relocate) (?:from (.+?) )?to ([A-Z][\p{L}\d_'’-]*(?:[ -][A-Z][\p{L}\d_'’-]*)*)(?:,? (?:in|on|last|this|for|from|recently|with) .+)?$/u,
    read: ([, from, to = '']) =>
      NOT_A_TOWN.test(to) ||
      HOSTING_PROVIDER.test(to) ||
      (from !== undefined && (NOT_A_TOWN.test(from) || HOSTING_PROVIDER.test(from)))
        ? from === undefined
          ? { predicate: 'switch to', value: to }
          : { predicate: 'use', value: to, replaces: from }
        : single('residence', to),
  },
  {
    pattern: /^(?:switch|migrate|transition|convert|move|change) from (.+?) to (.+)$/i,
    read: ([, from = '', to = '']) => ({ predicate: 'use', value: to, replaces: from }),
  },
  {
    pattern: /^(?:switch|migrate|transition|move) to (.+)$/i,
    read: ([, to = '']) => ({ predicate: 'switch to', value: to }),
  },
  {
    pattern: /^(?:use|be using|prefer) (.+?) (?:instead of|rather than|in place of) (.+)$/i,
    read: ([, to = '', from = '']) => ({ predicate: 'use', value: to, replaces: from }),
  },
  {
    pattern: /^(?:(?:work|be working|be employed) (?:at|for|by)|be employed by|be an employee of) (.+)$/i,
    read: ([, where = '']) => employerOf(where),
  },
  {
    pattern: /^work as (.+?) (?:at|for) (.+)$/i,
    read: ([, job = '', where = '']) => ({ ...employerOf(where), detail: `as ${job}` }),
  },
  {
    pattern: /^(?:leave|resign from|quit|be (?:fired|laid off) (?:from|by)) (?:their job (?:at|with) )?([A-Z].*)$/,
    read: ([, where = '']) => ({ ...employerOf(where), negated: true }),
  },
  {
    pattern:
      /^want (?:the assistant|the ai|you) (?:never to|not to|to never|to not) (?:always )?(?:answer|reply|respond|speak|write) in (.+)$/i,
    read: ([, language = '']) => ({ ...single('answer language', language), negated: true }),
  },
  {
    pattern: /^allow (?:the assistant|the ai|you) to (.+)$/i,
    read: ([, what = '']) => ({ predicate: 'want of the assistant', value: what.replace(/^always /i, '') }),
  },
  {
    pattern: /^want (?:the assistant|the ai|you) (never |not )?to (?:(never|not) )?(.+)$/i,
    read: ([, never, not, what = '']) =>
      REPLY_LANGUAGE.test(what)
        ? null
        : UNITS.exec(what)
          ? single('units', UNITS.exec(what)?.[1] ?? '')
          : { predicate: 'want of the assistant', value: what, negated: (never ?? not) !== undefined },
  },
  {
    pattern: /^(?:prefer|use|want) (?:the )?(dark|light) (?:mode|theme)$/i,
    read: ([, mode = '']) => single('colour mode', mode),
  },
  {
    pattern: /^(?:prefer|use|want) (?:the )?(metric|imperial)(?: units| system)?$/i,
    read: ([, units = '']) => single('units', units),
  },
  {
    pattern: /^follow (?:an? )?(?:strict )?([\p{L}\d_-]+(?: [\p{L}\d_-]+)?) diet$/iu,
    read: ([, diet = '']) => (new RegExp(`^(?:${DIET})$`, 'i').test(diet) ? null : single('regimen', diet)),
  },
  { pattern: /^work as (.+)$/i, read: ([, job = '']) => workOf(job) },
  { pattern: /^(?:be|become) an? .+$/i, read: ([words]) => occupationOf(words) },
  {
    pattern: /^(?:be (?:called|named)|go by|have the name|be known as) (.+)$/i,
    read: ([, name = '']) => single('name', name.replace(/^the name /i, '')),
  },
  { pattern: /^be (\d{1,3})(?: years?[ -]old| years of age)?$/i, read: ([, age = '']) => single('age', age) },
  {
    pattern: new RegExp(`^(?:be|follow|eat|keep to) (?:an? |strictly )?(${DIET})(?: diet)?$`, 'i'),
    read: ([, diet = '']) => single('diet', diet.replace('pescet', 'pescat')),
  },
  {
    pattern: new RegExp(
      `^(?:be|get) (?:happily |recently |newly |legally )?(${MARITAL})(?: to (.+)|( (?:with|in|on|at|for|since|last|this)\\b.*))?$`,
      'i',
    ),
    read: ([, state = '', to = '', when = '']) => ({
      predicate: 'marital status',
      value: state.replace(/^re(?=married)/i, '').replace(/^in a .*(?=relationship)/i, 'in a '),
      single: true,
      detail: to || when,
    }),
  },
  {
    pattern: /^(deploy|host|be (?:deployed|hosted)|run)(?: (?!on\b|to\b|at\b|in\b)(.+?))? (?:on|to|at) (.+)$/i,
    read: ([, verb = '', object = '', where = '']) =>
      /^run$/i.test(verb) && !HOSTING_PROVIDER.test(where)
        ? { predicate: `run ${canonicalValue(object)} on`.replace('  ', ' '), value: where }
        : single(`deploy ${canonicalValue(object)}`.trim(), where),
  },
  {
    pattern: new RegExp(
      `^(?:prefer|like|want|need|ask for|request|appreciate) (?:to (?:get|receive|have) )?(?:the assistant to give |the )?(.+?) ${REPLIES}$`,
      'i',
    ),
    read: ([, manner = '']) => mannerOf(manner),
  },
  {
    pattern: new RegExp(
      `^(?:prefer|like|want|need|ask for|request) (?:the assistant's |the |all )?${REPLIES} (?:to be |to be kept |kept |that are )(.+)$`,
      'i',
    ),
    read: ([, manner = '']) => mannerOf(manner),
  },
  {
    pattern: new RegExp(
      `^(?:prefer|want|like|need|ask for|request) (?:the |all )?(?:assistant to (?:always )?(?:answer|reply|respond|speak|write)|${REPLIES}|to be (?:answered|addressed)|to (?:communicate|talk|speak|chat)) (?:to be )?(?:written |given )?in (.+)$`,
      'i',
    ),
    read: ([, words = '']) => {
      const [, language = words, occasion = ''] = /^(.+?) ((?:for|when|if|about|on|during) .+)$/i.exec(words) ?? [];
      return single(`answer language ${occasion}`.trim(), language);
    },
  },
  {
    pattern: /^prefer (.+?) (?:over|to|above) (?!be\b|have\b|get\b|work\b|use\b)(.+)$/i,
    read: ([, chosen = '', other = '']) => {
      const pair = [canonicalValue(chosen), canonicalValue(other)].sort();
      return single(`prefer between ${pair.join(' | ')}`, chosen);
    },
  },
  {
    pattern:
      /^have (?:an? |the |another )?((?:[\p{L}\d_-]+ ){0,3}?[\p{L}\d_-]+?)(?:,? (?:called|named|whose name (?:be|is)|who (?:be|is) (?:called|named)),? )(.+?)(?:, (?:formerly|not) (.+))?$/iu,
    read: ([, thing = '', name = '', former]) => ({
      predicate: `have ${singular(thing)}`,
      value: name,
      single: UNIQUE.test(thing),
      replaces: former ?? null,
    }),
  },
  {
    pattern: /^have (one|two|three|four|five|six|seven|eight|nine|ten|\d+) ((?:[\p{L}\d_-]+ )?[\p{L}\d_-]+)$/iu,
    read: ([, count = '', things = '']) =>
      /^(?:years|hours|minutes|days)\b/i.test(things) ? null : single(`number of ${singular(things)}`, figure(count)),
  },
  {
    pattern: /^(?:subscribe|be subscribed) to (.+)$/i,
    read: ([, service = '']) => ({ predicate: 'subscription', value: service }),
  },
  { pattern: /^pay off (.+)$/i, read: ([, what = '']) => ({ predicate: 'pay off', value: what }) },
  { pattern: /^break up with (.+)$/i, read: ([, whom = '']) => ({ predicate: 'break up', value: whom }) },
  { pattern: /^(?:lose|leave) their job$/i, read: () => ({ predicate: 'be', value: 'out of work' }) },
  { pattern: /^retire\b/i, read: () => ({ predicate: 'be', value: 'retired' }) },
  { pattern: /^call off (.+)$/i, read: ([, what = '']) => ({ predicate: 'call off', value: what }) },
  {
    pattern: /^have (?:an? )?(.+?) instead of (.+)$/i,
    read: ([, now = '', before = '']) => ({ predicate: 'have', value: now, replaces: before }),
  },
  {
    pattern: /^have no (.+)$/i,
    read: ([, thing = '']) => ({ predicate: 'have', value: singular(canonicalValue(thing)), negated: true }),
  },
  {
    pattern: /^(?:have|own) (?:any )?((?:[\p{L}\d_'-]+ ?){1,3})$/iu,
    read: ([, thing = '']) => ({ predicate: 'have', value: singular(canonicalValue(thing)) }),
  },
];

/** "Favourite colour is blue", "Time zone is CET": a property and its value. */
const PROPERTY =
  /^(?:(?:their|his|her|my|the|user's|the user's) )?((?:favou?rite|preferred) [\p{L}\d_' -]{2,40}?|name|full name|age|birthday|time ?zone|native language|mother tongue|first language|job title|job|profession|occupation|hometown|home town|home city|home airport|nationality|budget|monthly budget|rent|monthly rent|bedtime|due date|wedding (?:date|day)|ring size|clothing size|dress size|resting heart rate|blood pressure|nickname|middle name|first name|last name|surname|postcode|zip code|address|notice period|start date|salary|employer|pronouns|star sign|blood type|shoe size|height|weight|email(?: address)?|phone(?: number)?|car|laptop|username|github (?:handle|username)|diet|marital status|plan|subscription|editor|main language|operating system|hosting provider|cloud provider) (?:is|are)( not| no longer)? (.+)$/iu;
const SAME_AS: Readonly<Record<string, string>> = {
  'full name': 'name',
  'job title': 'job',
  profession: 'job',
  occupation: 'job',
  'home town': 'hometown',
  'home city': 'residence',
  'mother tongue': 'native language',
  'first language': 'native language',
  timezone: 'time zone',
  subscription: 'plan',
  'hosting provider': 'deploy',
  'cloud provider': 'deploy',
  'email address': 'email',
  'github username': 'github handle',
};

/** "Cat passed away": as little there as one that was given away. */
const LOST_PET = new RegExp(
  `^(?:(?:the|their) )?(${PET}) (?:passed away|died|ran away|was put (?:down|to sleep))(?: (?:on|in) .+)?$`,
  'i',
);
/** "Biscuit passed away", by its name alone. */
const LOST_BY_NAME = /^(\p{Lu}\p{L}+) (?:passed away|died|ran away|was put (?:down|to sleep))(?: (?:on|in) .+)?$/u;
/** "App is called Ledgerly", "Wife's name is Anna": the same as having one of that name. */
const NAMED_THING =
  /^(?:(?:their|his|her|my|the|user's|the user's) )?((?:[\p{L}\d_-]+ ){0,2}[\p{L}\d_-]+?)(?:'s)? (?:name is|is (?:called|named)) (.+)$/iu;

const USER = /^(?:the )?(?:user|customer|person|speaker|human)\b(?!')\s*|^(?:they|he|she|i|we)\s+(?=\S)/i;
const USERS = /^(?:(?:the )?(?:user|customer)'s|their|his|her|my|our)\s+/i;

/** Finite verbs that open a sentence without a subject, in their base form. */
const VERBS = new Set(
  (
    'be have do live reside work use deploy host run like love enjoy adore hate dislike detest loathe despise prefer want need eat drink smoke avoid ' +
    'speak play study teach learn own drive ride collect practise practice volunteer commute code program develop build write go switch migrate move ' +
    'relocate upgrade downgrade subscribe pay follow keep manage lead sing dance swim hike cycle bike walk train exercise meditate cook bake wake get ' +
    'read paint sleep travel plan hope aim intend dream cannot never come grow make ask request appreciate stop quit leave resign follow transition convert change major take attend visit see weigh earn cost spend sell cancel start begin give major lift save commute smoke sleep resume allow wear burn consume bench squat deadlift jog row type become pass call finish break drop lose graduate retire'
  ).split(' '),
);
const PAST: Readonly<Record<string, string>> = {
  moved: 'move',
  left: 'leave',
  resigned: 'resign',
  relocated: 'relocate',
  switched: 'switch',
  migrated: 'migrate',
  upgraded: 'upgrade',
  downgraded: 'downgrade',
  transitioned: 'transition',
  changed: 'change',
  subscribed: 'subscribe',
  stopped: 'stop',
  quit: 'quit',
  converted: 'convert',
  sold: 'sell',
  cancelled: 'cancel',
  canceled: 'cancel',
  started: 'start',
  began: 'begin',
  gave: 'give',
  took: 'take',
  came: 'come',
  grew: 'grow',
  got: 'get',
  became: 'become',
  passed: 'pass',
  called: 'call',
  broke: 'break',
  paid: 'pay',
  dropped: 'drop',
  visited: 'visit',
  went: 'go',
  travelled: 'travel',
  traveled: 'travel',
  lost: 'lose',
  graduated: 'graduate',
  retired: 'retire',
  ran: 'run',
  finished: 'finish',
};
const ASIDE =
  /\b(?:currently|now|presently|also|really|still|usually|generally|mostly|mainly|primarily|always|very much|just|recently|absolutely|especially|typically|already|strongly|actually)\b\s*/gi;
const ENDED = /\bno longer\b|\bany ?more$|\bany longer$/i;
const ANY_MORE =
  /\s+(?:any ?more|any longer|now|currently|these days|nowadays|at the moment|at present|too|as well|instead)$/i;
const RENEWED = /\b(?:now|nowadays|these days|(instead)(?! of\b))\b/i;

/** Reads one sentence; null where it is none of the plain forms, or says several things at once. */
export function parseStatement(content: string): Statement | null {
  const sentence = content
    .normalize('NFKC')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '');
  if (
    sentence === '' ||
    /[?;]|[.!] |\b(?:but|although|because|unless|if)\b/i.test(sentence) ||
    clausesOf(sentence).length > 1
  )
    return null;
  const renewed = RENEWED.exec(sentence);
  const marks: Marks = {
    additional: /\b(?:also|another|as well|second)\b|\btoo$/i.test(sentence),
    renewed: renewed ? (renewed[1] === undefined ? 'now' : 'instead') : null,
  };

  const property = PROPERTY.exec(sentence);
  if (property) {
    const [, name = '', not, value = ''] = property;
    const key = name.toLowerCase().replace('favorite', 'favourite').replace('color', 'colour');
    return statement(
      'user',
      {
        ...single(SAME_AS[key] ?? key, measured(key, value.replace(/ (?:plan|tier)$/i, ''))),
        negated: not !== undefined,
      },
      marks,
    );
  }
  const pet = LOST_PET.exec(sentence)?.[1];
  if (pet !== undefined) return statement('user', { predicate: 'sell', value: pet }, marks);
  const lost = LOST_BY_NAME.exec(sentence)?.[1];
  if (lost !== undefined) return statement('user', { predicate: 'lose', value: lost }, marks);
  const { subject, words } = subjectOf(sentence);
  if (words === null) {
    const thing = NAMED_THING.exec(sentence.replace(USERS, ''));
    return thing
      ? statement(
          'user',
          { predicate: `have ${singular(thing[1] ?? '')}`, value: thing[2] ?? '', single: UNIQUE.test(thing[1] ?? '') },
          marks,
        )
      : null;
  }
  if (subject !== 'user') {
    const thing = NAMED_THING.exec(sentence.replace(USERS, ''));
    if (thing)
      return statement(
        'user',
        { predicate: `have ${singular(thing[1] ?? '')}`, value: thing[2] ?? '', single: UNIQUE.test(thing[1] ?? '') },
        marks,
      );
  }

  const ended = ENDED.test(words);
  const change = begunOrEnded(words, stem);
  const plain = change?.words ?? words;
  const taste = change?.negated ? null : tasteOf(plain);
  if (taste) return statement(subject, taste, marks);

  const { positive, negated } = change?.negated ? { positive: plain, negated: true } : withoutNegation(plain);
  for (const { pattern, read } of FORMS) {
    const match = pattern.exec(positive);
    const reading = match && read(match);
    if (reading) return statement(subject, { ...reading, negated: negated || reading.negated === true }, marks, ended);
  }
  const general = /^(be|[a-z]+)(?: (.+))?$/i.exec(positive);
  const verb = general?.[1]?.toLowerCase() ?? '';
  return VERBS.has(verb)
    ? statement(subject, { predicate: verb, value: general?.[2] ?? '', negated }, marks, ended)
    : null;
}

/** The parts of a sentence that each state something: "Lives in Berlin and works at Siemens" has two. */
export function clausesOf(sentence: string): string[] {
  return sentence
    .split(
      /(?:;|\.|,)? (?:and|but) (?=(?:is|has|lives|works|uses|deploys|likes|loves|hates|dislikes|prefers|speaks|plays|drives|owns|studies|wants|does not|cannot|no longer|enjoys|eats|drinks|runs|pays|keeps|teaches|owns)\b)|; |[.!] (?=[A-Z])/,
    )
    .map((clause) => clause.trim().replace(/[.!;]+$/, ''))
    .filter((clause) => clause !== '');
}

/** Two values are one thing: equal but for articles, case and a plural. */
export function canonicalValue(value: string): string {
  return value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/["“”]/g, '')
    .replace(/\b(?:a|an|the|any|their|his|her|my|some)\s+/g, '')
    .replace(/^(?:eating|drinking|to eat|to drink)\s+/, '')
    .replace(/[,;.!]+(?=\s|$)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

type Marks = Pick<Statement, 'additional' | 'renewed'>;

function statement(subject: string, reading: Reading, { additional, renewed }: Marks, ended = false): Statement {
  return {
    subject,
    predicate: reading.predicate,
    value: canonicalValue(reading.value.replace(ANY_MORE, '')),
    negated: reading.negated ?? false,
    ended: ended && reading.negated === true,
    // Of "friend lives in Rome" the next sentence may mean another friend.
    single: (reading.single ?? false) && !ANY_OF_THEM.test(subject),
    additional,
    renewed: ANY_OF_THEM.test(subject) ? null : reading.renewed === true ? 'now' : renewed,
    replaces: reading.replaces ? canonicalValue(reading.replaces) : null,
    detail: canonicalValue(reading.detail ?? ''),
  };
}

/** A value and what limits it: "Berlin on weekends" does not compete with "Munich during the week". */
function single(predicate: string, value: string): Reading {
  const limit =
    /^(.+?),? ((?:on|at) (?:the )?(?:weekends?|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)|during .+|in (?:the )?(?:summers?|winters?|spring|autumn)|half (?:of )?the .+|part[- ]time|for (?:work|school|fun|personal .+|side .+|hobby .+|private .+|small .+|static .+|staging|production|tests?|the frontend|the backend))$/i.exec(
      value,
    );
  if (limit)
    return { predicate: `${predicate} ${canonicalValue(limit[2] ?? '')}`, value: limit[1] ?? '', single: true };
  const [, bare = value, detail = ''] =
    /^(.+?)(?:,? ((?:with|since|near|together with|for (?:\d|the past|the last|over|about|many|several)|as an?)\b.*)|,? \((.+)\))$/i.exec(
      value,
    ) ?? [];
  return { predicate, value: bare, single: true, detail };
}

/** "Acme Inc." is Acme. */
function employerOf(where: string): Reading {
  const read = single('employer', where);
  return { ...read, value: read.value.replace(/,? (?:inc|ltd|llc|gmbh|ag|corp|co|plc|se|s\.?a|n\.?v|b\.?v)\.?$/i, '') };
}

/** "A small flat in Berlin" is in Berlin; of "a house with a garden" no town is known. */
function residenceOf(where: string): Reading {
  const dwelling =
    /^(?:an?|the) (?:[\p{L}\d_-]+ )*?(?:flat|apartment|house|room|studio|cottage|loft|condo|village|town|city|suburb|farm|neighbou?rhood|dorm|caravan|van|boat|countryside|centre|center|area|district|outskirts)\b(?:.* (?:in|of|near) ([A-Z].*))?/u.exec(
      where,
    );
  // "Berlin, Germany" is in Germany.
  if (!dwelling) return single('residence', where.replace(/^(\p{Lu}[^,]+), (?=\p{Lu}[^,]+$)/u, '$1 in '));
  return dwelling[1] === undefined
    ? { predicate: 'live', value: where }
    : { ...single('residence', dwelling[1]), detail: where };
}

/** "Pro" is the plan; "Netflix Premium" is the plan of Netflix; of "keto" nothing is known. */
function planOf(name: string, of?: string, detail = ''): Reading | null {
  const words = name.split(' ');
  const tier = [...words].reverse().find((word) => PLAN_TIER.test(word));
  const rest = words.filter((word) => word !== tier).join(' ');
  if (tier !== undefined)
    return {
      predicate: `plan ${canonicalValue([rest, of ?? ''].join(' '))}`.trim(),
      value: tier,
      single: true,
      detail,
    };
  return {
    predicate: of ? `plan ${canonicalValue(of)}` : 'plan',
    value: name,
    single: /^[A-Z][\p{L}\d_]*$/u.test(name),
    detail,
  };
}

function mannerOf(manner: string): Reading | null {
  const words = manner.toLowerCase();
  if (SHORT.test(words)) return { predicate: 'answer length', value: 'short', single: true };
  if (LONG.test(words)) return { predicate: 'answer length', value: 'long', single: true };
  return null;
}

function tasteOf(words: string): Reading | null {
  const disliked =
    new RegExp(`^(?:${DISLIKING}) (.+)$`, 'i').exec(words) ?? /^no longer (?:like|love|enjoy|adore) (.+)$/i.exec(words);
  if (disliked) return mannered(words) ? null : { predicate: 'like', value: disliked[1] ?? '', negated: true };
  const liked =
    new RegExp(`^(?:${LIKING}) (.+)$`, 'i').exec(words) ??
    // No longer disliked.
    /^(?:do not|no longer) (?:hate|dislike|detest|loathe|despise|mind) (.+)$/i.exec(words);
  return liked && !mannered(words) ? { predicate: 'like', value: liked[1] ?? '' } : null;
}

function mannered(words: string): boolean {
  const manner = new RegExp(`^(?:like|love) (.+) ${REPLIES}$`, 'i').exec(words);
  return manner !== null && mannerOf(manner[1] ?? '') !== null;
}

function withoutNegation(words: string): { positive: string; negated: boolean } {
  const positive = words.replace(ANY_MORE, '');
  const denied =
    /^(?:do not|never|no longer|cannot|do not ever|do no longer) (.+)$/i.exec(positive) ??
    /^(?:be) (?:not|no longer|never) (.+)$/i.exec(positive) ??
    /^(?:have) (?:not|no longer) (.+)$/i.exec(positive);
  if (!denied) return { positive, negated: false };
  const verb = /^be\b/i.test(positive) ? 'be ' : /^have\b/i.test(positive) ? 'have ' : '';
  return { positive: `${verb}${verb ? denied[1] : baseFirst(denied[1] ?? '')}`, negated: true };
}

/** Whom the sentence is about, and the rest with its verb in base form; null where no known verb is found. */
function subjectOf(sentence: string): { subject: string; words: string | null } {
  const spelled = sentence
    .replace(/\bcan't\b|\bcan not\b/gi, 'cannot')
    .replace(/\b(is|are|does|do|has|was|have)n't\b/gi, '$1 not')
    .replace(/\b(I)'m\b/g, '$1 am')
    .replace(/\b(they|we)'re\b/gi, '$1 are')
    .replace(/\b(he|she)'s\b/gi, '$1 is')
    .replace(/\bI've\b/g, 'I have');
  const own = spelled.replace(USER, '');
  const trimmed = own
    .replace(ASIDE, '')
    .replace(/^(?:has|have) (?=(?:moved|relocated|switched|migrated|upgraded|downgraded|subscribed|left)\b)/i, '')
    .trim();
  const opening = baseFirst(trimmed);
  if (VERBS.has(opening.split(' ')[0]?.toLowerCase() ?? '') || /^no longer\b/i.test(trimmed)) {
    return {
      subject: 'user',
      words: /^no longer\b/i.test(trimmed) ? `no longer ${baseFirst(trimmed.replace(/^no longer /i, ''))}` : opening,
    };
  }
  const other =
    /^((?:[\p{L}\d_'&.-]+ ){1,4}?)((?:is|are|has|lives|works|uses|likes|loves|hates|prefers|speaks|plays|drives|studies|deploys|runs|does not|cannot|enjoys|dislikes|eats|drinks|wants|owns|moved|switched)\b.*)$/iu.exec(
      spelled.replace(USERS, ''),
    );
  if (!other) return { subject: 'user', words: null };
  return { subject: canonicalValue(other[1] ?? ''), words: baseFirst((other[2] ?? '').replace(ASIDE, '').trim()) };
}

/** The first verb in its base form: "Does not live in" -> "do not live in", "Lives in" -> "live in". */
function baseFirst(words: string): string {
  const [first = '', ...rest] = words.split(' ');
  return [base(first), ...rest].join(' ');
}

function base(word: string): string {
  const lower = word.toLowerCase();
  if (lower === 'is' || lower === 'are' || lower === 'am') return 'be';
  if (lower === 'has') return 'have';
  if (lower in PAST) return PAST[lower] ?? lower;
  if (/ies$/.test(lower)) return `${lower.slice(0, -3)}y`;
  if (/(?:sh|ch|x|z|ss|o)es$/.test(lower)) return lower.slice(0, -2);
  return /[^s]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

/** "us(ing)" -> "use", "runn(ing)" -> "run": the known verb that the stem belongs to. */
function stem(participle: string): string {
  const candidates = [participle, `${participle}e`, participle.slice(0, -1)];
  return candidates.find((candidate) => VERBS.has(candidate.toLowerCase())) ?? participle;
}

function singular(things: string): string {
  const word = things.toLowerCase();
  if (/(?:^| )(?:children|kids)$/.test(word)) return word.replace(/(?:children|kids)$/, 'child');
  if (/(?:^| )kid$/.test(word)) return word.replace(/kid$/, 'child');
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}
