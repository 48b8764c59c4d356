import type { NewTurn } from './memory-store.js';

/**
 * When a turn was said, by the clock that dates what is changed and forgotten. That of the app may be another, so its time
 * counts for no more than it can: nothing is said after it was handed in, and where the age is known that alone counts.
 * @param now of the store, and not before the last stamp of the scope
 */
export function saidAt({ occurredAt, ageMs }: Pick<NewTurn, 'occurredAt' | 'ageMs'>, now: Date): Date {
  if (ageMs !== undefined) return new Date(now.getTime() - ageMs);
  return occurredAt && occurredAt < now ? occurredAt : now;
}
