import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Several spec files may ask at once, in several jest workers. */
const LOCK = join(ROOT, 'node_modules/.cache/engram-build.pid');

function files(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((file) => join(file.parentPath, file.name));
}

function isCurrent(): boolean {
  const main = join(ROOT, 'dist/server/main.js');
  return existsSync(main) && files('src').every((file) => statSync(file).mtimeMs < statSync(main).mtimeMs);
}

/**
 * As `nest build` does it, but over what is there: other processes may be running from it. Types are not what these
 * tests are about; the compiler writes its output whatever it thinks of them.
 */
function build(): void {
  const { stdout } = spawnSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: ROOT, encoding: 'utf8' });
  spawnSync('npm', ['run', 'build:web'], { cwd: ROOT });
  for (const asset of files('src').filter((path) => path.endsWith('.mjs'))) {
    cpSync(asset, asset.replace(join(ROOT, 'src'), join(ROOT, 'dist')));
  }
  if (!isCurrent()) throw new Error(`The app does not build:\n${stdout}`);
}

/** False where another process builds, however long that takes; a lock that a killed run has left is taken away. */
function takeLock(): boolean {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (isAbandoned()) rmSync(LOCK, { force: true });
    return false;
  }
}

function isAbandoned(): boolean {
  try {
    process.kill(Number(readFileSync(LOCK, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The path of a script of the built app, built first where the sources are newer. */
export async function builtScript(path: string): Promise<string> {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  while (!takeLock()) await sleep(200);
  try {
    if (!isCurrent()) build();
  } finally {
    rmSync(LOCK, { force: true });
  }
  return join(ROOT, 'dist', path);
}
