import { canonicalContent, codePointLength } from '../../model/content.js';
import type { Candidate } from '../../model/decision.js';
import { storableImportance } from '../../model/importance.js';
import { parseKind } from '../../model/kind.js';
import type { Message } from '../../model/message.js';
import { jsonAnswer } from '../json-answer.js';

export interface ParsedCandidates {
  readonly candidates: readonly Candidate[];
  /** Items that could not be used: no text, over-long, not from the user, beyond the limit. */
  readonly dropped: number;
}

function items(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return null;
  const { memories } = value as { memories?: unknown };
  return Array.isArray(memories) ? memories : null;
}

function lastUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role === 'user');
}

function messageNo(value: unknown, messages: readonly Message[]): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  // A model that names no message, or one that is not there, most likely means what the user said last.
  if (typeof number !== 'number' || !Number.isInteger(number) || !messages[number]) {
    const last = lastUserMessage(messages);
    return last === -1 ? null : last;
  }
  return messages[number].role === 'user' ? number : null;
}

function candidate(item: unknown, messages: readonly Message[], contentMax: number): Candidate | null {
  const fields = typeof item === 'string' ? { content: item } : item;
  if (typeof fields !== 'object' || fields === null) return null;
  const { content, kind, importance, message } = fields as Record<string, unknown>;
  if (typeof content !== 'string') return null;
  const text = content.replaceAll('\u0000', '').toWellFormed().replace(/\s+/gu, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(text) || codePointLength(text) > contentMax) return null;
  const from = messageNo(message, messages);
  if (from === null) return null;
  const weight =
    typeof importance === 'number' && Number.isFinite(importance)
      ? storableImportance(Math.min(1, Math.max(0, importance)))
      : 0.5;
  return { content: text, kind: parseKind(kind) ?? 'fact', importance: weight, messageNo: from };
}

/**
 * Candidates from a model's answer. One bad item costs only itself; an answer that is no JSON costs the call.
 * @throws MalformedAnswerError
 */
export function parseCandidates(
  answer: string,
  messages: readonly Message[],
  limits: { candidates: number; contentLength: number },
): ParsedCandidates {
  const found = items(jsonAnswer(answer, (value) => items(value) !== null)) ?? [];
  const candidates = new Map<string, Candidate>();
  let dropped = 0;
  for (const item of found) {
    const read = candidates.size < limits.candidates ? candidate(item, messages, limits.contentLength) : null;
    if (!read) dropped += 1;
    // Said twice in one turn is one candidate.
    else if (!candidates.has(canonicalContent(read.content))) candidates.set(canonicalContent(read.content), read);
  }
  return { candidates: [...candidates.values()], dropped };
}
