import { MASS_UNITS, NUMBER_WORD, figure } from './numerals.js';
import type { Form } from './statement-form.js';

const ABOUT = '(?:about |around |roughly |nearly |almost |approximately |over |under )?';
const NUMBER = `(?:\\d[\\d.,]*|${NUMBER_WORD})`;
const MASS: Readonly<Record<string, string>> = {
  kgs: 'kg',
  ...MASS_UNITS,
  st: 'stone',
};
/** Source of a pattern: what a person's weight is told in. */
export const MASS_UNIT = `(?:${['kg', 'lbs', 'stone', ...Object.keys(MASS)].sort((a, b) => b.length - a.length).join('|')})`;
/** Source of a pattern: a person's height, in metres, centimetres, or feet and inches. */
export const HEIGHT = `(?:1m ?\\d{2}|[12][.,]\\d{1,2} ?(?:m|met(?:er|re)s?)|1\\d\\d ?(?:cm|centimet(?:er|re)s?)|[4-7] ?(?:'|ft|foot|feet) ?\\d{0,2}(?:"|''| ?(?:in|inch|inches))?|(?:four|five|six|seven) (?:foot|feet)(?: (?:${NUMBER_WORD}))?(?: inch(?:es)?)?)`;

/** "1.83 m", "1m83" and "183 cm" are one height, so are "6'2" and "six foot two". */
function heightIn(words: string): string {
  const metric = /^([12])(?:[.,]| ?m ?)(\d{1,2})\b/.exec(words);
  if (metric) return `${metric[1]}${(metric[2] ?? '').padEnd(2, '0')} cm`;
  const centimetres = /^(1\d\d) ?c/.exec(words);
  if (centimetres) return `${centimetres[1]} cm`;
  const [feet = '', inches = '0'] = words.replace(/\b[a-z]+\b/g, figure).match(/\d+/g) ?? [];
  return `${feet} ft ${inches}`;
}

function weightIn(number: string, unit: string): string {
  return `${figure(number).replace(/[.,]0?$/, '')} ${MASS[unit.toLowerCase()] ?? unit.toLowerCase()}`;
}

/** What a body measures: one value at a time, whatever the unit. */
export const MEASURE_FORMS: readonly Form[] = [
  {
    pattern: new RegExp(`^weigh ${ABOUT}(${NUMBER}) ?(${MASS_UNIT})$`, 'i'),
    read: ([, number = '', unit = '']) => ({ predicate: 'weight', value: weightIn(number, unit), single: true }),
  },
  {
    pattern: new RegExp(`^be ${ABOUT}(${HEIGHT})(?: tall)?$`, 'i'),
    read: ([, height = '']) => ({ predicate: 'height', value: heightIn(height.toLowerCase()), single: true }),
  },
  {
    pattern: /^(?:wear|take|be|have) (?:an? )?(?:shoe size|size (?=\S+ (?:shoes?|boots?|trainers|sneakers)$))(\S+).*$/i,
    read: ([, size = '']) => ({ predicate: 'shoe size', value: size.trim(), single: true }),
  },
  {
    pattern: /^(?:wear|take|be) (?:an? )?size (\S+)(?: (?:in )?([a-z]+))?$/i,
    read: ([, size = '', of = '']) => ({ predicate: `size ${of}`.trim().toLowerCase(), value: size, single: true }),
  },
];

/** A property's value as the forms above write it: "82 kilos" is "82 kg". */
export function measured(property: string, value: string): string {
  if (property === 'height' && new RegExp(`^${HEIGHT}$`, 'i').test(value)) return heightIn(value.toLowerCase());
  const weight = property === 'weight' ? new RegExp(`^${ABOUT}(${NUMBER}) ?(${MASS_UNIT})$`, 'i').exec(value) : null;
  return weight ? weightIn(weight[1] ?? '', weight[2] ?? '') : value;
}
