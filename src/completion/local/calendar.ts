/** A day without a time or zone. */
interface Day {
  readonly year: number;
  /** 1-12 */
  readonly month: number;
  readonly day: number;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  'a couple of': 2,
};
const WEEKDAY = `(?:${WEEKDAYS.join('|')})`;
const COUNT = '(\\d{1,3}|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)';

interface Phrase {
  readonly pattern: RegExp;
  /** @param past the text tells of what has happened: "on Monday" was the last one */
  readonly absolute: (match: RegExpExecArray, today: Day, past: boolean) => string;
}

const PHRASES: readonly Phrase[] = [
  { pattern: /\bthe day after tomorrow\b/i, absolute: (_, today) => on(shift(today, 2)) },
  { pattern: /\bthe day before yesterday\b/i, absolute: (_, today) => on(shift(today, -2)) },
  { pattern: /\b(?:tomorrow)(?: (morning|afternoon|evening|night))?\b/i, absolute: (_, today) => on(shift(today, 1)) },
  {
    pattern: /\b(?:yesterday)(?: (morning|afternoon|evening|night))?\b/i,
    absolute: (_, today) => on(shift(today, -1)),
  },
  { pattern: /\blast night\b/i, absolute: (_, today) => on(shift(today, -1)) },
  { pattern: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/i, absolute: (_, today) => on(today) },
  {
    pattern: new RegExp(`\\b(?:on )?last (${WEEKDAY})\\b`, 'i'),
    absolute: ([, name = ''], today) =>
      on(shift(today, -(((weekday(today) - WEEKDAYS.indexOf(name.toLowerCase()) + 6) % 7) + 1))),
  },
  {
    // Read as the Friday of the week after this one, which begins on Monday: "this Friday" is there for the other.
    pattern: new RegExp(`\\b(?:on )?next (${WEEKDAY})\\b`, 'i'),
    absolute: ([, name = ''], today) => {
      const monday = shift(today, 7 - ((weekday(today) + 6) % 7));
      return on(shift(monday, (WEEKDAYS.indexOf(name.toLowerCase()) + 6) % 7));
    },
  },
  {
    pattern: new RegExp(`\\b(on|this|this coming|coming) (${WEEKDAY})\\b(?!s)`, 'i'),
    absolute: ([, which = '', name = ''], today, past) => {
      const ahead = ((WEEKDAYS.indexOf(name.toLowerCase()) - weekday(today) + 6) % 7) + 1;
      // Said on a Wednesday, "this Wednesday" is today, and "on Wednesday" is not.
      if (ahead === 7 && which.toLowerCase() === 'this') return on(today);
      return on(shift(today, past ? ahead - 7 || -7 : ahead));
    },
  },
  { pattern: new RegExp(`\\b${COUNT} days? ago\\b`, 'i'), absolute: ([, n], today) => on(shift(today, -count(n))) },
  { pattern: new RegExp(`\\bin ${COUNT} days?\\b`, 'i'), absolute: ([, n], today) => on(shift(today, count(n))) },
  {
    pattern: new RegExp(`\\b${COUNT} weeks? ago\\b`, 'i'),
    absolute: ([, n], today) => week(shift(today, -7 * count(n))),
  },
  {
    pattern: new RegExp(`\\bin ${COUNT} weeks?\\b`, 'i'),
    absolute: ([, n], today) => week(shift(today, 7 * count(n))),
  },
  { pattern: new RegExp(`\\b${COUNT} months? ago\\b`, 'i'), absolute: ([, n], today) => month(today, -count(n)) },
  { pattern: new RegExp(`\\bin ${COUNT} months?\\b`, 'i'), absolute: ([, n], today) => month(today, count(n)) },
  { pattern: new RegExp(`\\b${COUNT} years? ago\\b`, 'i'), absolute: ([, n], today) => `in ${today.year - count(n)}` },
  { pattern: new RegExp(`\\bin ${COUNT} years?\\b`, 'i'), absolute: ([, n], today) => `in ${today.year + count(n)}` },
  {
    pattern: /\blast weekend\b/i,
    absolute: (_, today) => `on the weekend of ${iso(shift(today, -((weekday(today) + 6) % 7) - 2))}`,
  },
  {
    pattern: /\bthis weekend\b/i,
    absolute: (_, today) => `on the weekend of ${iso(shift(today, 5 - ((weekday(today) + 6) % 7)))}`,
  },
  {
    pattern: /\bnext weekend\b/i,
    absolute: (_, today) => `on the weekend of ${iso(shift(today, 12 - ((weekday(today) + 6) % 7)))}`,
  },
  { pattern: /\blast week\b/i, absolute: (_, today) => week(shift(today, -7)) },
  { pattern: /\bnext week\b/i, absolute: (_, today) => week(shift(today, 7)) },
  { pattern: /\b(?:later )?this week\b/i, absolute: (_, today) => week(today) },
  { pattern: /\blast month\b/i, absolute: (_, today) => month(today, -1) },
  { pattern: /\bnext month\b/i, absolute: (_, today) => month(today, 1) },
  { pattern: /\b(?:later )?this month\b/i, absolute: (_, today) => month(today, 0) },
  {
    pattern: new RegExp(`\\b(?:in |this )?(last|next) (${MONTHS.join('|')})\\b`, 'i'),
    absolute: ([, which = '', name = ''], today) => {
      const no = MONTHS.findIndex((each) => each.toLowerCase() === name.toLowerCase()) + 1;
      const year =
        which.toLowerCase() === 'last'
          ? today.year - (no >= today.month ? 1 : 0)
          : today.year + (no <= today.month ? 1 : 0);
      return `in ${MONTHS[no - 1]} ${year}`;
    },
  },
  { pattern: /\blast year\b/i, absolute: (_, today) => `in ${today.year - 1}` },
  { pattern: /\bnext year\b/i, absolute: (_, today) => `in ${today.year + 1}` },
  { pattern: /\b(?:later )?this year\b/i, absolute: (_, today) => `in ${today.year}` },
];

