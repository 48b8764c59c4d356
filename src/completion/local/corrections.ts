import { MONTHS } from '../../model/months.js';
import { NUMBER_WORD } from '../../model/numerals.js';

/** What a sentence puts in the place of something said before; `wrong` is null where that is left to be guessed. */
export interface Correction {
  readonly right: string;
  readonly wrong: string | null;
  /** Says itself that it corrects; "tea, not coffee" may be of anything. */
  readonly announced: boolean;
  /** Says of something told of before what it is or is called: "it's green". */
  readonly ofThing: boolean;
}

/** Says that the last thing said was a slip. */
const CUE =
  '(?:no|nope|oops|whoops|sorry|wait|actually|ah|oh|hmm|er|uh|um|well|my mistake|my bad|correction|typo|I misspoke|I got that wrong|that (?:is|was) wrong|scratch that|hang on|hold on)(?:[,.:! -]+|$)';
const MEANT =
  '(?:I (?:mean|meant)(?: to (?:say|write|type))?|no,? wait|wait,? no|make (?:that|it)|or rather|correction:?|(?:that|it|this) (?:should be|should have been|was meant to be))';
/** Of a thing or somebody told of before. */
const IS =
  "(?:(?:it|that|she|he)(?:'s| is)(?: actually| really)?(?: called| named)?|(?:her|his|its) name(?:'s| is)(?: actually| really)?|they(?:'re| are)(?: actually| called)?)";
/** A value alone, no clause. */
const VALUE =
  '((?!(?:it|that|this|what|you|he|she|they|I|we|not|to|how|why|if|like|because)\\b)[\\p{L}\\d$\u20AC\u00A3][^,;:!?()]{0,40}?)';
const END = '(?:,? (?:please|sorry|of course|obviously|actually))?[.!\\s]*$';

const NOT_THAT = new RegExp(
  `^(?:${CUE})*(?:(?:${MEANT}|${IS})[, ]+)?${VALUE}(?:,| -| \u2014)? (?:and )?not ${VALUE}${END}`,
  'iu',
);
const BUT_THIS = new RegExp(
  `^(?:${CUE})*(?:(?:${MEANT}|${IS})[, ]+)?not ${VALUE}(?:,| -| \u2014)? ?(?:but |it is |it's |I meant? )?${VALUE}${END}`,
  'iu',
);
const MEANT_THIS = new RegExp(`^(?:${CUE})*${MEANT}[, ]+${VALUE}${END}`, 'iu');
const IS_THIS = new RegExp(`^(?:${CUE})+${IS} ${VALUE}${END}`, 'iu');
/** "The blue one": of which, nobody knows. */
const POINTS = /\b(?:ones?|other|same)$/i;
/** What "it's ..." says when it corrects nothing. */
const REMARK =
  /^(?:not|no|so|too|very|just|only|quite|pretty|really|more|less|all|been|about|because|the|my|your|a (?:bit|lot|little|long|good|bad|nice|great|shame|pity|joke)|fine|ok|okay|great|good|bad|nice|cool|hard|easy|true|false|right|wrong|over|done|gone|up|down|better|worse|late|early|cold|hot|warm|funny|weird|strange|sad|raining|snowing|here|there|time|same|enough|possible|impossible|important|fun)\b|(?:ing|ated|ful|ous|able|ible|ly)$/i;

const IN_ONE_BREATH = new RegExp(
  `^(.+?)\\s*[,;.\u2014\u2013-]+\\s*((?:no|wait|sorry|I mean|I meant|or rather|make that)\\b.+)$`,
  'iu',
);
const ANNOUNCED = new RegExp(`^(?:${CUE}|${MEANT})`, 'i');

/** "No, I meant cashews", "Wait, Tuesday not Monday", "Actually it's green". Null where a sentence corrects nothing. */
export function correctionIn(sentence: string): Correction | null {
  const said = sentence.trim().replace(/\u2019/g, "'");
  const announced = ANNOUNCED.test(said);
  const [, right, wrong] = NOT_THAT.exec(said) ?? [];
  if (right !== undefined && wrong !== undefined) return { right, wrong, announced, ofThing: false };
  const [, instead, of] = BUT_THIS.exec(said) ?? [];
  if (instead !== undefined && of !== undefined) return { right: of, wrong: instead, announced, ofThing: false };
  const meant = MEANT_THIS.exec(said)?.[1];
  if (meant !== undefined) return { right: meant, wrong: null, announced, ofThing: false };
  const is = IS_THIS.exec(said)?.[1];
  return is === undefined || REMARK.test(is) || is.split(' ').length > 3
    ? null
    : { right: is, wrong: null, announced, ofThing: true };
}

const DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?';
const MONTH = `(?:${MONTHS})`;
/** Kinds of words of which one takes the place of the other, wherever in the sentence it stands. */
const KINDS: readonly RegExp[] = [
  new RegExp(`\\b${DAY}\\b`, 'gi'),
  new RegExp(`\\b(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?)?${MONTH}(?: \\d{1,2}(?:st|nd|rd|th)?)?\\b`, 'g'),
  new RegExp(`\\b(?:${NUMBER_WORD})\\b`, 'gi'),
  /[$\u20AC\u00A3]?\b\d[\d.,:]*(?: ?(?:am|pm|k|kg|cm|km|mg))?\b/gi,
];
/** What stands before the value in a plain statement. */
const BEFORE_VALUE =
  /^(.*\b(?:is|am|are|be|I['\u2019]m|in|to|at|for|of|with|from|on|called|named|as|an?|the|my|like|love|hate|enjoy|prefer|use|eat|drink|play|speak|study|drive|own|learning|dating|married)\s+)(\S.*)$/is;
const NO_NAME = new RegExp(`^(?:I(?:'|$)|${DAY}$|${MONTH}$)`);
const IS_OF_THING = /^(?:my|our) .* (?:is|are)\b|'s name\b|\b(?:called|named)\b/i;
const NAME = /\p{Lu}[\p{L}\d'.&-]*(?: \p{Lu}[\p{L}\d'.&-]*)*/gu;

/** The sentence with the right value in the wrong one's place; null where nobody can tell which that is. */
export function corrected(sentence: string, { right, wrong, ofThing }: Correction): string | null {
  if (POINTS.test(right)) return null;
  if (ofThing && !IS_OF_THING.test(sentence)) return null;
  if (wrong !== null) return replaceOnly(sentence, wrong.replace(/^(?:an?|the|my|in|on|at|to) /i, ''), right);
  for (const kind of KINDS) {
    if (new RegExp(`^(?:an? |the |on |in |at )*(?:${kind.source})$`, kind.flags.replace('g', '')).test(right)) {
      const [found, another] = sentence.match(kind) ?? [];
      return found === undefined || another !== undefined ? null : replaceOnly(sentence, found, right);
    }
  }
  const bare = sentence.replace(/[\s.!]+$/, '');
  const repeated = wordsBefore(bare, right);
  if (repeated !== null) return replaceOnly(bare, repeated, right);
  if (/^\p{Lu}/u.test(right)) {
    const name = [...bare.slice(1).matchAll(NAME)].map(([word]) => word).findLast((word) => !NO_NAME.test(word));
    return name === undefined || !bare.endsWith(name) ? null : bare.slice(0, -name.length) + right;
  }
  const [, before = '', value = ''] = BEFORE_VALUE.exec(bare) ?? [];
  if (value === '' || /\p{Lu}|\d/u.test(value) || value.split(' ').length > 3) return null;
  return agreeing(before, right);
}

/** "Two daughters", which "three daughters" is to take the place of. */
function wordsBefore(sentence: string, right: string): string | null {
  const words = right.split(' ');
  const said = sentence.split(' ');
  const at = said.lastIndexOf(words.at(-1) ?? '');
  return words.length < 2 || at < words.length ? null : said.slice(at - words.length + 1, at + 1).join(' ');
}

/** A slip and its correction in one sentence, as two: "I'm 34, I mean 35". */
export function withCorrectionApart(sentence: string): string[] {
  const [, slip, rest] = IN_ONE_BREATH.exec(sentence) ?? [];
  return slip !== undefined && rest !== undefined && !ANNOUNCED.test(sentence) && correctionIn(rest)?.announced
    ? [slip, rest]
    : [sentence];
}

/** Once, as a word of its own; the article agrees with what follows. */
function replaceOnly(sentence: string, wrong: string, right: string): string | null {
  const escaped = wrong.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [found, another] = [...sentence.matchAll(new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'giu'))];
  if (!found || another) return null;
  return agreeing(sentence.slice(0, found.index), right) + sentence.slice(found.index + found[0].length);
}

function agreeing(before: string, right: string): string {
  const preposition = /\b(on|in|at|to) $/i.exec(before)?.[1];
  const bare = preposition === undefined ? right : right.replace(/^(?:on|in|at|to) /i, '');
  const value = /\b(?:an?|the|my) $/i.test(before) ? bare.replace(/^(?:an?|the|my) /i, '') : bare;
  return before.replace(/\b(a)n? $/i, (_, a: string) => `${a}${/^[aeiou]/i.test(value) ? 'n' : ''} `) + value;
}
