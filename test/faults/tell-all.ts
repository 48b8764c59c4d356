import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { finalState } from './final-state.js';
import type { FinalState } from './final-state.js';
import type { ToldTurn } from './told-turns.js';
import type { WorkerFleet } from './worker-fleet.js';

/** Every third turn is waited for by who hands it in, as `observe` does; so nobody runs far ahead of the workers. */
const WAITED_FOR = 3;

/** What a server says, or its silence, while it is restarted. */
const RESTARTING =
  /terminat|ECONNREFUSED|ECONNRESET|starting up|shutting down|recovery|not yet accepting|not queryable/i;

/** Turns that are kept back until nobody has an order to die any more. */
const KEPT_BACK = 40;

/** So often in a row all workers have nothing to do, until one turn more is handed in: sooner than they are given up. */
const IDLE_LOOKS = 5;
const IDLE_LOOK_MS = 200;

/**
 * Hands in the turns of every scope, each scope's in their order, no faster than the workers die where they are to die;
 * and waits until all have ended.
 * @returns what the database then says
 */
export async function tellAll(
  url: string,
  fleet: WorkerFleet,
  told: readonly (readonly ToldTurn[])[],
): Promise<FinalState> {
  const all = told.flat().length;
  let handedIn = 0;
  let freed = 0;
  const mayGoOn = (): boolean =>
    fleet.ordersLeft === 0 ||
    handedIn < Math.min(all - KEPT_BACK, Math.max((fleet.shareOfOrdersMet + 0.1) * (all - KEPT_BACK), freed));
  const handing = new AbortController();
  // Who is to die at something rare would else wait for it with nothing to do, and all the others' turns for that death.
  const free = async (): Promise<void> => {
    for (let looks = 0; !handing.signal.aborted; await sleep(IDLE_LOOK_MS)) {
      looks = fleet.isUp && (await countEnded(url)) === handedIn ? looks + 1 : 0;
      if (looks >= IDLE_LOOKS) freed = handedIn + 1;
    }
  };
  const handAllIn = async (): Promise<void> => {
    try {
      await Promise.all(told.map(handInScope));
    } finally {
      handing.abort();
    }
  };
  const handInScope = async (turns: readonly ToldTurn[], number: number): Promise<void> => {
    // One scope after the other, so that somebody can die at what is done once for each.
    while (handedIn < (number * all) / (3 * told.length)) await sleep(10);
    for (const [place, turn] of turns.entries()) {
      while (!mayGoOn()) await sleep(10);
      handedIn += 1;
      await fleet.handIn(turn, place % WAITED_FOR === WAITED_FOR - 1 ? 'observe' : 'observeLater');
    }
  };
  await Promise.all([handAllIn(), free()]);
  await endedTurns(url, all, () => fleet.any());
  return (await ask(url, finalState)) as FinalState;
}

/** Resolves when so many turns have ended. @param meanwhile a throw ends the wait */
export async function endedTurns(
  url: string,
  count: number,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  for (;;) {
    await meanwhile();
    const ended = await countEnded(url);
    if (ended !== null && ended >= count) return;
    await sleep(50);
  }
}

/** Null while the server is restarted. */
const countEnded = (url: string): Promise<number | null> =>
  ask(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM engram.memory_turns WHERE status NOT IN ('pending', 'running', 'failed')`,
    );
    return rows[0]?.count ?? 0;
  });

/** Null while the server is restarted. */
async function ask<T>(url: string, question: (client: Client) => Promise<T>): Promise<T | null> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await question(client);
  } catch (error) {
    if (RESTARTING.test(String(error))) return null;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
