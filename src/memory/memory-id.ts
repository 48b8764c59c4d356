import { v7 } from 'uuid';

/** A new memory id: uuid v7, made here because Postgres 17 has no such function. */
export function newMemoryId(): string {
  return v7();
}
