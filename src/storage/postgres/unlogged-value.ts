import { inspect } from 'node:util';

const SHOWN = '[not logged]';

/**
 * A value of a statement that only the driver reads. TypeORM hands what a statement is sent with to the host's logger (all
 * of it, what was slow, what failed) and to its subscribers, and a memory's text has no place in either.
 */
export class UnloggedValue {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  /** pg asks this of an object when it sends it. */
  toPostgres(): unknown {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}

/** The same values, those that may hold texts or vectors made unreadable for everybody but the driver. */
export function unlogged(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) =>
    typeof value === 'string' || (typeof value === 'object' && value !== null && !(value instanceof Date))
      ? new UnloggedValue(value)
      : value,
  );
}