/**
 * Turns "tomorrow" and its kin into dates, seen from where and when the user spoke: at 23:30 in Tokyo "tomorrow" is
 * another day than in UTC. A week is named by its Monday.
 */
export class Calendar {
  private readonly today: Day;

  /** @param timeZone IANA name; null is UTC */
  constructor(occurredAt: Date, timeZone: string | null) {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: timeZone ?? 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    }).formatToParts(occurredAt);
    const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
    this.today = { year: part('year'), month: part('month'), day: part('day') };
  }

  /** The text with every relative date in it made absolute; `past`: it tells of what has happened. */
  absolute(text: string, { past = false }: { past?: boolean } = {}): string {
    let result = text;
    for (const { pattern, absolute } of PHRASES) {
      const match = pattern.exec(result);
      if (match)
        result =
          result.slice(0, match.index) +
          absolute(match, this.today, past) +
          result.slice(match.index + match[0].length);
    }
    return result.replace(/\b(?:on|in) (on|in) /g, '$1 ');
  }
}

/** Whether a text says when: relatively, or by a date, a month or a year. */
export function namesTime(text: string): boolean {
  return (
    PHRASES.some(({ pattern }) => pattern.test(text)) ||
    new RegExp(
      `\\b(?:in|on|last|next|this|since) (?:\\d{1,2}(?:st|nd|rd|th)? )?(?:of )?(?:${MONTHS.join('|')})\\b`,
      'i',
    ).test(text) ||
    /\bin (?:19|20)\d\d\b/.test(text)
  );
}

function count(word = '1'): number {
  return NUMBERS[word.toLowerCase()] ?? Number(word);
}

function shift({ year, month: monthNo, day }: Day, days: number): Day {
  const moved = new Date(Date.UTC(year, monthNo - 1, day + days));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

function weekday({ year, month: monthNo, day }: Day): number {
  return new Date(Date.UTC(year, monthNo - 1, day)).getUTCDay();
}

function iso({ year, month: monthNo, day }: Day): string {
  return new Date(Date.UTC(year, monthNo - 1, day)).toISOString().slice(0, 10);
}

function on(day: Day): string {
  return `on ${iso(day)}`;
}

function week(day: Day): string {
  return `in the week of ${iso(shift(day, -((weekday(day) + 6) % 7)))}`;
}

function month(today: Day, offset: number): string {
  const first = new Date(Date.UTC(today.year, today.month - 1 + offset, 1));
  return `in ${MONTHS[first.getUTCMonth()]} ${first.getUTCFullYear()}`;
}
