/** The app's time, where the database's is not what counts: default `occurredAt`, buckets of turn ids, retries. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
