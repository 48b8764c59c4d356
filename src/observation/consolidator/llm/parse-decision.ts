import { codePointLength } from '../../../model/content.js';
import type { Candidate, Decision } from '../../../model/decision.js';
import { jsonAnswer } from '../../json-answer.js';

const ACTIONS = ['add', 'update', 'forget', 'noop'] as const;

function answeredAction(value: unknown): (typeof ACTIONS)[number] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { action } = value as { action?: unknown };
  return typeof action === 'string' ? ACTIONS.find((known) => known === action.trim().toLowerCase()) : undefined;
}

function sentence(value: unknown, fallback: string, contentMax: number): string {
  if (typeof value !== 'string') return fallback;
  const text = value.replaceAll('\u0000', '').toWellFormed().replace(/\s+/gu, ' ').trim();
  return text === '' || codePointLength(text) > contentMax ? fallback : text;
}

/**
 * A decision from a model's answer, its alias turned back into an id. Null for one that names an alias that was not
 * offered: it is skipped, because nobody can say which memory was meant.
 * @param ids real ids by alias
 * @throws MalformedAnswerError when the answer holds no decision at all
 */
export function parseDecision(
  answer: string,
  candidate: Candidate,
  ids: ReadonlyMap<string, string>,
  contentMax: number,
): Decision | null {
  const value = jsonAnswer(answer, (read) =>
    answeredAction(read) === undefined ? null : (read as Record<string, unknown>),
  );
  const action = answeredAction(value);
  if (action === undefined || action === 'add') return { action: 'add', candidate };
  const alias =
    typeof value['memory'] === 'number' || typeof value['memory'] === 'string' ? String(value['memory']).trim() : null;
  const memoryId = alias === null ? undefined : ids.get(alias);
  if (action === 'noop') return { action, candidate, memoryId: memoryId ?? null };
  if (memoryId === undefined) return null;
  if (action === 'forget') return { action, candidate, memoryId };
  return { action, candidate, memoryId, content: sentence(value['content'], candidate.content, contentMax) };
}
