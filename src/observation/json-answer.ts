/** A model's answer that holds no JSON of the wanted shape. The text itself is not kept. */
export class MalformedAnswerError extends Error {}

/** Reasoning that some models print before their answer. An unclosed block runs to the end: the answer never came. */
const THINK_BLOCK = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;

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
 * cut off is not completed, because the half that is missing would be lost in silence.
 * @throws MalformedAnswerError when no whole value accepted by `accepts` is there
 */
export function jsonAnswer(answer: string, accepts: (value: unknown) => boolean): unknown {
  const text = answer
    .replace(/^\uFEFF/, '')
    .replace(THINK_BLOCK, '')
    .trim();
  const whole = parsed(text);
  if (whole && accepts(whole.value)) return whole.value;
  for (let start = text.search(/[{[]/); start !== -1;) {
    const end = endOfValue(text, start);
    const candidate = end === -1 ? null : parsed(text.slice(start, end));
    if (candidate && accepts(candidate.value)) return candidate.value;
    // A value that reads as JSON but is of another shape is passed over whole; prose in brackets is entered.
    const from = candidate ? end : start + 1;
    const next = text.slice(from).search(/[{[]/);
    start = next === -1 ? -1 : from + next;
  }
  throw new MalformedAnswerError('The model answered without a whole JSON value of the wanted shape.');
}
