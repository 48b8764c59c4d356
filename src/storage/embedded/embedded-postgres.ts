import { mkdtempSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StorageError } from '../../errors/storage-error.js';
import { openCluster, openFolder } from './data-folder.js';
import { lockFolder } from './folder-lock.js';

export interface EmbeddedPostgresOptions {
  /** Folder of the database; made where it is missing. One process at a time. */
  readonly dataDir: string;
  /** Connections that are let in; above the pool's size. @default 100 */
  readonly maxConnections?: number;
  /** Milliseconds after which a transaction that does nothing is rolled back and its connection closed. @default 30000 */
  readonly idleInTransactionMs?: number;
  /** Milliseconds that a statement waits for its turn before it fails with SQLSTATE 55P03. @default 20000 */
  readonly turnTimeoutMs?: number;
}

/** Where it listens, as `pg` and `createPostgresDataSource` take it. */
export interface EmbeddedConnection {
  /** Folder of a unix socket (0700), or the loopback address on Windows. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

interface DatabaseThread {
  readonly worker: Worker;
  /** TCP port, null on a unix socket. */
  readonly port: number | null;
  /** Resolves when the thread is gone, for whatever reason. */
  readonly ended: Promise<void>;
}

/** Only part of a socket's name; nothing listens on TCP. */
const SOCKET_PORT = 5432;
const SOCKET_FOLDER_NOTE = 'socket-folder';
const SOCKET_FOLDER_PREFIX = 'engram-';

/**
 * Postgres with pgvector inside this process (PGlite, in a worker thread), spoken to by the ordinary driver. All clients
 * share one backend session, in turn: no named statements, no `SET` without `LOCAL`, no session locks, no LISTEN, and
 * never a second connection inside a transaction.
 */
export class EmbeddedPostgres {
  private stopping: Promise<void> | null = null;

  private constructor(
    readonly connection: EmbeddedConnection,
    private readonly thread: DatabaseThread,
    private readonly giveBack: () => Promise<void>,
  ) {}

  /**
   * Opens the folder's database, creating it at the first start.
   *
   * @throws InvalidOptionsError without a folder
   * @throws UnavailableError when another process has the folder
   * @throws StorageError when the folder cannot be written, or holds something that cannot be opened
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const folder = openFolder(options.dataDir);
    const unlock = await lockFolder(folder);
    try {
      const { cluster, created } = await openCluster(folder);
      const socketFolder = makeSocketFolder(folder);
      const giveBack = async (): Promise<void> => {
        removeSocketFolder(folder);
        await unlock();
      };
      const thread = await serve({ cluster, created }, socketFolder, options).catch((error: unknown) => {
        removeSocketFolder(folder);
        throw new StorageError(
          `The database in ${cluster} cannot be opened. If the folder was damaged, restore a copy of it, or choose another data folder.`,
          { cause: error },
        );
      });
      return new EmbeddedPostgres(connectionOf(socketFolder, thread.port), thread, giveBack);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /**
   * A database in memory, loaded from a dump of PGlite, for tests: nothing is written, nothing survives.
   *
   * @param dump what `dumpDataDir` of the same PGlite version gave
   */
  static async fromDump(
    dump: Uint8Array,
    options: Omit<EmbeddedPostgresOptions, 'dataDir'> = {},
  ): Promise<EmbeddedPostgres> {
    const socketFolder = process.platform === 'win32' ? null : mkdtempSync(join(tmpdir(), SOCKET_FOLDER_PREFIX));
    const thread = await serve({ dump }, socketFolder, options);
    return new EmbeddedPostgres(connectionOf(socketFolder, thread.port), thread, () => {
      if (socketFolder) rmSync(socketFolder, { recursive: true, force: true });
      return Promise.resolve();
    });
  }

  /** Ends what runs, closes the database and gives the folder back. Close the pools first. */
  stop(): Promise<void> {
    this.stopping ??= this.shutDown();
    return this.stopping;
  }

  private async shutDown(): Promise<void> {
    const { worker, ended } = this.thread;
    worker.ref();
    worker.postMessage('stop');
    await ended;
    await this.giveBack();
  }
}

function serve(
  source: { cluster: string; created: boolean } | { dump: Uint8Array },
  socketFolder: string | null,
  options: Omit<EmbeddedPostgresOptions, 'dataDir'>,
): Promise<DatabaseThread> {
  const worker = new Worker(new URL('./serve-cluster.mjs', import.meta.url), {
    name: 'engram-postgres',
    workerData: {
      ...source,
      listen: socketFolder ? { path: join(socketFolder, `.s.PGSQL.${SOCKET_PORT}`) } : { host: '127.0.0.1', port: 0 },
      maxConnections: options.maxConnections ?? 100,
      idleInTransactionMs: options.idleInTransactionMs ?? 30_000,
      turnTimeoutMs: options.turnTimeoutMs ?? 20_000,
    },
    execArgv: [],
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    void ended.then(() => reject(new Error('The database thread ended while it opened the database.')));
    worker.once('message', ({ port }: { port: number | null }) => {
      worker.off('error', reject);
      // A backend that breaks later closes its sockets: every statement then fails as unavailable.
      worker.on('error', () => undefined);
      // It shall not keep a process alive that has nothing else to do.
      worker.unref();
      resolve({ worker, port, ended });
    });
  });
}

function connectionOf(socketFolder: string | null, port: number | null): EmbeddedConnection {
  return {
    host: socketFolder ?? '127.0.0.1',
    port: socketFolder ? SOCKET_PORT : (port ?? 0),
    user: 'postgres',
    database: 'postgres',
  };
}

/**
 * A new 0700 folder with a short path: the path of a socket ends at 103 to 107 bytes, that of a data folder does not.
 * Noted in the data folder, so that the next start removes what a killed process left. Null on Windows.
 */
function makeSocketFolder(folder: string): string | null {
  removeSocketFolder(folder);
  if (process.platform === 'win32') return null;
  const socketFolder = mkdtempSync(join(tmpdir(), SOCKET_FOLDER_PREFIX));
  writeFileSync(join(folder, SOCKET_FOLDER_NOTE), socketFolder, { mode: 0o600 });
  return socketFolder;
}

function removeSocketFolder(folder: string): void {
  const note = join(folder, SOCKET_FOLDER_NOTE);
  if (!existsSync(note)) return;
  const socketFolder = readFileSync(note, 'utf8');
  // The note is a file that anyone with the folder may edit: only what we made is removed.
  if (dirname(socketFolder) === tmpdir() && basename(socketFolder).startsWith(SOCKET_FOLDER_PREFIX)) {
    rmSync(socketFolder, { recursive: true, force: true });
  }
  rmSync(note, { force: true });
}
