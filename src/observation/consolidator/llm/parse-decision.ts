import { codePointLength, storableText } from '../../../model/content.js';
import type { Candidate, Decision } from '../../../model/decision.js';
import { words } from '../../../model/search-text.js';
import { jsonAnswer } from '../../json-answer.js';
import { lenientJson } from '../../lenient-json.js';
import { shareIn, standsIn, tellingWords } from '../../telling-words.js';
import { isAboutAnother } from '../heuristic/about-another.js';
import { saysOpposite } from '../heuristic/says-opposite.js';

const ACTIONS = ['add', 'update', 'forget', 'noop'] as const;

/** A memory that the model was shown. */
export interface Offered {
  readonly memoryId: string;
  readonly content: string;
  /** Whether its vector lies as near to the candidate's as a relevant one's does, or the rules relate the two; words may as well. */
  readonly near: boolean;
}

function answeredAction(value: unknown): (typeof ACTIONS)[number] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { action } = value as { action?: unknown };
  return typeof action === 'string' ? ACTIONS.find((known) => known === action.trim().toLowerCase()) : undefined;
}

/** "2", 2, "#2", "[2]", "memory 2"; null for anything else. */
function answeredAlias(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  return /^\s*(?:memory )?[#[(]?(\d{1,4})[\])]?\s*$/i.exec(value)?.[1] ?? null;
}

/** Whether a statement can be about a memory at all: a telling word in common, or meanings that lie near, and not plainly about another person or thing. */
function isRelated(candidate: Candidate, { content, near }: Offered): boolean {
  return (
    (near || shareIn(tellingWords(candidate.content), new Set(words(content))) > 0) &&
    !isAboutAnother(candidate.content, content)
  );
}

/**
 * The text that an update stores: the model's, where it is a sentence made of the statement and the memory, has every
 * number of the statement, says more than the memory did and nothing that the statement denies. Otherwise the statement
 * itself.
 */
function updatedText(value: unknown, candidate: Candidate, memory: Offered, contentMax: number): string {
  if (typeof value !== 'string') return candidate.content;
  const text = storableText(value).replace(/\s+/gu, ' ').trim();
  if (text === '' || codePointLength(text) > contentMax || lenientJson(text)) return candidate.content;
  const said = tellingWords(candidate.content);
  const known = new Set(words(memory.content));
  const told = tellingWords(text);
  const from = new Set([...words(candidate.content), ...known]);
  const madeUp = told.length > 0 && shareIn(told, from) < 0.5;
  const written = new Set(words(text));
  const lostNumber = said.some((word) => /\d/.test(word) && !written.has(word));
  const unchanged = told.every((word) => standsIn(word, known)) && said.some((word) => !standsIn(word, known));
  return madeUp || lostNumber || unchanged || saysOpposite(text, candidate.content) ? candidate.content : text;
}

/**
 * A decision from a model's answer, its alias turned back into an id. Null for one that names an alias that was not
 * offered: it is skipped, because nobody can say which memory was meant. A change of a memory that the statement cannot be
 * about (no telling word in common and far in meaning, or plainly about another person or thing) is an add: a text among those that the model reads may have asked
 * for it, and beside a memory a statement does less harm than in place of the wrong one.
 * @param offered what the model was shown, by alias
 * @throws MalformedAnswerError when the answer holds no decision at all
 */
export function parseDecision(
  answer: string,
  candidate: Candidate,
  offered: ReadonlyMap<string, Offered>,
  contentMax: number,
): Decision | null {
  const value = jsonAnswer(answer, (read) =>
    answeredAction(read) === undefined ? null : (read as Record<string, unknown>),
  );
  const action = answeredAction(value);
  if (action === undefined || action === 'add') return { action: 'add', candidate };
  const alias = answeredAlias(value['memory']);
  const memory = alias === null ? undefined : offered.get(alias);
  if (!memory) return action === 'noop' ? { action, candidate, memoryId: null } : null;
  if (!isRelated(candidate, memory)) return { action: 'add', candidate };
  const { memoryId } = memory;
  if (action !== 'update') return { action, candidate, memoryId };
  return { action, candidate, memoryId, content: updatedText(value['content'], candidate, memory, contentMax) };
}
