import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STORY } from './demo/story.js';

/** Runs one day to its end. Nothing but the data folder is carried from one day to the next. */
function live(args: readonly string[], dataDir: string): Promise<number> {
  const day = spawn(process.execPath, [fileURLToPath(new URL('./demo/day.js', import.meta.url)), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ENGRAM_DATA_DIR: dataDir },
  });
  return new Promise((resolve, reject) => {
    day.once('error', reject);
    day.once('exit', (code) => resolve(code ?? 1));
  });
}

// Ctrl-C reaches the day as well: it ends, and the folder is removed below.
process.on('SIGINT', () => undefined);

const dataDir = await mkdtemp(join(tmpdir(), 'engram-demo-'));
// With DATABASE_URL the data outlives the demo: a scope of its own keeps one run apart from the next.
const scope = `demo:${randomUUID()}`;
const today = new Date().toISOString();

console.log('An app is told something on day 1, is stopped, and answers with it on day 5.');
console.log('Each day is a process of its own; only the data folder stays.\n');
try {
  for (const { day } of STORY) {
    process.exitCode = await live([String(day), scope, today], dataDir);
    if (process.exitCode !== 0) break;
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
