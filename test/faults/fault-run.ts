import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FinalState } from './final-state.js';
import { finalState } from './final-state.js';
import type { ToldTurn } from './told-turns.js';
import type { WorkerFleet } from './worker-fleet.js';

/** Every third turn is waited for by who hands it in, as `observe` does; so nobody runs far ahead of the workers. */
const WAITED_FOR = 3;

/**
 * Hands in the turns of every scope, each scope's in their order, and waits until all have ended.
 * @returns what the database then says
 */
export async function tellAll(url: string, fleet: WorkerFleet, told: readonly (readonly ToldTurn[])[]): Promise<FinalState> {
  await Promise.all(
    told.map(async (turns) => {
      for (const [place, turn] of turns.entries()) {
        await fleet.handIn(turn, place % WAITED_FOR === WAITED_FOR - 1 ? 'observe' : 'observeLater');
      }
    }),
  );
  for (;;) {
    await fleet.any();
    try {
      const client = new Client({ connectionString: url });
      // The server may be restarted while it is asked.
      client.on('error', () => undefined);
      await client.connect();
      try {
        const { rowCount } = await client.query(
          `SELECT 1 FROM engram.memory_turns WHERE status IN ('pending', 'running', 'failed') LIMIT 1`,
        );
        if (rowCount === 0) return await finalState(client);
      } finally {
        await client.end();
      }
    } catch (error) {
      if (!/terminat|ECONNREFUSED|starting up|shutting down|closed/i.test(String(error))) throw error;
    }
    await sleep(50);
  }
}
