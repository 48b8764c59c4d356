import type { MemoryMetadata } from '../model/memory.js';
import type { Rejection } from '../model/rejection.js';
import type { PolicySubject } from '../policy/persistence-policy.js';
import { holdsSecret } from './holds-secret.js';
import type { MemoryContext } from './memory-context.js';

const SECRET: Rejection = {
  reason: 'secret',
  message: 'The metadata holds a credential, which is never kept: leave it out.',
};

/** Digits alone are ids of the host, of which one in ten looks like the number of a card. */
const ID = /^[\d\s._-]*$/;

/** The texts in a value, keys among them. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* textsIn(item);
    }
  }
}

/** The reason why metadata are not kept, or null. They are the host's, so only what is a secret wherever it stands counts. */
export async function screenMetadata(
  { policy }: MemoryContext,
  metadata: MemoryMetadata | undefined,
  about: Omit<PolicySubject, 'content'>,
): Promise<Rejection | null> {
  for (const text of textsIn(metadata)) {
    if (!ID.test(text) && (await holdsSecret(policy, { ...about, content: text }))) return SECRET;
  }
  return null;
}
