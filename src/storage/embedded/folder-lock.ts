import { constants, openSync, closeSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { UnavailableError } from '../../errors/unavailable-error.js';

/** Open flag of macOS and the BSDs, which Node does not name: an advisory lock that ends with its process. */
const O_EXLOCK = 0x20;

const LOCK_FILE = 'owner.lock';
const LOCK_SOCKET = 'owner.sock';

/**
 * Makes this process the one owner of a data folder, by means that the operating system takes back when the process
 * ends, however it ends: two processes on one folder lose committed rows without an error.
 *
 * Linux: a socket in the abstract namespace, named after the folder's device and inode, is taken atomically and leaves
 * nothing behind. Containers do not share that namespace but may share the folder, so a socket inside the folder says
 * there whether its owner lives. Windows: a named pipe. Elsewhere: a lock on a file.
 *
 * @returns gives the folder back
 * @throws UnavailableError when another process has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = `nestjs-engram-${dev}-${ino}`;
  if (process.platform === 'linux') return lockBySockets(folder, `\0${name}`);
  if (process.platform === 'win32') {
    const pipe = await listenOrInUse(`\\\\.\\pipe\\${name}`, folder);
    return () => close(pipe);
  }
  return lockByFile(folder);
}

async function lockBySockets(folder: string, abstractName: string): Promise<() => Promise<void>> {
  const owner = await listenOrInUse(abstractName, folder);
  // By way of the folder's descriptor: a path of a socket ends at 107 bytes, a data folder's path does not.
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const path = `/proc/self/fd/${descriptor}/${LOCK_SOCKET}`;
  try {
    if (await answers(path)) throw inUse(folder);
    rmSync(join(folder, LOCK_SOCKET), { force: true });
    const sign = await listenOrInUse(path, folder);
    return async () => {
      await close(sign);
      closeSync(descriptor);
      await close(owner);
    };
  } catch (error) {
    closeSync(descriptor);
    await close(owner);
    throw error;
  }
}

function lockByFile(folder: string): () => Promise<void> {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK;
    const descriptor = openSync(join(folder, LOCK_FILE), flags, 0o600);
    return () => {
      closeSync(descriptor);
      return Promise.resolve();
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') throw inUse(folder);
    throw error;
  }
}

function listenOrInUse(path: string, folder: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' || error.code === 'EACCES' ? inUse(folder) : error);
    });
    // Exclusive: in a cluster each worker would otherwise share the primary's handle.
    server.listen({ path, exclusive: true }, () => resolve(server.unref()));
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function inUse(folder: string): UnavailableError {
  return new UnavailableError(
    `The data folder ${folder} is in use by another process. Stop that one, choose another folder, or let both use one Postgres server.`,
  );
}
