const WORDS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const TENS = ['thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

const FIGURES: ReadonlyMap<string, string> = new Map([
  ...WORDS.map((word, index): [string, string] => [word, String(index + 1)]),
  ...TENS.map((word, index): [string, string] => [word, String((index + 3) * 10)]),
]);

/** How weights are written, and the one way in which they are compared. */
export const MASS_UNITS: Readonly<Record<string, string>> = {
  kilo: 'kg',
  kilos: 'kg',
  kilogram: 'kg',
  kilograms: 'kg',
  pound: 'lbs',
  pounds: 'lbs',
  lb: 'lbs',
};

/** Source of a pattern: a number in words. */
export const NUMBER_WORD = [...FIGURES.keys()].sort((a, b) => b.length - a.length).join('|');

/** "six" -> "6"; anything else stays as it is. */
export function figure(word: string): string {
  return FIGURES.get(word.toLowerCase()) ?? word;
}
