import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Puts the compared packages into this folder, by its own lockfile, where they are missing. */
export function installBaselines(progress: (text: string) => void): void {
  if (existsSync(`${FOLDER}node_modules/mem0ai`)) return;
  progress('installing the compared packages into bench/baselines');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('The compared packages could not be installed. Is the package registry in reach?');
}

/** A module of theirs. Not known to the compiler: they are no dependency of this package. */
export async function baselineModule<Module>(specifier: string): Promise<Module> {
  const path = createRequire(`${FOLDER}package.json`).resolve(specifier);
  return (await import(pathToFileURL(path).href)) as Module;
}

export function baselineVersions(): string[] {
  const { packages } = createRequire(import.meta.url)('./package-lock.json') as {
    packages: Record<string, { version?: string }>;
  };
  return ['mem0ai', '@langchain/langgraph-checkpoint-postgres'].map(
    (name) => `${name} ${packages[`node_modules/${name}`]?.version ?? '?'}`,
  );
}
