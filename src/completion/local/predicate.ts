import { MONTHS } from '../../model/months.js';
import type { English } from './english.js';

/** What a clause says of "I": "I do not eat meat any more" is `eat`, `meat`, negated. */
export interface Predicate {
  /** Base form; `be` for am. `stand` is only read from "cannot stand". */
  readonly verb: string;
  readonly rest: string;
  readonly negated: boolean;
  /** The negation was "cannot", which says more than "does not". */
  readonly unable: boolean;
}

const ADVERB =
  '(?:also|really|just|actually|still|now|currently|basically|honestly|definitely|absolutely|already|presently|simply|truly|generally|personally|usually|normally|mostly|mainly|typically|primarily|completely|totally|quite|very much|particularly|especially|both|all|recently)';
/** Since when it holds; the memory's own date says as much. */
const DURATION =
  /\s+(?:for (?:about |over |almost |more than |the (?:past|last) )?(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|many|several|some) ?[\p{L}\d_]*|since .+)$/iu;
/** A day, or an age: "on January 1st", "on Monday", "at the age of 30". "On Mondays" is a habit. */
const DAY = `on (?:(?:the )?\\d{1,2}(?:st|nd|rd|th)?\\b|(?:${MONTHS}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|New Year['’]s|Christmas|my \\d+(?:st|nd|rd|th)? birthday)\\b)|at (?:age|the age of) \\d{1,2}\\b`;
const WHEN = new RegExp(
  `(?:^|\\s+)(?:(?:last|this|in|since|because|due to|thanks to|on account of) .+|(?:${DAY})(?: .+)?|.*\\bago|yesterday|recently|completely|altogether|entirely|for good|for ?ever|cold turkey)$`,
  'i',
);
const AGAIN = /(?:^|\s+)again$/i;
const TRAILING_END = /\s+(?:any ?more|any longer)\b/i;

/** Null when the clause is not a present statement with "I" as its subject. */
export function predicateOf(clause: string, english: English): Predicate | null {
  const match = /^I\s+(.+)$/s.exec(clause);
  if (!match) return null;
  let words = match[1] ?? '';
  let negated = false;

  words = stripAdverbs(words);
  const noLonger = /^(?:am |have )?no longer /i.exec(words);
  if (noLonger) {
    negated = true;
    words = words.replace(/no longer /i, '');
    // "No longer does not": said twice over, it is left to people.
    if (/^(?:do not|never|not)\b/i.test(words)) return null;
  }
  if (TRAILING_END.test(words)) words = words.replace(TRAILING_END, '');

  const lasted =
    /^have (lived|worked|used|deployed|studied|played|spoken|owned|driven) (.+?)(?: (?:for|since) .+)$/is.exec(words);
  if (lasted)
    return { verb: english.infinitive((lasted[1] ?? '').toLowerCase()), rest: lasted[2] ?? '', negated, unable: false };
  const backTo = /^am back (?:to|on) ([a-z]+ing) (.+)$/is.exec(words);
  if (backTo) return { verb: english.infinitive(backTo[1] ?? ''), rest: backTo[2] ?? '', negated, unable: false };

  const stopped = /^(?:have )?(?:stopped|quit|given up|gave up) ([a-z]+ing)\b ?(.*)$/is.exec(words);
  if (stopped)
    return {
      verb: english.infinitive(stopped[1] ?? ''),
      rest: (stopped[2] ?? '').replace(WHEN, '').trim(),
      negated: true,
      unable: false,
    };

  const begun =
    /^(?:have )?(?:started|begun|began|resumed|taken up|took up) (eating|drinking|smoking|playing|using|liking|loving|enjoying|going|waking|getting(?= up))\b ?(.*)$/is.exec(
      words,
    );
  if (begun)
    return {
      verb: english.infinitive((begun[1] ?? '').toLowerCase()),
      rest: (begun[2] ?? '').replace(AGAIN, '').replace(WHEN, '').trim(),
      negated: false,
      unable: false,
    };
  const grown =
    /^(?:have )?(?:come|grown|started|begun|began|learned|learnt) to (like|love|enjoy|hate|dislike) (.+)$/is.exec(
      words,
    );
  if (grown) return { verb: (grown[1] ?? '').toLowerCase(), rest: grown[2] ?? '', negated: false, unable: false };
  const worn =
    /^(?:have |am )?(?:(?:gone|went) off|(?:fallen|fell) out of love with|(?:got|gotten|grown|grew) (?:tired|sick|bored|weary) of|had enough of|lost (?:my|all|any) (?:taste|appetite|love|liking) (?:for|of)) (.+)$/is.exec(
      words,
    );
  if (worn) return { verb: 'like', rest: (worn[1] ?? '').replace(WHEN, ''), negated: true, unable: false };

  const past = /^(?:have )?never (?:really )?(liked|loved|enjoyed) (.+)$/is.exec(words);
  if (past)
    return {
      verb: english.infinitive((past[1] ?? '').toLowerCase()),
      rest: past[2] ?? '',
      negated: true,
      unable: false,
    };
  const denied = /^(?:do not|never|did not ever)\s+(.+)$/is.exec(words);
  if (denied) {
    negated = true;
    words = stripAdverbs(denied[1] ?? '');
  }
  const cannotStand = /^cannot (?:really )?(stand|bear|tolerate|have|eat|drink|swim|drive)\b\s*(.*)$/is.exec(words);
  if (cannotStand)
    return { verb: (cannotStand[1] ?? '').toLowerCase(), rest: cannotStand[2] ?? '', negated: true, unable: true };

  const have = /^have (?:got|been) (.+)$/is.exec(words);
  if (have && /^have got/i.test(words)) return { verb: 'have', rest: have[1] ?? '', negated, unable: false };
  if (have) words = `am ${(have[1] ?? '').replace(DURATION, '')}`;

  const be = /^am\s+(?:not\s+)?(.+)$/is.exec(words);
  if (be)
    return {
      verb: 'be',
      rest: stripAdverbs(be[1] ?? ''),
      negated: negated || /^am\s+not\b/i.test(words),
      unable: false,
    };

  const verb = /^([a-z]+)\b\s*(.*)$/is.exec(words);
  if (!verb) return null;
  const again = /^(?:eat|drink|smoke|use|live|work|play|like|love|enjoy|hate|adore)$/i.test(verb[1] ?? '');
  return {
    verb: (verb[1] ?? '').toLowerCase(),
    rest: (verb[2] ?? '').replace(again ? AGAIN : /$^/, '').trim(),
    negated,
    unable: false,
  };
}

function stripAdverbs(words: string): string {
  return words
    .replace(new RegExp(`^(?:${ADVERB}\\s+)+`, 'i'), '')
    .replace(new RegExp(`^((?:am|do|have)(?: not)?) (?:${ADVERB}\\s+)+`, 'i'), '$1 ');
}
