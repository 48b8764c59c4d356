/** Mean of numbers; 0 of none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Share 0-1 of the wanted that are among the found. */
export function shareFound(wanted: readonly string[], found: readonly string[]): number {
  const have = new Set(found);
  return mean(wanted.map((item) => (have.has(item) ? 1 : 0)));
}

/** Four digits are what a reader can use, and keep the JSON alike on all machines. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
