import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { StorageError } from '../../errors/storage-error.js';

/** Major version of the Postgres inside PGlite 0.5; a folder of another one cannot be opened. */
export const POSTGRES_MAJOR = '18';

const CLUSTER = 'postgres';
const UNFINISHED = 'postgres.unfinished';

/**
 * The folder, absolute, made where it is missing (0700: whoever can open the socket is superuser).
 *
 * @throws InvalidOptionsError for none: a blank one would mean the working directory
 * @throws StorageError when it cannot be written
 */
export function openFolder(dataDir: string): string {
  if (typeof dataDir !== 'string' || dataDir.trim() === '') {
    throw new InvalidOptionsError('storage', "Option storage: dataDir is blank. Name a folder, as '.engram'.");
  }
  const folder = resolve(dataDir);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StorageError(
      `The data folder ${folder} cannot be written (${code ?? 'unknown reason'}). Give this user the right, or choose another folder.`,
    );
  }
}

export interface Cluster {
  /** Postgres' own data folder, inside ours. */
  readonly cluster: string;
  /** Made just now. */
  readonly created: boolean;
}

/**
 * The cluster in the folder, created on first use. Creation happens beside the final place and ends with a rename, so
 * that one which was killed half way is started over.
 *
 * @throws StorageError for a folder of something else, or of another Postgres version
 */
export async function openCluster(folder: string): Promise<Cluster> {
  const cluster = join(folder, CLUSTER);
  if (!existsSync(cluster)) {
    await createCluster(folder, cluster);
    return { cluster, created: true };
  }
  const version = existsSync(join(cluster, 'PG_VERSION'))
    ? readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
    : null;
  if (version === null) {
    throw new StorageError(
      `${cluster} is not a database of nestjs-engram: it has no PG_VERSION. Choose another data folder, or move that one away.`,
    );
  }
  if (version !== POSTGRES_MAJOR) {
    throw new StorageError(
      `The database in ${cluster} is of Postgres ${version}, this release reads ${POSTGRES_MAJOR}. Export it with the release that made it, or choose another data folder.`,
    );
  }
  return { cluster, created: false };
}

async function createCluster(folder: string, cluster: string): Promise<void> {
  removeUnfinished(folder);
  // A name of its own: the child of a start that was killed may still write into the folder it was given.
  const unfinished = mkdtempSync(join(folder, `${UNFINISHED}-`));
  const script = fileURLToPath(new URL('./create-cluster.mjs', import.meta.url));
  try {
    await promisify(execFile)(process.execPath, [script, unfinished], { env: childEnvironment() });
    renameSync(unfinished, cluster);
  } catch (error) {
    const files = existsSync(unfinished) ? readdirSync(unfinished).length : 0;
    rmSync(unfinished, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new StorageError(
      `No database could be created in ${folder} (${code ?? 'the child process failed'}, ${files} files made). Check free space (60 MB) and memory (600 MB), then start again.`,
      { cause: error },
    );
  }
}

/** What killed starts left. The child of one may still be writing; its folder is then left to the next creation. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

/** Without the flags of this process: a debugger's port or a loader would reach the child too. */
function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  return environment;
}
