import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import { answeredAtOnce } from './answered-at-once.js';
import { isStorableDate } from './validate-input.js';

/** The app's time, where the database's is not what counts: default `occurredAt` and with it the meaning of "tomorrow", buckets of turn ids. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The clock of a host. Its `now()` throws InvalidOptionsError for what is no date that can be stored. */
export function checkedClock(clock: Clock): Clock {
  return {
    now: () => {
      const now: unknown = answeredAtOnce(clock.now(), 'clock', 'Option clock: now() must return a Date');
      if (now instanceof Date && isStorableDate(now)) return now;
      throw new InvalidOptionsError('clock', 'Option clock: now() must return a valid Date of the years 1 to 9999.');
    },
  };
}
