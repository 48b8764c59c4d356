import type { MemoryKind } from '../../../model/kind.js';
import { TOOL_ROLE } from '../../../model/tool-role.js';
import type { Calendar } from '../calendar.js';
import type { English } from '../english.js';
import type { Predicate } from '../predicate.js';
import { capitalised, inThirdPerson, thirdPerson } from '../third-person.js';

/** A clause as the rules see it. */
export interface Statement {
  readonly text: string;
  readonly predicate: Predicate | null;
  readonly additional: boolean;
  /** Something else was so before. */
  readonly renewed: 'now' | 'instead' | null;
  readonly english: English;
  readonly calendar: Calendar;
  /** The message asks for nothing else, so that a request in it is meant to last. */
  readonly requestStandsAlone: boolean;
}

export interface Finding {
  readonly content: string;
  readonly kind: MemoryKind;
  /** 0-1. */
  readonly importance: number;
}

/** A plain fact of middling importance. */
export function fact(content: string): Finding {
  return { content, kind: 'fact', importance: IMPORTANCE.fact };
}

/** Recognises one family of statements. Null when the clause is none of them; the first rule that answers wins. */
export type Rule = (statement: Statement) => Finding | null;

/** Source of a pattern: what may stand between "I" and what has happened, and adds nothing to it. */
export const LATELY = '(?:have )?(?:just |recently |finally )*';

/** Importance by what getting it wrong would cost the user: health, then identity, then taste, then what passes. */
export const IMPORTANCE = {
  health: 0.9,
  identity: 0.8,
  instruction: 0.8,
  fact: 0.6,
  preference: 0.6,
  goal: 0.6,
  event: 0.4,
} as const;

/** "be", "vegetarian" -> "Is vegetarian"; "eat", "meat", negated -> "Does not eat meat". */
export function stated({ verb, negated, unable }: Predicate, rest: string, additional = false): string {
  const words = inThirdPerson(rest);
  if (unable) return `Cannot ${verb} ${words}`.trim();
  if (verb === 'be') return `${negated ? 'Is not' : additional ? 'Is also' : 'Is'} ${words}`;
  if (negated) return `Does not ${verb} ${words}`.trim();
  const finite = thirdPerson(verb);
  return `${additional ? `Also ${finite}` : capitalised(finite)} ${words}`.trim();
}

/** The sentence with the "now" or "instead" that was cut from it, which tells consolidation that another one is over. */
export function since(renewed: Statement['renewed'], content: string): string {
  return renewed === null ? content : `${content} ${renewed}`;
}

const LONG_AGO = /\b(?:19|20)\d\d\b|\b(?!one\b|an?\b)[\p{L}\d_]+ (?:years|decades) ago\b/iu;

/** Told of a year or of years back: much may have come after it. */
export function isLongAgo(words: string): boolean {
  return LONG_AGO.test(words);
}

/** Where the statement ends and its reason, relative clause or afterthought begins. */
const AFTERTHOUGHT = new RegExp(
  `\\s*(?:,|\\()?\\s+(?:because|since (?=I|my|it|the|they|he|she)|so that|so I|which|who (?=(?:is|are|was|has)\\b)|whereas|although|though|as (?=(?:I|it|my)\\b(?! (?:main |default |primary )?(?:${TOOL_ROLE})\\b))|and (?=(?:it|they|that|this|he|she|the)\\b)|but|where (?=I\\b)|when (?=(?:I|it|you)\\b)|while (?=I\\b)|until (?=I\\b)|to (?=be (?:honest|fair)\\b)).*$|\\s*[,(:]\\s.*$`,
  'is',
);

/** "... and Irene works in Spain" */
const OTHER_PERSON = / and \p{Lu}\p{Ll}+ (?!and\b)[a-z]+s\b.*$/su;

/** "NestJS, Postgres and Redis": commas that hold a list together instead of ending the statement. */
const LIST =
  /^(?!.*\b(?:I|he|she|it|they|we|you|is|are|my)\b)[\p{L}\d.+#'-]+(?: [\p{L}\d.+#'-]+)?(?:, [\p{L}\d.+#'-]+(?: [\p{L}\d.+#'-]+)?)+,? (?:and|or) [\p{L}\d.+#'-]+(?: [\p{L}\d.+#'-]+)?$/u;

/** "All animals but spiders": without its end it would say another thing. */
const EXCEPT =
  /^(?!.*\bbut (?:I|my|not|it|they|he|she|we)\b)(?:all|every|any|most)[\p{L}\d_]*\b.{0,60}\b(?:but|except|save|apart from)\b/iu;

/** Points into the conversation or at what lies on the screen: means nothing tomorrow. */
const POINTING =
  /^(?:it|this|that|these|those|them|him|her|he|she|they|you|your|yours|what|how|why|where|when|who|which|such|some|something|someone|anything|nothing|everything|one|ones|the (?!(?:[A-Z]|sea\b|beach|mountains|outdoors|city|countryside|coast|theat(?:re|er)|cinema|gym|ocean|guitar|piano|violin|drums|cello|flute|bass|saxophone|trumpet|harp|ukulele|colou?rs?\b|smell|taste|rain|cold|heat|snow|winter|summer|autumn|night|morning)))\b/;
/** "[CITY]", "___": a template. */
const PLACEHOLDER = /[[\]{}<>]|__|\bXYZ\b/;
const PASSING =
  /\b(?:of|in|on|at|for|with|to|by) (?:this|these) (?!(?:week|month|year|spring|summer|autumn|fall|winter|morning|afternoon|evening|weekend|season|semester|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|coming|planet|century|country|world)[\p{L}\d_]*\b)|\b(?:your|you|here|above|below|right now|at the moment|today|tonight|for now|this (?:one|code|function|file|answer|version|approach|error|bug|issue|idea|solution|way)|the (?:above|following|previous|latter|former|first|second|last|other|new|old) (?:one|option|version|approach|answer|idea|suggestion|solution|part|paragraph|example)|again|(?:option|variant|version|choice|approach|answer) (?:[a-e]|one|two|three|#?[1-9]))\b/iu;

/** The thing said, cut to the statement itself; null when it points at something only this conversation knows. */
export function durable(words: string, longest = 14): string | null {
  const cut = (
    LIST.test(words) || EXCEPT.test(words) ? words : words.replace(AFTERTHOUGHT, '').replace(OTHER_PERSON, '')
  ).replace(/(?:,?\s+please)?[\s,;:!]+$|,?\s+please$/i, '');
  const text = (/(?:\b\p{L}\.){2,}$/u.test(cut) ? cut : cut.replace(/\.+$/, '')).trim();
  if (text === '' || PLACEHOLDER.test(text) || POINTING.test(text) || PASSING.test(text)) return null;
  return text.split(/\s+/).length <= longest ? text : null;
}
