import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Observation } from 'nestjs-engram';
import { Client } from 'pg';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';
import { MemoryWorker } from './memory-worker.js';
import { nativeDatabase, describeOnServer, onServer } from './native.js';
import { SubjectModel } from './subject-model.js';

/** 100 before a release. Fewer on the embedded database, whose one session makes a turn five times as long. */
const ROUNDS = onServer ? Number(process.env['ENGRAM_FAULT_ROUNDS'] ?? '40') : 10;
const CALLS = 10;
const FACT = [{ role: 'user' as const, content: 'Favourite tea is strong.' }];
const MINUTE = 60_000;

/** The calls of one round, each in the scope of that round. */
type Round = (scope: string, turnId: (call: number) => string) => Promise<Observation[]>;

const all = (calls: (call: number) => Promise<Observation>): Promise<Observation[]> =>
  Promise.all(Array.from({ length: CALLS }, (_, call) => calls(call)));

/** Different turns: each is applied, the first adds the fact, the others find it. */
async function differentTurns(round: Round, scope: string): Promise<void> {
  const observations = await round(scope, (call) => `turn ${call}`);
  expect(observations.map(({ status, duplicate }) => [status, duplicate])).toEqual(
    observations.map(() => ['applied', false]),
  );
  const actions = observations.flatMap(({ decisions }) => decisions.map(({ action }) => action));
  expect(actions.sort()).toEqual(['add', ...Array.from({ length: CALLS - 1 }, () => 'noop')]);
  expect(new Set(observations.flatMap(({ decisions }) => decisions.map(({ memoryId }) => memoryId))).size).toBe(1);
}

/** One turn, handed in many times: one call applies it, the others hear of it. */
async function sameTurn(round: Round, scope: string): Promise<void> {
  const observations = await round(scope, () => 'the turn');
  const first = observations.filter(({ duplicate }) => !duplicate);
  expect(first).toMatchObject([{ status: 'applied', decisions: [{ action: 'add' }] }]);
  for (const { status } of observations) expect(['pending', 'running', 'applied']).toContain(status);
}

const turnsAtOnce: [string, (round: Round, scope: string) => Promise<void>][] = [
  ['in turns of their own', differentTurns],
  ['in one turn', sameTurn],
];

describe(`${CALLS} calls that observe one fact at once`, () => {
  describe('in one process', () => {
    let app: PostgresApp;
    beforeAll(async () => {
      app = await openPostgresApp({ completion: new SubjectModel() });
    });
    afterAll(() => app.close());

    it.each(turnsAtOnce)(
      '%s, leave one memory in each round',
      async (_, rounds) => {
        for (let number = 0; number < ROUNDS; number += 1) {
          const user = randomUUID();
          const memory = app.of(user);
          await rounds((_scope, turnId) => all((call) => memory.observe(FACT, { turnId: turnId(call) })), user);
          const { memories, totalCount } = await memory.list();
          expect([totalCount, memories[0]?.content, memories[0]?.version]).toEqual([1, FACT[0]?.content, 1]);
        }
      },
      20 * MINUTE,
    );
  });

  describeOnServer('in two processes', () => {
    let workers: readonly MemoryWorker[];
    let client: Client;
    beforeAll(async () => {
      const url = await nativeDatabase();
      client = new Client({ connectionString: url });
      await client.connect();
      workers = [1, 2].map(() => new MemoryWorker({ url }));
      await Promise.all(workers.map(({ ready }) => ready));
    }, 5 * MINUTE);
    afterAll(async () => {
      await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
      await client.end();
    });

    it.each(turnsAtOnce)(
      '%s, leave one memory in each round',
      async (_, rounds) => {
        for (let number = 0; number < ROUNDS; number += 1) {
          const scope = { tenantId: 'acme', scope: randomUUID() };
          await rounds(
            (_scope, turnId) =>
              all((call) =>
                (workers[call % workers.length] as MemoryWorker).observe({
                  scope,
                  turnId: turnId(call),
                  messages: FACT,
                }),
              ),
            scope.scope,
          );
          // A call that came second hears of the first, which may still be at it.
          const { rows } = await client.query(
            'SELECT content, version FROM engram.memories WHERE tenant_id = $1 AND scope = $2',
            [scope.tenantId, scope.scope],
          );
          expect(rows).toEqual([{ content: FACT[0]?.content, version: 1 }]);
        }
      },
      20 * MINUTE,
    );
  });
});
