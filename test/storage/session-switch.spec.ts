import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/storage/embedded/index.js';
import { openTestDump } from '../support/test-database.js';

describe('the embedded database between its clients', () => {
  const PATIENT = { idleInTransactionMs: 120_000, turnTimeoutMs: 120_000 };
  const databases: EmbeddedPostgres[] = [];
  const clients: Client[] = [];
  let patient: EmbeddedPostgres;

  beforeAll(async () => {
    patient = await open(PATIENT);
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
    await Promise.all(databases.map((database) => database.stop()));
  });

  async function open(times: typeof PATIENT): Promise<EmbeddedPostgres> {
    const database = await EmbeddedPostgres.fromDump(openTestDump(), times);
    databases.push(database);
    return database;
  }

  async function connect(database = patient): Promise<Client> {
    const client = new Client(database.connection);
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    return client;
  }

  it('answers each client its own question, however many wait behind a transaction', async () => {
    const holder = await connect();
    const others = await Promise.all(Array.from({ length: 6 }, () => connect()));
    await holder.query('BEGIN');
    const answers = others.map(async (client, n) => (await client.query(`SELECT $1::text AS c${n}`, [`of ${n}`])).rows);
    // A turn of the holder's own: by its answer the others' questions have come in.
    await holder.query('SELECT 1');
    await holder.query('COMMIT');
    expect(await Promise.all(answers)).toEqual(others.map((_, n) => [{ [`c${n}`]: `of ${n}` }]));
  });

  it('takes a question that comes in many pieces as one', async () => {
    const [one, other] = [await connect(), await connect()];
    const long = 'x'.repeat(3_000_000);
    let arrived = false;
    const answer = one.query('SELECT length($1::text) AS n, $2::int AS who', [long, 1]).finally(() => (arrived = true));
    while (!arrived) {
      expect((await other.query('SELECT $1::int AS who', [2])).rows).toEqual([{ who: 2 }]);
    }
    expect((await answer).rows).toEqual([{ n: 3_000_000, who: 1 }]);
  });

  it('keeps a failed statement from the next client, and a failed transaction until its end', async () => {
    const [one, other] = [await connect(), await connect()];
    const [failed, fine] = await Promise.allSettled([
      one.query('SELECT 1/$1::int', [0]),
      other.query('SELECT $1::int AS n', [7]),
    ]);
    expect(failed.status).toBe('rejected');
    expect(fine).toMatchObject({ status: 'fulfilled', value: { rows: [{ n: 7 }] } });

    await one.query('BEGIN');
    await expect(one.query('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
    const waiting = other.query('SELECT 8 AS n');
    await expect(one.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    await one.query('ROLLBACK');
    expect((await waiting).rows).toEqual([{ n: 8 }]);
  });

  it('rolls back what a client left open when it went', async () => {
    const [one, other] = [await connect(), await connect()];
    await other.query('CREATE TABLE left_open (n int)');
    await one.query('BEGIN');
    await one.query('INSERT INTO left_open VALUES (1)');
    const counted = other.query('SELECT count(*)::int AS n FROM left_open');
    await one.end();
    expect((await counted).rows).toEqual([{ n: 0 }]);
  });

  it('ends a transaction that does nothing, and the others go on', async () => {
    const strict = await open({ ...PATIENT, idleInTransactionMs: 1_000 });
    const [one, other] = [await connect(strict), await connect(strict)];
    const ended = new Promise<{ code?: string }>((resolve) => one.once('error', resolve));
    await one.query('BEGIN');
    expect((await other.query('SELECT 9 AS n')).rows).toEqual([{ n: 9 }]);
    expect(await ended).toMatchObject({ code: '25P03' });
  });

  it('refuses a statement that waited too long for a busy transaction, with the code of a lock time-out', async () => {
    const strict = await open({ ...PATIENT, turnTimeoutMs: 3_000 });
    const [one, other] = [await connect(strict), await connect(strict)];
    await one.query('BEGIN');
    const refused = other.query('SELECT 1').then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    );
    let outcome: string | undefined;
    void refused.then((code) => (outcome = code));
    while (outcome === undefined) {
      await one.query('SELECT pg_sleep(0.05)');
    }
    expect(outcome).toBe('55P03');
    await one.query('COMMIT');
    expect((await other.query('SELECT 10 AS n')).rows).toEqual([{ n: 10 }]);
  });
});
