import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';

/** Debian's package puts it where only root looks. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env: { PATH } }).status === 0;

export interface PgBouncer {
  /** The same database, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A pooler in transaction mode before one database: a connection of the server is a client's for one transaction only. */
export async function startPgBouncer(database: string, { poolSize }: { poolSize: number }): Promise<PgBouncer> {
  const target = new URL(database);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'engram-pgbouncer-'));
  const config = join(folder, 'pgbouncer.ini');
  const quoted = (text: string): string => `'${decodeURIComponent(text).replaceAll("'", "''")}'`;
  writeFileSync(
    config,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${quoted(target.username)} password=${quoted(target.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
`,
    { mode: 0o600 },
  );
  // It refuses to run as root.
  const account: string[] = [];
  if (process.getuid?.() === 0) {
    const nobody = 65_534;
    for (const path of [folder, config]) chownSync(path, nobody, nobody);
    account.push('--user=nobody');
  }
  const pooler = spawn('pgbouncer', ['--quiet', ...account, config], { env: { PATH }, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => pooler.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    pooler.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  };
  for (let tries = 0; !(await listens(port)); tries += 1) {
    if (tries === 1_200 || pooler.exitCode !== null) {
      await stop();
      throw new Error('pgbouncer did not start listening.');
    }
    await sleep(50);
  }
  target.host = `127.0.0.1:${port}`;
  return { url: target.href, stop };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
