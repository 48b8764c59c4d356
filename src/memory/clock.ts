/** The app's time, where the database's is not what counts: default `occurredAt` and with it the meaning of "tomorrow", buckets of turn ids. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
