import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** EIO as Emscripten numbers it. */
const EIO = 29;

/**
 * PGlite starts Postgres with `-F`, that is without fsync: a committed row then survives the end of the process, but not
 * a power cut. These are its parameters with fsync, by the one method that Emscripten does not leave out.
 */
export function durableStartParams(defaults) {
  return [...defaults.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/** Hands Postgres' fsync through to the disk: Emscripten's file system for Node answers it without doing anything. */
export function makeFsyncReal({ FS }) {
  const { NODEFS } = FS.filesystems;
  NODEFS.stream_ops.fsync = (stream) => {
    try {
      if (stream.nfd !== undefined) fsyncSync(stream.nfd);
      else syncFolder(NODEFS.realPath(stream.node));
      return 0;
    } catch {
      // Postgres knows what to do about a disk that fails, in its own terms.
      throw new FS.ErrnoError(EIO);
    }
  };
}

/**
 * Brings a folder that was just written to the disk, with all that is in it: some thousand files, so it goes on beside
 * the work. What Postgres removed meanwhile is passed over.
 */
export async function syncTree(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  syncFolder(folder);
}

async function syncFile(path) {
  try {
    const file = await open(path, 'r+');
    await file.sync().finally(() => file.close());
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** Windows has no fsync of a folder, and needs none. */
function syncFolder(path) {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
