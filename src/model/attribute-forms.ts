import { MASS_UNITS, NUMBER_WORD, figure } from './numerals.js';
import { TOOL_ROLE } from './tool-role.js';
import type { Form } from './statement-form.js';

/** Verbs that tell a measure of the speaker's life: the next number takes the place of the last. */
const MEASURING =
  'weigh|earn|make|pay|spend|cost|run|walk|cycle|bike|swim|row|jog|hike|drive|sleep|work|study|train|exercise|practi[cs]e|meditate|smoke|drink|eat|burn|consume|read|take|type|lift|bench|bench press|squat|deadlift|save|commute';
const ONE_NUMBER = `(?:\\d[\\d.,]*k?|(?:${NUMBER_WORD})(?= ))`;
const NUMBER = `(?:about |around |roughly |nearly |almost |approximately |over |at least |up to )?([$\u20AC\u00A3]? ?${ONE_NUMBER}(?:(?: to | or | ?[-\u2013] ?)${ONE_NUMBER})?)`;
const UNITS: Readonly<Record<string, string>> = {
  ...MASS_UNITS,
  kilometre: 'km',
  kilometres: 'km',
  kilometer: 'km',
  kilometers: 'km',
  mile: 'miles',
  kms: 'km',
  hour: 'hours',
  hr: 'hours',
  hrs: 'hours',
  minute: 'minutes',
  min: 'minutes',
  mins: 'minutes',
  litre: 'litres',
  liter: 'litres',
  liters: 'litres',
  euro: 'euros',
  dollar: 'dollars',
  coffee: 'coffees',
  cup: 'cups',
  glass: 'glasses',
  beer: 'beers',
  pint: 'pints',
  cigarette: 'cigarettes',
  pack: 'packs',
};
const TIME = '((?:about |around )?\\d{1,2}(?:[:.]\\d{2})?(?: ?[ap]\\.?m\\.?)?|noon|midnight)';
const ROUTINE =
  '(?:get|wake) up|rise|go to (?:bed|sleep)|(?:start|begin|finish|stop|leave)(?: (?:for )?(?:work|home|school))|have (?:breakfast|lunch|dinner)|eat (?:breakfast|lunch|dinner)';

function unit(words: string): string {
  return words
    .toLowerCase()
    .split(' ')
    .map((word) => UNITS[word] ?? word)
    .join(' ')
    .replace(/\b(?:per|each|every|a|an)(?= (?:day|night|week|month|year|hour|minute)\b)/g, 'a');
}

/** Attributes that have one value at a time, and wordings that differ and say the same. */
export const ATTRIBUTE_FORMS: readonly Form[] = [
  {
    pattern: new RegExp(`^(${MEASURING}) ${NUMBER} ?([a-z].*)?$`, 'i'),
    read: ([, verb = '', number = '', what = '']) => ({
      predicate: `${verb.toLowerCase()} ${unit(what)}`.trim(),
      value: number.replace(/[.,]$/, '').replace(/[a-z]{2,}/gi, figure),
      single: true,
    }),
  },
  {
    pattern: /^be (\d[\d.,]*) ?(\w+) (tall|short|heavy|pregnant|away)$/i,
    read: ([, number = '', what = '', how = '']) => ({
      predicate: `be ${unit(what)} ${how.toLowerCase()}`,
      value: number,
      single: true,
    }),
  },
  {
    pattern: new RegExp(`^(${ROUTINE}) at ${TIME}$`, 'i'),
    read: ([, what = '', at = '']) => ({
      predicate: `${what.toLowerCase().replace(/^(?:wake|rise)(?: up)?$/, 'get up')} at`,
      value: at,
      single: true,
    }),
  },
  {
    pattern: /^work (full|part)[- ]time$/i,
    read: ([, part = '']) => ({ predicate: 'working time', value: part, single: true }),
  },
  {
    pattern:
      /^be in (?:the )?(\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth) (grade|year|form|semester|trimester)$/i,
    read: ([, which = '', what = '']) => ({ predicate: `be in ${what.toLowerCase()}`, value: which, single: true }),
  },
  {
    pattern: new RegExp(
      `^use (.+?) as (?:the |an? |their )?(?:main |primary |default |preferred )?(${TOOL_ROLE})$`,
      'i',
    ),
    read: ([, what = '', role = '']) => ({ predicate: role.toLowerCase(), value: what, single: true }),
  },
  {
    pattern:
      /^(?!have\b)(.+?) (once|twice|(?:one|two|three|four|five|six|seven|\d+) times) (?:a|per|each|every) (day|week|month|year)$/i,
    read: ([, what = '', times = '', span = '']) => ({
      predicate: `${what.toLowerCase()} times a ${span.toLowerCase()}`,
      value: times,
      single: true,
    }),
  },
  {
    pattern: /^give (.+) away(?: (?:on|in) .+)?$/i,
    read: ([, what = '']) => ({ predicate: 'sell', value: what }),
  },
  {
    pattern: /^(?:get|be) rid of (.+?)(?: (?:on|in) .*\d{4}.*)?$/i,
    read: ([, what = '']) => ({ predicate: 'sell', value: what }),
  },
  { pattern: /^major in (.+)$/i, read: ([, subject = '']) => ({ predicate: 'major', value: subject, single: true }) },
  {
    // "A truck for work" stands beside the car.
    pattern: /^drive an? (.+?)(?: ((?:for|at|on|during) .+))?$/i,
    read: ([, car = '', occasion = '']) => ({ predicate: `drive ${occasion}`.trim(), value: car, single: true }),
  },
  {
    pattern: /^(?:want|prefer|like) to be called (.+)$/i,
    read: ([, name = '']) => ({ predicate: 'form of address', value: name, single: true }),
  },
  { pattern: /^(?:be|come) from (.+)$/i, read: ([, where = '']) => ({ predicate: 'origin', value: where }) },
  {
    pattern:
      /^(?:be (?:severely |mildly |highly )?allergic to|have (?:an? )?(?:severe |mild |strong )?allergy to) (.+)$/i,
    read: ([, what = '']) => ({ predicate: 'allergy', value: singular(what) }),
  },
  {
    pattern: /^have (?:an? )?(?:severe |mild |strong )?([\p{L}\d_-]+) allergy$/iu,
    read: ([, what = '']) => ({ predicate: 'allergy', value: singular(what) }),
  },
  {
    pattern: /^speak (fluent|native|basic|conversational) ([\p{L}\d_-]+)$/iu,
    read: ([, how = '', language = '']) => ({ predicate: 'speak', value: language, detail: how.toLowerCase() }),
  },
  {
    pattern: /^speak ([\p{L}\d_-]+) (fluent|native|basic|conversational)(?:al)?ly$/iu,
    read: ([, language = '', how = '']) => ({ predicate: 'speak', value: language, detail: how.toLowerCase() }),
  },
  { pattern: /^(?:have )?(?:give|given) up (.+)$/i, read: ([, what = '']) => ({ predicate: 'give up', value: what }) },
  {
    pattern: /^go for (?:an? )?(run|walk|swim|ride|hike)\b ?(.*)$/i,
    read: ([, what = '', when = '']) => ({ predicate: what.toLowerCase(), value: when }),
  },
];

function singular(things: string): string {
  return /[^s]s$/i.test(things) ? things.slice(0, -1) : things;
}
