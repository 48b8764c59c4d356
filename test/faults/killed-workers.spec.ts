import { beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase } from '../support/test-database.js';
import type { FinalState } from './final-state.js';
import { tellAll } from './fault-run.js';
import { knownAfter, seeded, toldTurns } from './told-turns.js';
import { MOMENTS } from './watched-statements.js';
import { WorkerFleet } from './worker-fleet.js';
import type { KillOrder } from './worker-messages.js';

// One process and one session serve the embedded database: two workers need a server.
const onNative = process.env['ENGRAM_TEST_DATABASE_URL'] ? describe : describe.skip;

/** The whole of it, as before a release: 200 kills, 1,000 turns. */
const { ENGRAM_FAULT_KILLS = '40', ENGRAM_FAULT_TURNS = '240' } = process.env;
const KILLS = Number(ENGRAM_FAULT_KILLS);
const TOLD = toldTurns({ scopes: 20, turns: Number(ENGRAM_FAULT_TURNS) });
const MINUTE = 60_000;

async function newDatabase(): Promise<string> {
  const { connection } = await openTestDatabase({ mayBeMigrated: true });
  if (typeof connection !== 'string') throw new Error('the database has no URL');
  return connection;
}

/** Statements of the protocol, and not of the start. */
const isOfTurns = (statement: string): boolean => /memor(?:y_|ies)|^START|^SET|set_config/.test(statement);

/** Each statement in turn, at each moment as far as the kills reach; the others anywhere, one in ten a mere stop. */
function deaths(statements: readonly string[], count: number): (KillOrder | null)[] {
  const random = seeded(count);
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  const planned = MOMENTS.flatMap((_, round) =>
    statements.map((statement, place) => ({
      statement,
      moment: MOMENTS[(place + round) % MOMENTS.length] as KillOrder['moment'],
      nth: upTo(3),
    })),
  ).slice(0, Math.floor(count * 0.75));
  const anywhere = Array.from({ length: count - planned.length }, (_, place) =>
    place % 10 === 9 ? null : { statement: null, moment: MOMENTS[upTo(3) - 1] as KillOrder['moment'], nth: upTo(60) },
  );
  return [...planned, ...anywhere];
}

onNative('two worker processes on one Postgres', () => {
  let clean: FinalState;
  let statements: readonly string[];

  beforeAll(async () => {
    const url = await newDatabase();
    const fleet = new WorkerFleet({ url }, { size: 1 });
    clean = await tellAll(url, fleet, TOLD);
    statements = (await (await fleet.any()).statements()).filter(isOfTurns);
    await fleet.stop();
  }, 5 * MINUTE);

  it('have a clean run of one to be compared with, and that is right', () => {
    for (const turns of TOLD) {
      const owner = `${turns[0]?.scope.tenantId} ${turns[0]?.scope.scope}`;
      const live = (clean.memories[owner] ?? []).map((life) => life.split('\n').at(-1) ?? '');
      const contents = live
        .filter((state) => !/ended by|merged into/.test(state))
        .map((state) => state.split(' | ')[1])
        .sort();
      expect([owner, contents]).toEqual([owner, knownAfter(turns)]);
      expect(clean.turns[owner]).toHaveLength(turns.length);
    }
    const turns = Object.values(clean.turns).flat();
    expect(turns.filter((turn) => !/ \| (?:cleared|dead) \| free \| finished/.test(turn))).toEqual([]);
    for (const status of ['applied', 'nothing', 'rejected', 'dead']) expect(turns.join()).toContain(`| ${status} |`);
    for (const action of ['add', 'update', 'forget', 'noop', 'merge']) expect(turns.join()).toContain(`| ${action} `);
    expect(clean.accesses).toBe(0);
  });

  it(
    `killed ${KILLS} times, at each statement and at random, leave what one clean run leaves`,
    async () => {
      const url = await newDatabase();
      const fleet = new WorkerFleet({ url, failing: 0.02, upToMs: 5 }, { size: 2, orders: deaths(statements, KILLS) });
      const state = await tellAll(url, fleet, TOLD);
      await fleet.stop();
      console.log(fleet.deaths, fleet.ordersLeft, statements);
      expect(state).toEqual(clean);
    },
    20 * MINUTE,
  );
});
