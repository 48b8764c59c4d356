import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppProcess, temporaryFolder } from '../server/app-process.js';
import { onServer } from '../faults/native.js';
import { freePort } from '../support/free-port.js';
import { openTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const redis = process.env['ENGRAM_TEST_REDIS_URL'];
const SLOW = 300_000;

const LATER =
  'mutation ($turnId: ID!) { observeLater(input: { turnId: $turnId, messages: [{ role: USER, content: "I am vegetarian." }] }) { status } }';
const TURN = 'query ($turnId: ID!) { observation(turnId: $turnId) { status } }';

describe('the processes of the reference app', () => {
  const running: AppProcess[] = [];
  const start = async (env: Record<string, string>, entry: 'main' | 'worker' = 'main'): Promise<AppProcess> => {
    const process = await AppProcess.start(env, entry);
    running.push(process);
    return process;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((process) => process.stop('SIGKILL')));
  });

  async function learned(app: AppProcess, worker: AppProcess): Promise<void> {
    let status: unknown = 'PENDING';
    await until(
      async () => {
        const { data, errors } = await app.graphql(TURN, { turnId: 'a' });
        status = (data?.['observation'] as { status: string } | null)?.status ?? errors;
        return status === 'APPLIED';
      },
      () => `It is ${JSON.stringify(status)}: ${worker.stderr}. APPLIED`,
    );
    expect(worker.stderr).toBe('');
  }

  it(
    'refuse to let a worker loose on the embedded database, in one line that says what to set',
    async () => {
      const worker = await AppProcess.spawn({}, 'worker');
      expect((await worker.exited).code).toBe(1);
      expect(worker.stdout).toBe('');
      expect(worker.stderr.trimEnd().split('\n')).toEqual([
        expect.stringMatching(/embedded database belongs to one process.*Set DATABASE_URL/),
      ]);
    },
    SLOW,
  );

  it(
    'serve, healthy, where Redis is down, and stop in time',
    async () => {
      const folder = temporaryFolder();
      try {
        const app = await start({
          ENGRAM_DATA_DIR: folder.path,
          REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
        });
        expect(app.stdout).toContain('queue bullmq-redis');
        const health = await fetch(`${app.url}/health`);
        expect(health.status).toBe(200);
        expect((await app.graphql(LATER, { turnId: 'a' })).data).toEqual({ observeLater: { status: 'PENDING' } });
        await sleep(3_000);
        expect((await fetch(`${app.url}/health`)).status).toBe(200);
        // One that takes too long ends itself by 1.
        expect((await app.stop()).code).toBe(0);
        const told = app.stderr.split('\n').filter((line) => line.includes('bullmq-redis'));
        expect(told.length).toBeGreaterThan(0);
        expect(told.length).toBeLessThanOrEqual(2);
        expect(app.stderr).not.toContain('vegetarian');
      } finally {
        folder.remove();
      }
    },
    SLOW,
  );

  const queues: [string, () => Record<string, string>][] = onServer
    ? [
        ['the table alone', () => ({})],
        ['Postgres', () => ({ ENGRAM_QUEUE: 'postgres' })],
        ...(redis === undefined
          ? []
          : [['Redis', () => ({ REDIS_URL: `${redis}/7` })] as [string, () => Record<string, string>]]),
      ]
    : [];
  if (!onServer) it.skip('share turns where a native Postgres is given', () => undefined);

  for (const [name, queue] of queues) {
    it(
      `hand turns in with one and work them in another, over ${name}`,
      async () => {
        const { connection } = await openTestDatabase();
        const env = { DATABASE_URL: connection as string, ...queue() };
        const app = await start({ ...env, ENGRAM_WORKER: 'off' });
        await app.graphql(LATER, { turnId: 'a' });
        await sleep(1_000);
        expect((await app.graphql(TURN, { turnId: 'a' })).data).toEqual({ observation: { status: 'PENDING' } });

        const worker = await start(env, 'worker');
        expect(worker.stdout.trimEnd().split('\n')).toEqual([
          expect.stringMatching(/^nestjs-engram works turns: storage postgres, embedder local:.*, queue /),
        ]);
        await learned(app, worker);
        expect((await worker.stop()).code).toBe(0);
        expect(worker.stderr).toBe('');
        expect((await app.stop()).code).toBe(0);
        // Its subscribers would miss what the worker learned, but over Redis.
        expect(app.stderr.includes('Subscribers hear of what this process does alone')).toBe(name !== 'Redis');
      },
      SLOW,
    );
  }
});
