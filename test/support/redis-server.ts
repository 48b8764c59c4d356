import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

/** How to run it: as installed, or from the Debian that `services:up` built in a folder. Null where there is none. */
function command(): readonly string[] | null {
  if (spawnSync('redis-server', ['--version']).status === 0) return ['redis-server'];
  const { ENGRAM_SERVICES_DIR, XDG_CACHE_HOME } = process.env;
  const folder = ENGRAM_SERVICES_DIR ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'nestjs-engram', 'services');
  try {
    const [provider, system = '/'] = readFileSync(join(folder, 'provider'), 'utf8').trim().split(' ');
    if (provider !== 'debian' || process.getuid?.() !== 0) return null;
    return ['chroot', system, 'redis-server'];
  } catch {
    return null;
  }
}

const run = command();

export const hasRedisServer = run !== null;

/** A Redis of one's own, to be killed and started again on its port. Keeps nothing. */
export class RedisServer {
  private child: ChildProcess | null = null;

  private constructor(private readonly port: number) {}

  /** Chooses the port; nothing listens on it yet. */
  static async prepare(): Promise<RedisServer> {
    return new RedisServer(await freePort());
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const [program = '', ...args] = run ?? [];
    this.child = spawn(
      program,
      [...args, '--bind', '127.0.0.1', '--port', String(this.port), '--save', '', '--appendonly', 'no'],
      { stdio: 'ignore' },
    );
    await this.use(async (redis) => void (await redis.ping()));
  }

  /** Runs commands on a connection that waits for the server. */
  async use(work: (redis: Redis) => Promise<void>): Promise<void> {
    const redis = new Redis(this.url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    try {
      await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    await sleep(10);
  }
}
