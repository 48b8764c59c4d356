import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../model/message.js';
import type { Observation } from '../model/observation.js';
import type { Scope } from '../model/scope.js';
import { claimOptions } from '../observation/claim-options.js';
import type { HoldBack } from '../storage/memory-store.js';
import { erasedMeanwhile } from './add.js';
import type { MemoryContext } from './memory-context.js';
import { observationOf, submitTurn } from './submit-turn.js';
import type { ObserveInput } from './submit-turn.js';
import { measured } from './telemetry.js';
import { validateText } from './validate-input.js';
import { wakeUp } from './wake-up.js';

/** How long `observe` waits for its place behind other turns of the scope, in milliseconds; then the worker has it. */
const PLACE_WAIT_MS = 10_000;
const PLACE_POLL_MS = 25;
const AT_ONCE: HoldBack = { idleMs: 0, everyTurns: 1 };

/**
 * Takes due turns of the scope, earliest first, until the given one has had its try.
 * @throws ConflictError when the scope was erased while it was under way: nothing is known of the turn any more
 */
async function drive(context: MemoryContext, scope: Scope, turnId: string): Promise<Observation> {
  for (let waited = 0; ;) {
    // A process that stops claims nothing more: the turn is durable, and another process goes on with it.
    const claimed = context.running.closed ? null : await context.store.turns.claim(scope, claimOptions(context));
    if (claimed) await context.running.run(context, scope, claimed);
    const turn = await context.store.turns.find(scope, turnId);
    if (!turn) throw erasedMeanwhile();
    if (turn.status !== 'pending' && turn.status !== 'running') return observationOf(turn, false);
    if (claimed && !context.running.closed) continue;
    const isOver = waited >= PLACE_WAIT_MS || context.running.closed;
    if (isOver || (await pausesBeyond(context, scope, PLACE_WAIT_MS - waited))) {
      wakeUp(context, scope, turnId);
      return observationOf(turn, false);
    }
    await sleep(PLACE_POLL_MS);
    waited += PLACE_POLL_MS;
  }
}

/** Whether the turn at the head of the scope waits for longer than that: it failed, and those behind it wait with it. */
async function pausesBeyond(context: MemoryContext, scope: Scope, ms: number): Promise<boolean> {
  const until = await context.store.turns.pausedUntil(scope);
  return until !== null && until.getTime() - Date.now() > ms;
}

/** Hands a turn in, goes on with it where it is new, and tells of it. */
function handIn(
  context: MemoryContext,
  scope: Scope,
  {
    name,
    messages,
    input,
    holdBack,
  }: {
    name: 'engram.observe' | 'engram.observe-later';
    messages: readonly Message[];
    input: ObserveInput;
    holdBack?: HoldBack | undefined;
  },
  goOn: (submitted: Observation) => Observation | Promise<Observation>,
): Promise<Observation> {
  return measured(
    context,
    name,
    scope,
    { status: 'failed', duplicate: false },
    async () => {
      const isForWorker = name === 'engram.observe-later';
      const submitted = await submitTurn(context, scope, messages, input, { holdBack, isForWorker });
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
  // Asked for now: what waits for more of the conversation need not wait any more.
  const holdBack = context.settings.observation.debounce ? AT_ONCE : undefined;
  return handIn(context, scope, { name: 'engram.observe', messages, input, holdBack }, ({ turnId }) =>
    drive(context, scope, turnId),
  );
}

export function observeLater(
  context: MemoryContext,
  scope: Scope,
  messages: readonly Message[],
  input: ObserveInput,
): Promise<Observation> {
  const holdBack = context.settings.observation.debounce ?? undefined;
  return handIn(context, scope, { name: 'engram.observe-later', messages, input, holdBack }, (submitted) => {
    wakeUp(context, scope, submitted.turnId);
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
