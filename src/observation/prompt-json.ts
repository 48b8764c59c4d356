/** Ends a line for some readers, and JSON leaves it as it is. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** A value as JSON on one line whoever reads it, so that no text in it can begin a line of its own in a prompt. */
export function promptJson(value: unknown): string {
  return JSON.stringify(value).replace(LINE_ENDS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
