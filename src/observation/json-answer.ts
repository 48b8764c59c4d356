/** A model's answer that holds no JSON of the wanted shape. The text itself is not kept. */
export class MalformedAnswerError extends Error {}

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
const READ_MAX = 64;

/** The end of the JSON value that starts at `start`, or -1 when the text ends before it does. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const sign = text[index];
    if (inString) {
      if (sign === '\\') index += 1;
      else if (sign === '"') inString = false;
    } else if (sign === '"') inString = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/**
 * The JSON object or list in a model's answer. Fences, prose around it and think blocks are passed over; a value that is
 * cut off is not completed, because the half that is missing would be lost in silence. For the same reason two values
 * that differ (a draft and its correction, an empty example and the answer) are refused: nobody can say which was meant.
 * @throws MalformedAnswerError when not exactly one whole value accepted by `accepts` is there
 */
export function jsonAnswer(answer: string, accepts: (value: unknown) => boolean): unknown {
  const bare = answer.replace(/^\uFEFF/, '').trim();
  // Before anything is cut: a value may tell of such a tag itself.
  const whole = parsed(bare);
  if (whole && accepts(whole.value)) return whole.value;
  const found = acceptedValues(bare.replace(THINK_BLOCK, '').replace(THINK_END, ''), accepts);
  const [value] = found;
  if (found.length === 0) {
    throw new MalformedAnswerError('The model answered without a whole JSON value of the wanted shape.');
  }
  if (new Set(found.map((each) => JSON.stringify(each))).size > 1) {
    throw new MalformedAnswerError('The model answered with several JSON values of the wanted shape that differ.');
  }
  return value;
}

/** The accepted values in the order they stand, none inside another. */
function acceptedValues(text: string, accepts: (value: unknown) => boolean): unknown[] {
  const found: unknown[] = [];
  let unread = READ_MAX * (text.length + 1);
  for (let start = nextBracket(text, 0); start !== -1;) {
    const end = endOfValue(text, start);
    unread -= (end === -1 ? text.length : end) - start;
    if (unread < 0) throw new MalformedAnswerError('The model answered with more brackets than a JSON value has.');
    const candidate = end === -1 ? null : parsed(text.slice(start, end));
    if (candidate && accepts(candidate.value)) found.push(candidate.value);
    // A value that reads as JSON is passed over whole; prose in brackets is entered.
    start = nextBracket(text, candidate ? end : start + 1);
  }
  return found;
}

function nextBracket(text: string, from: number): number {
  const object = text.indexOf('{', from);
  const list = text.indexOf('[', from);
  return object === -1 || list === -1 ? Math.max(object, list) : Math.min(object, list);
}
