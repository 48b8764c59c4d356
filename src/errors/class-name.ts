/**
 * The class of what was thrown, for a log: never its message. A name that was set by hand may be any text, so it has to
 * look like that of a class; else the class itself is asked.
 */
export function className(thrown: unknown): string {
  if (!(thrown instanceof Error)) return thrown === null ? 'null' : typeof thrown;
  if (/^[A-Z]\w{0,50}(Error|Exception)$/.test(thrown.name)) return thrown.name;
  const { name } = thrown.constructor;
  return /^\w{1,64}$/.test(name) ? name : 'Error';
}
