// The suites of the memory page, in a real browser: Debian's Chromium, installed where it is missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { runJest } from './jest.mjs';

function onPath() {
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}

function fail(message) {
  console.error(`test:browser: ${message}`);
  process.exit(1);
}

function apt(...args) {
  const { status, stderr } = spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) fail(`apt-get ${args[0]} failed:\n${stderr}`);
}

function install() {
  if (process.getuid?.() !== 0 || spawnSync('sh', ['-c', 'command -v apt-get']).status !== 0) {
    fail('Chromium is missing. Run once: sudo apt-get install chromium, or set CHROMIUM_PATH to a Chromium of yours.');
  }
  console.log('test:browser: installing chromium');
  apt('update');
  apt('install', '--yes', '--no-install-recommends', 'chromium');
  return onPath();
}

const given = process.env.CHROMIUM_PATH;
if (given !== undefined && !existsSync(given)) fail(`CHROMIUM_PATH is ${given}, and there is nothing.`);
const chromium = given ?? onPath() ?? install();
const suites = process.argv.slice(2);
runJest(suites.length > 0 ? suites : ['test/browser/'], { CHROMIUM_PATH: chromium });
