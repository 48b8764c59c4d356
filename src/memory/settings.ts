import { InvalidInputError } from '../errors/invalid-input-error.js';
import type { ScopeSettings } from '../model/scope-settings.js';
import type { Scope } from '../model/scope.js';
import type { MemoryContext } from './memory-context.js';
import { tellInOrder } from './write-in-order.js';

export function settings(context: MemoryContext, scope: Scope): Promise<ScopeSettings> {
  return context.store.settings(scope);
}

/** @throws InvalidInputError for anything but a boolean: "false" shall not switch on */
export async function setEnabled(context: MemoryContext, scope: Scope, enabled: boolean): Promise<ScopeSettings> {
  if (typeof enabled !== 'boolean') {
    throw new InvalidInputError(
      'enabled',
      `enabled must be true or false, got ${enabled === null ? 'null' : typeof enabled}.`,
    );
  }
  await tellInOrder(
    context,
    scope,
    'alone',
    async (onLocked) => {
      const switched = await context.store.setEnabled(scope, enabled, onLocked);
      context.switches.forget(scope);
      return switched;
    },
    (switched) => {
      if (!switched) return;
      const { at, droppedTurns } = switched;
      context.events.publish('memory.settings-changed', { ...scope, at: at.toISOString(), enabled, droppedTurns });
    },
  );
  return { enabled };
}
