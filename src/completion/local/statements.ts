import { canonicalContent, CONTENT_MAX, codePointLength } from '../../model/content.js';
import { Calendar } from './calendar.js';
import { clausesOf } from './clauses.js';
import type { Clause } from './clauses.js';
import type { English } from './english.js';
import { withName } from './named-after.js';
import { predicateOf } from './predicate.js';
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
];

/** What the user states about themselves in one message, each thing once, in the order said. */
export function statementsIn(message: string, english: English, occurredAt: Date, timeZone: string | null): Finding[] {
  const calendar = new Calendar(occurredAt, timeZone);
  const sentences = spokenLines(message)
    .slice(0, SENTENCES_MAX)
    .flatMap((line) => english.sentences(line))
    .filter(({ length }) => length <= SENTENCE_MAX)
    .slice(0, SENTENCES_MAX);
  const requestStandsAlone = !sentences.some((sentence) => /\?\s*$/.test(sentence)) && !/[:\n]/.test(message.trim());
  const found = new Map<string, Finding>();
  let last: string[] = [];
  for (const sentence of sentences) {
    // What was meant instead, the rules cannot fit in: of the slip nothing is kept.
    if (MEANT_OTHERWISE.test(sentence)) for (const key of last) found.delete(key);
    const [key = ''] = last.length === 1 ? last : [];
    const named = withName(found.get(key), sentence);
    if (named) found.set(key, named);
    last = [];
    for (const clause of clausesOf(sentence)) {
      for (const finding of findingsIn(clause, { english, calendar, requestStandsAlone })) {
        const key = canonicalContent(finding.content);
        if (codePointLength(finding.content) > CONTENT_MAX || found.has(key)) continue;
        found.set(key, finding);
        last.push(key);
      }
    }
  }
  return [...found.values()];
}

/** "No wait, I meant cashews", of the sentence before. */
const MEANT_OTHERWISE =
  /^(?:(?:no|oops|sorry|wait|actually|ah|oh|hmm|er|uh|well|my mistake|my bad)[,.! ]+)*(?:I (?:mean|meant)(?: to say)?\b(?! (?:it|that|this|what)\b)|make that\b|or rather\b|correction\b)/i;

/** "I quit smoking and drinking". */
const STOPPED_BOTH = /^(I (?:have )?(?:stopped|quit|given up|gave up) )([a-z]+ing\b.*?),? and ([a-z]+ing\b.*)$/;

type Setting = Pick<Statement, 'english' | 'calendar' | 'requestStandsAlone'>;

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
