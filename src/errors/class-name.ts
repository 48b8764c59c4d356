/** The class of what was thrown, for a log: never its message, and no name that somebody made of other things. */
export function className(thrown: unknown): string {
  if (!(thrown instanceof Error)) return thrown === null ? 'null' : typeof thrown;
  return /^\w{1,64}$/.test(thrown.name) ? thrown.name : 'Error';
}
