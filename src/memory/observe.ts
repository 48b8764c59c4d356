import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../model/message.js';
import type { Observation } from '../model/observation.js';
import type { Scope } from '../model/scope.js';
import { erasedMeanwhile } from './add.js';
import type { MemoryContext } from './memory-context.js';
import { observationOf, submitTurn } from './submit-turn.js';
import type { ObserveInput } from './submit-turn.js';
import { measured } from './telemetry.js';
import { validateText } from './validate-input.js';

/** How long `observe` waits for its place behind other turns of the scope, in milliseconds; then the worker has it. */
const PLACE_WAIT_MS = 10_000;
const PLACE_POLL_MS = 25;

function wakeUp(context: MemoryContext, scope: Scope, turnId: string): void {
  // Losing a wake-up is harmless: the row is there and the sweeper finds it.
  context.queue.enqueue({ ...scope, turnId }).catch(() => undefined);
}

/**
 * Takes due turns of the scope, earliest first, until the given one has had its try.
 * @throws ConflictError when the scope was erased while it was under way: nothing is known of the turn any more
 */
async function drive(context: MemoryContext, scope: Scope, turnId: string): Promise<Observation> {
  const { leaseMs } = context.settings.observation;
  for (let waited = 0; ;) {
    // A process that stops claims nothing more: the turn is durable, and another process goes on with it.
    const claimed = context.running.closed ? null : await context.store.turns.claim(scope, { leaseMs });
    if (claimed) await context.running.run(context, scope, claimed);
    const turn = await context.store.turns.find(scope, turnId);
    if (!turn) throw erasedMeanwhile();
    if (turn.status !== 'pending' && turn.status !== 'running') return observationOf(turn, false);
    if (claimed && !context.running.closed) continue;
    if (waited >= PLACE_WAIT_MS || context.running.closed) {
      wakeUp(context, scope, turnId);
      return observationOf(turn, false);
    }
    await sleep(PLACE_POLL_MS);
    waited += PLACE_POLL_MS;
  }
}

/** Hands a turn in, goes on with it where it is new, and tells of it. */
function handIn(
  context: MemoryContext,
  scope: Scope,
  {
    name,
    messages,
    input,
  }: { name: 'engram.observe' | 'engram.observe-later'; messages: readonly Message[]; input: ObserveInput },
  goOn: (submitted: Observation) => Observation | Promise<Observation>,
): Promise<Observation> {
  return measured(
    context,
    name,
    scope,
    { status: 'failed', duplicate: false },
    async () => {
      const submitted = await submitTurn(context, scope, messages, input);
      return submitted.duplicate || submitted.status !== 'pending' ? submitted : goOn(submitted);
    },
    ({ status, duplicate }) => ({ status, duplicate }),
  );
}

export function observe(
  context: MemoryContext,
  scope: Scope,
  messages: readonly Message[],
  input: ObserveInput,
): Promise<Observation> {
  return handIn(context, scope, { name: 'engram.observe', messages, input }, ({ turnId }) =>
    drive(context, scope, turnId),
  );
}

export function observeLater(
  context: MemoryContext,
  scope: Scope,
  messages: readonly Message[],
  input: ObserveInput,
): Promise<Observation> {
  return handIn(context, scope, { name: 'engram.observe-later', messages, input }, (submitted) => {
    const { turnId } = submitted;
    context.events.publish('observation.queued', { ...scope, at: context.clock.now().toISOString(), turnId });
    wakeUp(context, scope, turnId);
    return submitted;
  });
}

export async function findObservation(
  context: MemoryContext,
  scope: Scope,
  turnId: string,
): Promise<Observation | null> {
  const turn = await context.store.turns.find(scope, validateText('turnId', turnId));
  return turn && observationOf(turn, false);
}
