import type { ExtractionInput } from '../../completion/completion.js';
import { canonicalContent, codePointLength, storableText } from '../../model/content.js';
import type { Candidate } from '../../model/decision.js';
import { storableImportance } from '../../model/importance.js';
import { parseKind } from '../../model/kind.js';
import type { Message } from '../../model/message.js';
import { jsonAnswer, MalformedAnswerError, withoutReasoning } from '../json-answer.js';
import { lenientJson } from '../lenient-json.js';
import { OwnWords } from './own-words.js';
import { isRefusal } from './refusal.js';

export interface ParsedCandidates {
  readonly candidates: readonly Candidate[];
  /** Items that were not used: no text or a placeholder, over-long, not from the user or in none of their words, beyond the limit. */
  readonly dropped: number;
}

/** What stands in the form that was asked for, or says that there is nothing: no statement of anybody. */
const PLACEHOLDER =
  /^(?:string|text|content|facts?|memor(?:y|ies)|statement|value|example|null|undefined|none|nothing|empty|unknown|n\/?a|no (?:new )?(?:facts?|memor(?:y|ies)|statements?)(?: found)?|<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\})[.!]?$/iu;

/** The text of an item; null where it has none, or where its text is JSON again: that is an envelope. */
function textOf(item: unknown): string | null {
  const fields = typeof item === 'string' ? { content: item } : item;
  const text = typeof fields === 'object' && fields !== null ? (fields as { content?: unknown }).content : null;
  if (typeof text !== 'string') return null;
  return /^\s*[[{]/.test(text) && lenientJson(text) ? null : text;
}

function isItem(value: unknown): boolean {
  return textOf(value) !== null;
}

/** A list of statements. Items of which not one has a text are another shape, not nothing. */
function listed(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) && (value.length === 0 || value.some(isItem)) ? value : null;
}

/** `{"memories": [...]}`, and unless `inside` a wrapper the list alone or one statement alone; the list may be a JSON string. */
function items(value: unknown, inside: boolean): readonly unknown[] | null {
  if (Array.isArray(value)) return inside ? null : listed(value);
  if (typeof value !== 'object' || value === null) return null;
  const { memories } = value as { memories?: unknown };
  if (typeof memories === 'string') return listed(lenientJson(memories)?.value);
  return memories === undefined && !inside && isItem(value) ? [value] : listed(memories);
}

/** One statement a line. Null unless every line is a whole one: a cut line would be lost. */
function jsonLines(answer: string): readonly unknown[] | null {
  const lines = answer.split('\n').filter((line) => line.trim() !== '' && !/^\s*```\w*\s*$/.test(line));
  if (lines.length < 2 || !lines.every((line) => /^\s*\{.*\},?\s*$/.test(line))) return null;
  const read = lines.map((line) => lenientJson(line.trim().replace(/,$/, ''))?.value);
  return read.every((value) => typeof value === 'object' && isItem(value)) ? read : null;
}

/** Null for a message that is not the user's. One that is not named, or not there, is guessed by its words. */
function messageNo(value: unknown, content: string, messages: readonly Message[], own: OwnWords): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  const named = typeof number === 'number' && Number.isInteger(number) ? messages[number] : undefined;
  if (named) return named.role === 'user' ? Number(number) : null;
  const likely = own.likelySource(content);
  return likely === -1 ? null : likely;
}

/** Between 0 and 1, from a number or a number as text; 0.5 where it is neither. */
function weight(importance: unknown): number {
  const number = typeof importance === 'string' && importance.trim() !== '' ? Number(importance) : importance;
  return typeof number === 'number' && Number.isFinite(number)
    ? storableImportance(Math.min(1, Math.max(0, number)))
    : 0.5;
}

function candidate(item: unknown, messages: readonly Message[], own: OwnWords, contentMax: number): Candidate | null {
  const content = textOf(item);
  if (content === null) return null;
  const { kind, importance, message } = item as Record<string, unknown>;
  const text = storableText(content).replace(/\s+/gu, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(text) || PLACEHOLDER.test(text) || codePointLength(text) > contentMax) return null;
  const from = messageNo(message, text, messages, own);
  if (from === null) return null;
  const read = { content: text, kind: parseKind(kind) ?? 'fact', importance: weight(importance), messageNo: from };
  return own.isUsers(read) ? read : null;
}

/**
 * Candidates from a model's answer. One bad item costs only itself. Only a list says that there is nothing: an empty one
 * is no candidates, while an empty answer, `{}`, `null`, prose, a refusal (with an empty list in it, too), or a list in
 * which no item has a text costs the call.
 * @throws MalformedAnswerError
 */
export function parseCandidates(
  answer: string,
  { messages, context = [] }: Pick<ExtractionInput, 'messages' | 'context'>,
  limits: { candidates: number; contentLength: number },
): ParsedCandidates {
  const found = jsonLines(answer) ?? jsonAnswer(answer, items);
  if (found.length === 0 && isRefusal(withoutReasoning(answer)))
    throw new MalformedAnswerError('The model refused to answer.');
  const own = new OwnWords(messages, context);
  const candidates = new Map<string, Candidate>();
  let dropped = 0;
  for (const item of found) {
    const read = candidates.size < limits.candidates ? candidate(item, messages, own, limits.contentLength) : null;
    if (!read) dropped += 1;
    // Said twice in one turn is one candidate.
    else if (!candidates.has(canonicalContent(read.content))) candidates.set(canonicalContent(read.content), read);
  }
  return { candidates: [...candidates.values()], dropped };
}
