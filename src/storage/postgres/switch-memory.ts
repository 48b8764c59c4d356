import type { Scope } from '../../model/scope.js';
import type { SwitchedScope } from '../memory-store.js';
import { requireScopeAlone } from './require-scope-alone.js';
import type { Session } from './session.js';
import { dropUnlearnedTurns } from './statements/drop-unlearned-turns.js';
import { lockTurns } from './statements/lock-turns.js';
import { switchScope } from './statements/switch-scope.js';

/** Turns the scope's switch inside the caller's transaction; null where it stood so already. */
export async function switchMemory(
  session: Session,
  scope: Scope,
  enabled: boolean,
  onLocked?: () => void,
): Promise<SwitchedScope | null> {
  const { state, stamp } = await requireScopeAlone(session, scope);
  onLocked?.();
  if (state.enabled === enabled) return null;
  let droppedTurns = 0;
  if (!enabled) {
    await lockTurns(session, scope);
    droppedTurns = await dropUnlearnedTurns(session, scope, stamp);
  }
  await switchScope(session, scope, { enabled, stamp });
  return { at: stamp, droppedTurns };
}
