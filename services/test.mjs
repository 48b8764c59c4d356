// The suites whose truth depends on the server, on the native ones. Arguments go on to jest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serviceUrls } from './urls.mjs';

const urls = serviceUrls();
if (!urls.ENGRAM_TEST_DATABASE_URL || !urls.ENGRAM_TEST_REDIS_URL) {
  console.error(
    'test:services needs Postgres and Redis. Run npm run services:up, or set ENGRAM_TEST_DATABASE_URL and ENGRAM_TEST_REDIS_URL.',
  );
  process.exit(1);
}
// A file named after the embedded database is about that database alone.
const suites = ['test/(storage|queue|concurrency)/', '--testPathIgnorePatterns=/(embedded|session-switch)[^/]*$'];
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest, ...suites, ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, ...urls }, cwd: fileURLToPath(new URL('..', import.meta.url)) },
);
process.exitCode = status ?? 1;
