import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { StorageError } from '../../src/errors/storage-error.js';
import { UnavailableError } from '../../src/errors/unavailable-error.js';
import { EmbeddedPostgres } from '../../src/storage/embedded/index.js';

const countingProcess = join(import.meta.dirname, '../support/counting-process.ts');

// Processes and whole databases are started here: slow on a busy machine, and time is not what is tested.
jest.setTimeout(600_000);

describe('the data folder of the embedded database', () => {
  let root: string;
  let created: string;
  let folders = 0;
  const open: EmbeddedPostgres[] = [];
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'engram-folder-test-'));
    created = join(root, 'created');
    // As a creation that was killed half way leaves it.
    mkdirSync(join(created, 'postgres.unfinished', 'base'), { recursive: true });
    writeFileSync(join(created, 'postgres.unfinished', 'PG_VERSION'), '18\n');
    await (await EmbeddedPostgres.start({ dataDir: created })).stop();
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const postgres of open.splice(0)) await postgres.stop();
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function copyOfCreated(name = `copy-${(folders += 1)}`): string {
    const folder = join(root, name);
    cpSync(created, folder, { recursive: true });
    return folder;
  }

  async function start(dataDir: string): Promise<EmbeddedPostgres> {
    const postgres = await EmbeddedPostgres.start({ dataDir });
    open.push(postgres);
    return postgres;
  }

  async function ask<Row>(postgres: EmbeddedPostgres, sql: string): Promise<Row[]> {
    const client = new Client(postgres.connection);
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** Lines that a counting process writes. */
  function count(dataDir: string): { child: ChildProcess; lines: AsyncIterableIterator<string> } {
    const child = spawn(process.execPath, ['--import', 'tsx', countingProcess, dataDir], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  }

  it('keeps what was stored over a stop and a start, and is its owner’s alone', async () => {
    const folder = copyOfCreated();
    const first = await start(folder);
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS n');
    await first.stop();
    const second = await start(folder);
    expect(await ask(second, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    expect(statSync(second.connection.host).mode & 0o777).toBe(0o700);
    await second.stop();
    expect(existsSync(second.connection.host)).toBe(false);
  });

  it('may lie deeper than the path of a socket may be long', async () => {
    const folder = copyOfCreated(join('deep'.padEnd(80, 'x'), 'deeper'.padEnd(80, 'y')));
    expect(await ask(await start(folder), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('can be left and taken again after the database thread died', async () => {
    const folder = copyOfCreated();
    const postgres = await start(folder);
    const { worker } = Reflect.get(postgres, 'thread') as { worker: { terminate(): Promise<number> } };
    await worker.terminate();
    await expect(ask(postgres, 'SELECT 1 AS n')).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    await postgres.stop();
    expect(await ask(await start(folder), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('has one owner in a process', async () => {
    const folder = copyOfCreated();
    await start(folder);
    await expect(EmbeddedPostgres.start({ dataDir: folder })).rejects.toThrow(UnavailableError);
    await expect(EmbeddedPostgres.start({ dataDir: `${folder}/../${folder.split('/').at(-1) ?? ''}` })).rejects.toThrow(
      /in use by another process/,
    );
  });

  it('has one owner among processes: the second stops with a message, the first goes on', async () => {
    const folder = copyOfCreated();
    const first = await start(folder);
    const { child, lines } = count(folder);
    const exit = new Promise((resolve) => child.once('exit', resolve));
    expect((await lines.next()).value).toMatch(/^UnavailableError: The data folder .* is in use by another process/);
    expect(await exit).toBe(1);
    expect(await ask(first, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('writes through to the disk: a power cut is no excuse', async () => {
    const postgres = await start(copyOfCreated());
    expect(await ask(postgres, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(await ask(postgres, 'SHOW wal_sync_method')).toEqual([{ wal_sync_method: 'fsync' }]);
    expect(await ask(postgres, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('loses no committed row to SIGKILL, and is free at once for the next process', async () => {
    const folder = copyOfCreated();
    let last = 0;
    for (const commits of [1, 40]) {
      const { child, lines } = count(folder);
      const gone = new Promise((resolve) => child.once('exit', resolve));
      for (let n = 0; n < commits; n += 1) last = Number((await lines.next()).value);
      child.kill('SIGKILL');
      await gone;
      const postgres = await start(folder);
      const [row] = await ask<{ rows: number; last: number }>(
        postgres,
        'SELECT count(*)::int AS rows, max(n) AS last FROM counted',
      );
      expect(row?.rows).toBe(row?.last);
      expect(row?.last).toBeGreaterThanOrEqual(last);
      await postgres.stop();
    }
  });

  it('is started over where its creation was cut off', async () => {
    expect(existsSync(join(created, 'postgres.unfinished'))).toBe(false);
    expect(await ask(await start(copyOfCreated()), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('of another Postgres version, or of something else, is refused and left as it was', async () => {
    const older = copyOfCreated();
    writeFileSync(join(older, 'postgres', 'PG_VERSION'), '16\n');
    await expect(start(older)).rejects.toThrow(/is of Postgres 16, this release reads 18/);
    expect(readFileSync(join(older, 'postgres', 'PG_VERSION'), 'utf8')).toBe('16\n');

    const foreign = join(root, 'foreign');
    mkdirSync(join(foreign, 'postgres'), { recursive: true });
    writeFileSync(join(foreign, 'postgres', 'notes.txt'), 'mine');
    await expect(start(foreign)).rejects.toThrow(/is not a database of nestjs-engram/);
    expect(readFileSync(join(foreign, 'postgres', 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('that is damaged is refused with one message, and free again', async () => {
    const folder = copyOfCreated();
    writeFileSync(join(folder, 'postgres', 'global', 'pg_control'), 'garbage');
    await expect(start(folder)).rejects.toThrow(StorageError);
    await expect(start(folder)).rejects.toThrow(/cannot be opened/);
  });

  it('that cannot be written is refused with its name', async () => {
    const file = join(root, 'a-file');
    writeFileSync(file, '');
    await expect(start(join(file, 'data'))).rejects.toThrow(/cannot be written \(ENOTDIR\)/);
  });
});
