/** Deepest nesting that is read. Answers have four levels; a thousand would only be an attack on the reader. */
const DEPTH_MAX = 64;

/** Python's and JavaScript's words for what JSON writes otherwise; numbers that are none are no value. */
const LITERALS: Readonly<Record<string, string>> = {
  None: 'null',
  undefined: 'null',
  NaN: 'null',
  Infinity: 'null',
  True: 'true',
  False: 'false',
};

const WORD = /[A-Za-z_]+/y;

/** A text that reads as JSON, and whether an object in it gives one key twice: such a value says two things. */
export interface LenientJson {
  readonly value: unknown;
  readonly ambiguous: boolean;
}

/**
 * Reads JSON as models write it: comments, commas before a closing bracket, line breaks within a string, `\\'`, `NaN` and
 * Python's `None`, `True`, `False` are understood. Single quotes and missing brackets are not: what a text without them would mean is a guess.
 * @returns null where the text is no JSON or is nested deeper than 64 levels
 */
export function lenientJson(text: string): LenientJson | null {
  const plain = normalised(text);
  if (plain === null) return null;
  try {
    return { value: JSON.parse(plain.json) as unknown, ambiguous: plain.ambiguous };
  } catch {
    return null;
  }
}

/** Line breaks and tabs that stand in a string as they are, and the quote that needs no backslash. */
function plainString(token: string): string {
  return token
    .replace(/\\([\s\S])/g, (escape, escaped: string) => (escaped === "'" ? "'" : escape))
    .replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Past the closing quote of the string that starts at `start`; the text's length where it never closes. */
export function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

/** The token that starts at `start`: a string, a comment, a word, or one character. */
function endOfToken(text: string, start: number): number {
  const pair = text.slice(start, start + 2);
  if (pair[0] === '"') return endOfString(text, start);
  if (pair === '//' || pair === '/*') {
    const end = text.indexOf(pair === '//' ? '\n' : '*/', start + 2);
    return end === -1 ? text.length : end + (pair === '//' ? 0 : 2);
  }
  WORD.lastIndex = start;
  return WORD.test(text) ? WORD.lastIndex : start + 1;
}

/** The text as plain JSON, should it be any. Null where it is nested too deep. */
function normalised(text: string): { json: string; ambiguous: boolean } | null {
  const parts: string[] = [];
  /** Keys of the objects around the present place; null for a list. */
  const open: (Set<string> | null)[] = [];
  /** Where in `parts` a comma stands that nothing has followed yet. */
  let comma = -1;
  /** The string that nothing has followed yet: a key, should a colon come. */
  let key: string | null = null;
  let ambiguous = false;
  for (let start = 0; start < text.length;) {
    const end = endOfToken(text, start);
    const token = text.slice(start, end);
    start = end;
    const sign = token[0] ?? '';
    if (sign === '/' || /\s/.test(sign)) {
      parts.push(' ');
      continue;
    }
    if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? new Set() : null);
      if (open.length > DEPTH_MAX) return null;
    } else if (sign === '}' || sign === ']') {
      open.pop();
      if (comma >= 0) parts[comma] = ' ';
    } else if (sign === ':' && key !== null) {
      const keys = open.at(-1);
      ambiguous ||= keys?.has(key) === true;
      keys?.add(key);
    }
    key = sign === '"' ? token : null;
    comma = sign === ',' ? parts.length : -1;
    if (sign === '"') parts.push(plainString(token));
    else parts.push(Object.hasOwn(LITERALS, token) ? (LITERALS[token] ?? token) : token);
  }
  return { json: parts.join(''), ambiguous };
}
