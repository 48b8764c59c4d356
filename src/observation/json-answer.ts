import { endOfString, lenientJson } from './lenient-json.js';

/** A model's answer that holds no JSON of the wanted shape. The text itself is not kept. */
export class MalformedAnswerError extends Error {}

/** Longest answer that is read, in UTF-16 units; one of 5,000 memories of 500 characters has three quarters of it. */
const ANSWER_MAX = 4_000_000;

const THINK_NAME = 'think|thinking|thought|reasoning|reflection|analysis';
/** Reasoning that some models print before their answer. An unclosed block runs to the end: the answer never came. */
const THINK_BLOCK = new RegExp(
  `<(${THINK_NAME})(?:\\s[^<>]*)?>[\\s\\S]*?(?:</\\1\\s*>|$)|\\[THINK\\][\\s\\S]*?(?:\\[/THINK\\]|$)`,
  'gi',
);
/** The end of reasoning whose opening tag stood in the model's own template and so never reached us. */
const THINK_END = new RegExp(`^[\\s\\S]*(?:</(?:${THINK_NAME})\\s*>|\\[/THINK\\])`, 'i');

/**
 * Characters that may be read in search of the value, as a multiple of the answer: brackets that never close are each
 * read to the end, which would grow with the square of the length and stop the event loop.
 */
const READ_MAX = 16;

/** Objects and JSON strings around the wanted value ("result", "output") that are opened. */
const WRAPPERS_MAX = 6;

/** What a bracket is followed by in JSON, and hardly ever in prose; at the very end, the value never came. */
const JSON_BEGINS = /(?:\{\s*(?:["}]|$)|\[\s*(?:["{[\]]|$))/y;

/**
 * A value in the caller's terms; null where it is none that the caller can use. `inside`: it stands in a wrapper, where a
 * list or an object may be of anything ("tags": []) unless its keys say that it is the one.
 */
export type Reader<T> = (value: unknown, inside: boolean) => T | null;

/** The end of the value in brackets that starts at `start`, or -1 when the text ends before it does. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length;) {
    const sign = text[index];
    if (sign === '"') {
      index = endOfString(text, index);
      continue;
    }
    index += 1;
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
}

/** The answer without the reasoning before it. */
export function withoutReasoning(answer: string): string {
  return answer.replace(THINK_BLOCK, '').replace(THINK_END, '');
}

/**
 * The JSON value in a model's answer that `read` takes, read by it. Passed over are fences, prose around it, think blocks
 * and wrappers (`{"result": ...}`, JSON within a JSON string); comments, trailing commas and Python's words are
 * understood. Nothing is completed or guessed, because what is missing would be lost in silence. So it refuses an answer
 * - that is cut off anywhere inside a value, even where a whole value stands before or inside the cut one,
 * - with two values that differ (a draft and its correction) or one that gives a key twice: nobody can say which is meant,
 * - without a value that `read` takes: empty, prose, a refusal, another shape,
 * - longer than 4 million characters, nested deeper than 64 levels, or full of brackets that never close.
 * @throws MalformedAnswerError
 */
export function jsonAnswer<T>(answer: string, read: Reader<T>): T {
  if (answer.length > ANSWER_MAX) {
    throw new MalformedAnswerError('The model answered with more text than any answer has.');
  }
  const bare = answer.replace(/^\uFEFF/, '').trim();
  // Before anything is cut: a value may tell of such a tag itself.
  const whole = /^[{["]/.test(bare) ? lenientJson(bare) : null;
  const found = whole ? [whole] : valuesIn(withoutReasoning(bare));
  const accepted: { value: unknown; result: T }[] = [];
  for (const { value, ambiguous } of found) {
    const inner = within(value, read, WRAPPERS_MAX);
    if (inner.length > 0 && ambiguous) {
      throw new MalformedAnswerError('The model answered with an object that gives a key twice.');
    }
    accepted.push(...inner);
  }
  const [first] = accepted;
  if (!first) throw new MalformedAnswerError('The model answered without a whole JSON value of the wanted shape.');
  if (new Set(accepted.map(({ value }) => JSON.stringify(value))).size > 1) {
    throw new MalformedAnswerError('The model answered with several JSON values of the wanted shape that differ.');
  }
  return first.result;
}

/** The value itself, or those inside its wrappers, that `read` takes. */
function within<T>(value: unknown, read: Reader<T>, wrappers: number): { value: unknown; result: T }[] {
  const result = read(value, wrappers < WRAPPERS_MAX);
  if (result !== null) return [{ value, result }];
  if (wrappers === 0) return [];
  if (typeof value === 'string') {
    const text = lenientJson(value);
    return text && !text.ambiguous ? within(text.value, read, wrappers - 1) : [];
  }
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length > 1)) return [];
  return Object.values(value).flatMap((inner: unknown) => within(inner, read, wrappers - 1));
}

/**
 * The JSON values in a text in the order they stand, none inside another.
 * @throws MalformedAnswerError when one of them is cut off
 */
function valuesIn(text: string): { value: unknown; ambiguous: boolean }[] {
  const found: { value: unknown; ambiguous: boolean }[] = [];
  let unread = READ_MAX * (text.length + 1);
  for (let start = nextBracket(text, 0); start !== -1;) {
    const end = endOfValue(text, start);
    unread -= (end === -1 ? text.length : end) - start;
    if (unread < 0) throw new MalformedAnswerError('The model answered with more brackets than a JSON value has.');
    const value = end === -1 ? null : lenientJson(text.slice(start, end));
    if (value) found.push(value);
    JSON_BEGINS.lastIndex = start;
    const isJson = value !== null || JSON_BEGINS.test(text);
    // What stands inside a value that is cut off is a part of it: half of an answer is none.
    if (end === -1 && isJson) throw new MalformedAnswerError('The model answered with a JSON value that is cut off.');
    // JSON is passed over whole, readable or not; prose in brackets is entered.
    start = nextBracket(text, isJson ? end : start + 1);
  }
  return found;
}

function nextBracket(text: string, from: number): number {
  const object = text.indexOf('{', from);
  const list = text.indexOf('[', from);
  return object === -1 || list === -1 ? Math.max(object, list) : Math.min(object, list);
}
