import { ConflictError } from '../errors/conflict-error.js';
import { NotFoundError } from '../errors/not-found-error.js';
import type { Observation } from '../model/observation.js';
import type { Scope } from '../model/scope.js';
import type { MemoryContext } from './memory-context.js';
import { wakeUp } from './wake-up.js';
import { observationOf, publishQueued } from './submit-turn.js';
import { validateText } from './validate-input.js';

/**
 * Tries a dead turn again, or a failed one without its pause, in the background.
 * @throws NotFoundError for a turn that is not in this scope
 * @throws ConflictError where there is nothing to try again: it has not failed, its messages are gone, memory is off
 */
export async function retryObservation(context: MemoryContext, scope: Scope, turnId: string): Promise<Observation> {
  const result = await context.store.turns.retry(scope, validateText('turnId', turnId));
  switch (result.outcome) {
    case 'retried':
      publishQueued(context, scope, turnId);
      wakeUp(context, scope, turnId);
      return observationOf(result.turn, false);
    case 'unknown':
      throw new NotFoundError('There is no turn of that id in this scope. Check turnId and scope.');
    case 'disabled':
      throw new ConflictError('Memory is off in this scope, so nothing is learned. Switch it on, then retry.');
    case 'not-failed':
      throw new ConflictError(
        `The turn is ${result.turn.status}, which is not a failure. Only a failed or dead turn can be retried.`,
      );
    case 'cleared':
      throw new ConflictError(
        'The messages of this turn are gone: they are kept for a while only. Hand them in again, under another turnId.',
      );
  }
}
