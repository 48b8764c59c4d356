import { canonicalContent, CONTENT_MAX, codePointLength } from '../../model/content.js';
import { Calendar } from './calendar.js';
import { clausesOf } from './clauses.js';
import type { Clause } from './clauses.js';
import { correctionIn, withCorrectionApart } from './corrections.js';
import type { Correction } from './corrections.js';
import type { English } from './english.js';
import { withName } from './named-after.js';
import { predicateOf } from './predicate.js';
import { corrective, putRight } from './put-right.js';
import { acquisitions } from './rules/acquisitions.js';
import { changes } from './rules/changes.js';
import { endings } from './rules/endings.js';
import { events } from './rules/events.js';
import { goals } from './rules/goals.js';
import { habits } from './rules/habits.js';
import { identity } from './rules/identity.js';
import { measures } from './rules/measures.js';
import { names } from './rules/names.js';
import { outcomes } from './rules/outcomes.js';
import { over } from './rules/over.js';
import { overcome } from './rules/overcome.js';
import { plan } from './rules/plan.js';
import { possessions } from './rules/possessions.js';
import { properties } from './rules/properties.js';
import { residence } from './rules/residence.js';
import type { Finding, Rule, Statement } from './rules/rule.js';
import { tastes } from './rules/tastes.js';
import { tools } from './rules/tools.js';
import { wishes } from './rules/wishes.js';
import { isMangled, withoutSecondVerb } from './second-verb.js';
import { SENTENCES_MAX, SENTENCE_MAX, spokenLines } from './spoken-text.js';

/** The specific before the general: "on the Pro plan" is a plan before it is anything else that "am" could say. */
const RULES: readonly Rule[] = [
  wishes,
  plan,
  outcomes,
  residence,
  changes,
  endings,
  overcome,
  names,
  properties,
  acquisitions,
  possessions,
  measures,
  identity,
  events,
  goals,
  habits,
  tastes,
  tools,
  over,
];

/**
 * What the user states about themselves in one message, each thing once, in the order said.
 * @param before what the user said last before it: a correction may be of that
 */
export function statementsIn(
  message: string,
  english: English,
  occurredAt: Date,
  timeZone: string | null,
  before = '',
): Finding[] {
  const calendar = new Calendar(occurredAt, timeZone);
  const sentences = sentencesOf(message, english);
  const requestStandsAlone = !sentences.some((sentence) => /\?\s*$/.test(sentence)) && !/[:\n]/.test(message.trim());
  const setting = { english, calendar, requestStandsAlone };
  const found = new Map<string, Finding>();
  const keep = (finding: Finding): string[] => {
    const key = canonicalContent(finding.content);
    if (codePointLength(finding.content) > CONTENT_MAX || found.has(key)) return [];
    found.set(key, finding);
    return [key];
  };
  let last: string[] = [];
  for (const [place, sentence] of sentences.entries()) {
    const correction = correctionIn(sentence);
    if (correction) {
      const said = sentences.slice(0, place);
      const own = putRight(said, correction, (each) => findingsOf(each, setting));
      const earlier =
        own ??
        (place === 0 ? putRight(sentencesOf(before, english), correction, (each) => findingsOf(each, setting)) : null);
      if (own) found.delete(canonicalContent(own.wrong.content));
      if (earlier) {
        last = keep(own ? own.right : corrective(earlier));
        continue;
      }
    }
    // What was meant instead, the rules cannot fit in: of the slip nothing is kept.
    if (isMeantOtherwise(correction) || MEANT_OTHERWISE.test(sentence)) for (const key of last) found.delete(key);
    const [key = ''] = last.length === 1 ? last : [];
    const named = withName(found.get(key), sentence);
    if (named) found.set(key, named);
    last = findingsOf(sentence, setting).flatMap(keep);
  }
  return [...found.values()];
}

function sentencesOf(message: string, english: English): string[] {
  return spokenLines(message)
    .slice(0, SENTENCES_MAX)
    .flatMap((line) => english.sentences(line))
    .flatMap((sentence) => (sentence.length <= SENTENCE_MAX ? withCorrectionApart(sentence) : []))
    .slice(0, SENTENCES_MAX);
}

function isMeantOtherwise(correction: Correction | null): boolean {
  return correction !== null && correction.announced && correction.wrong === null && !correction.ofThing;
}

/** "No wait, I meant cashews", of the sentence before. */
const MEANT_OTHERWISE =
  /^(?:(?:no|oops|sorry|wait|actually|ah|oh|hmm|er|uh|well|my mistake|my bad)[,.! ]+)*(?:I (?:mean|meant)(?: to say)?\b(?! (?:it|that|this|what)\b)|make that\b|or rather\b|correction\b)/i;

/** "I quit smoking and drinking". */
const STOPPED_BOTH = /^(I (?:have )?(?:stopped|quit|given up|gave up) )([a-z]+ing\b.*?),? and ([a-z]+ing\b.*)$/;

type Setting = Pick<Statement, 'english' | 'calendar' | 'requestStandsAlone'>;

function findingsOf(sentence: string, setting: Setting): Finding[] {
  return clausesOf(sentence).flatMap((clause) => findingsIn(clause, setting));
}

function findingsIn(clause: Clause, setting: Setting): Finding[] {
  // "I have two kids and a dog" is two statements; "I am black and blue" only if each half makes sense by itself.
  const things = /^I have /.test(clause.text)
    ? clause.text.slice(7).split(/,? and (?=(?:an?|one|two|three|four|\d+) )|, (?=(?:an?|one|two|three|four|\d+) )/)
    : [];
  if (things.length > 1)
    return things.flatMap((thing) => firstFinding({ ...clause, text: `I have ${thing}` }, setting) ?? []);
  const whole = firstFinding(clause, setting);
  if (whole) return [whole];
  const [, opening = '', first = '', second = ''] =
    STOPPED_BOTH.exec(clause.text) ?? /^(I am (?:not )?)(.+?)(?:,? and |, )(.+)$/.exec(clause.text) ?? [];
  if (opening === '') return [];
  return [first, second].flatMap((half) => firstFinding({ ...clause, text: `${opening}${half}` }, setting) ?? []);
}

function firstFinding({ text: words, additional, renewed }: Clause, setting: Setting): Finding | null {
  const text = withoutSecondVerb(words, setting.english);
  const statement = { ...setting, text, additional, renewed, predicate: predicateOf(text, setting.english) };
  for (const rule of RULES) {
    const finding = rule(statement);
    if (finding) return isMangled(finding.content) ? null : finding;
  }
  return null;
}
