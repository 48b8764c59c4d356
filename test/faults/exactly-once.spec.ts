import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { randomNumbers } from '../../bench/topical-vectors.js';
import { createPostgresDataSource } from '../../src/storage/postgres/data-source.js';
import { runMigrations } from '../../src/storage/postgres/run-migrations.js';
import type { FinalState } from './final-state.js';
import { describeOnServer, nativeDatabase } from './native.js';
import { RestartablePostgres, hasOwnPostgres } from './restartable-postgres.js';
import { endedTurns, tellAll } from './tell-all.js';
import { knownAfter, toldTurns } from './told-turns.js';
import type { ToldTurn } from './told-turns.js';
import { MOMENTS } from './watched-statements.js';
import type { Moment } from './watched-statements.js';
import { WorkerFleet } from './worker-fleet.js';
import type { KillOrder, StatementCounts, WorkerQueue } from './worker-messages.js';

/** The whole of it, as before a release: 200 kills over 1,000 turns. */
const { ENGRAM_FAULT_KILLS = '40', ENGRAM_FAULT_TURNS = '240' } = process.env;
const KILLS = Number(ENGRAM_FAULT_KILLS);
const TURNS = Number(ENGRAM_FAULT_TURNS);
const TOLD = toldTurns({ scopes: 20, turns: TURNS });
const ALL_TURNS = TOLD.flat().length;
/** Enough for each kind of turn, at a size that need not show more; once for each queue, they would take most of the time. */
const TOLD_TWICE = TURNS < 1_000 ? TOLD.slice(0, 8) : TOLD;
const MINUTE = 60_000;

/** Statements of the protocol, and not of the start. */
const isOfTurns = (statement: string): boolean => /memor(?:y_|ies)|^START|^SET|set_config/.test(statement);

/**
 * Each statement in turn, the rarest first, at each moment as far as the kills reach; the others anywhere, one in ten a
 * mere stop.
 */
function deaths(counts: StatementCounts, count: number): (KillOrder | null)[] {
  const random = randomNumbers(count);
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  const rarestFirst = Object.entries(counts).sort(([, one], [, other]) => one - other);
  const planned = MOMENTS.flatMap((_, round) =>
    rarestFirst.map(([statement, sent], place) => ({
      statement,
      moment: MOMENTS[(place + round) % MOMENTS.length] as Moment,
      nth: upTo(sent > TURNS / 2 ? 3 : 1),
    })),
  ).slice(0, Math.max(rarestFirst.length, Math.floor(count * 0.75)));
  const anywhere = Array.from({ length: Math.max(0, count - planned.length) }, (_, place) =>
    place % 10 === 9 ? null : { statement: null, moment: MOMENTS[upTo(3) - 1] as Moment, nth: upTo(60) },
  );
  return [...planned, ...anywhere];
}

/** What a state says of some scopes. */
function stateOf(state: FinalState, told: readonly (readonly ToldTurn[])[]): FinalState {
  const owners = new Set(told.flat().map(({ scope }) => `${scope.tenantId} ${scope.scope}`));
  const some = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([owner]) => owners.has(owner)));
  return { ...state, memories: some(state.memories), turns: some(state.turns), scopes: some(state.scopes) };
}

// Real: the module, Postgres, Redis, and processes that die. Doubles: a model and an embedder that always say the same.
describeOnServer('two worker processes', () => {
  let clean: FinalState;
  let statements: StatementCounts;

  beforeAll(async () => {
    const url = await nativeDatabase();
    const fleet = new WorkerFleet({ url }, { size: 1 });
    clean = await tellAll(url, fleet, TOLD);
    const sent = await (await fleet.any()).statements();
    statements = Object.fromEntries(Object.entries(sent).filter(([statement]) => isOfTurns(statement)));
    await fleet.stop();
  }, 20 * MINUTE);

  it('have a clean run of one to be compared with, and that is right', () => {
    for (const turns of TOLD) {
      const owner = `${turns[0]?.scope.tenantId} ${turns[0]?.scope.scope}`;
      const present = (clean.memories[owner] ?? [])
        .map((life) => life.split('\n').at(-1) ?? '')
        .filter((state) => !/ended by|merged into/.test(state));
      const contents = present.map((state) => state.split(' | ')[1]).sort();
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
      const url = await nativeDatabase();
      const fleet = new WorkerFleet({ url, failing: 0.02, upToMs: 5 }, { size: 2, orders: deaths(statements, KILLS) });
      const state = await tellAll(url, fleet, TOLD);
      await fleet.stop();
      expect(state).toEqual(clean);
      const met = fleet.deaths.filter(({ asOrdered }) => asOrdered);
      const diedAt = new Set(met.map(({ order }) => order?.statement));
      expect(Object.keys(statements).filter((statement) => !diedAt.has(statement))).toEqual([]);
      // One or two may have waited for anything at all when all was done.
      expect(met.length).toBeGreaterThanOrEqual(KILLS * 0.95);
    },
    40 * MINUTE,
  );

  it(
    'that stand still for longer than their claims hold, wherever they are, and then go on, leave the same',
    async () => {
      const url = await nativeDatabase();
      const fleet = new WorkerFleet({ url, upToMs: 5, standingStill: KILLS / (TURNS * 15) }, { size: 2 });
      const state = await tellAll(url, fleet, TOLD);
      await fleet.stop();
      expect(state).toEqual(clean);
    },
    30 * MINUTE,
  );

  it.each<WorkerQueue>(['in-process', 'bullmq-redis', 'bullmq-postgres'])(
    'that get every job of the queue %s twice, and die now and then, leave the same',
    async (queue) => {
      const url = await nativeDatabase();
      const redis = { url: process.env['ENGRAM_TEST_REDIS_URL'] ?? '', prefix: `engram-faults-${randomUUID()}` };
      const orders = deaths({}, Math.ceil(KILLS / 10));
      const setting = { url, queue, redis, twice: true, failing: 0.02, upToMs: 5 };
      const fleet = new WorkerFleet(setting, { size: 2, orders });
      const state = await tellAll(url, fleet, TOLD_TWICE);
      await fleet.stop();
      expect(fleet.shareOfOrdersMet).toBeGreaterThan(0);
      expect(state).toEqual(stateOf(clean, TOLD_TWICE));
    },
    30 * MINUTE,
  );

  // With Docker, or a server that was given, there are no programs to start another one with.
  (hasOwnPostgres ? describe : describe.skip)('on a Postgres that is restarted', () => {
    let server: RestartablePostgres;
    beforeAll(async () => {
      server = await RestartablePostgres.start();
      const dataSource = await createPostgresDataSource({ connection: server.url }).initialize();
      await runMigrations(dataSource);
      await dataSource.destroy();
    }, 5 * MINUTE);
    afterAll(() => server.stop());

    it(
      'in order and by a crash, in the middle, leave the same and go on by themselves',
      async () => {
        const fleet = new WorkerFleet({ url: server.url, failing: 0.02, upToMs: 5 }, { size: 2 });
        const told = tellAll(server.url, fleet, TOLD);
        const restarts = ['immediate', 'fast', 'immediate', 'fast'] as const;
        for (const [number, mode] of restarts.entries()) {
          await endedTurns(server.url, (ALL_TURNS * (number + 1)) / (restarts.length + 1));
          await server.restart(mode);
        }
        const state = await told;
        await fleet.stop();
        expect(state).toEqual(clean);
      },
      30 * MINUTE,
    );
  });
});
