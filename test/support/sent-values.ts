import { UnloggedValue } from '../../src/storage/postgres/unlogged-value.js';

/** What the driver sends for the parameters that TypeORM's logger was given. */
export function sentValues(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => (value instanceof UnloggedValue ? value.toPostgres() : value));
}
