import { StorageError } from '../../errors/storage-error.js';
import type { Scope } from '../../model/scope.js';
import type { Session } from './session.js';
import { lockScopeAlone } from './statements/lock-scope-alone.js';
import type { ScopeAlone } from './statements/lock-scope-alone.js';
import { makeScope } from './statements/make-scope.js';

/**
 * Makes the scope where there is none, and takes it for this transaction alone.
 *
 * @throws StorageError unless the level is READ COMMITTED: a snapshot that is older than the lock does not see the turns
 *   that the lock waited for
 */
export async function requireScopeAlone(session: Session, scope: Scope): Promise<ScopeAlone> {
  await makeScope(session, scope);
  const alone = await lockScopeAlone(session, scope);
  if (!alone) {
    throw new StorageError(
      'The row of the scope could not be made. Check that nothing else deletes from memory_scopes.',
    );
  }
  if (alone.isolation !== 'read committed') {
    throw new StorageError(
      `Erasing a scope or switching it needs a transaction at READ COMMITTED, this one is at ${alone.isolation.toUpperCase()}. Nothing was changed; call outside of it.`,
    );
  }
  return alone;
}
