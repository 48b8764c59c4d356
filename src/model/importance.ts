/**
 * An importance as Postgres' `real` can hold it: what is so small that it would round to zero is zero, because the cast
 * refuses it (SQLSTATE 22003) and the whole batch with it.
 */
export function storableImportance(importance: number): number {
  return Math.fround(importance) === 0 ? 0 : importance;
}
