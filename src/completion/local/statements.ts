import { canonicalContent, CONTENT_MAX, codePointLength } from '../../model/content.js';
import { Calendar } from './calendar.js';
import { clausesOf } from './clauses.js';
import type { English } from './english.js';
import { predicateOf } from './predicate.js';
import { belongings } from './rules/belongings.js';
import { endings } from './rules/endings.js';
import { events } from './rules/events.js';
import { goals } from './rules/goals.js';
import { habits } from './rules/habits.js';
import { identity } from './rules/identity.js';
import { plan } from './rules/plan.js';
import { residence } from './rules/residence.js';
import type { Finding, Rule } from './rules/rule.js';
import { tastes } from './rules/tastes.js';
import { tools } from './rules/tools.js';
import { wishes } from './rules/wishes.js';
import { spokenLines } from './spoken-text.js';

/** The specific before the general: "on the Pro plan" is a plan before it is anything else that "am" could say. */
const RULES: readonly Rule[] = [
  wishes,
  plan,
  residence,
  endings,
  belongings,
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
  const sentences = spokenLines(message).flatMap((line) => english.sentences(line));
  const requestStandsAlone = !sentences.some((sentence) => /\?\s*$/.test(sentence)) && !/[:\n]/.test(message.trim());
  const found = new Map<string, Finding>();
  for (const sentence of sentences) {
    for (const { text, additional } of clausesOf(sentence)) {
      const predicate = predicateOf(text, english);
      const statement = { text, predicate, additional, english, calendar, requestStandsAlone };
      for (const rule of RULES) {
        const finding = rule(statement);
        if (!finding) continue;
        const key = canonicalContent(finding.content);
        if (codePointLength(finding.content) <= CONTENT_MAX && !found.has(key)) found.set(key, finding);
        break;
      }
    }
  }
  return [...found.values()];
}
