// Runs jest as `npm test` does, with more in its environment.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Ends this process with jest's exit code. */
export function runJest(args, environment) {
  const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
  const { status } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest, ...args],
    { stdio: 'inherit', env: { ...process.env, ...environment }, cwd: fileURLToPath(new URL('..', import.meta.url)) },
  );
  process.exitCode = status ?? 1;
}
