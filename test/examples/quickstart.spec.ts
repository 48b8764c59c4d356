import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../server/app-process.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/quickstart.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

describe('the quickstart example', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  /** What it prints; again where it printed no memory: on a busy machine the model may take longer than a recall waits. */
  const run = async (tries = 5): Promise<string> => {
    const { PATH = '', HOME = '' } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', TSX, EXAMPLE], {
      cwd: folder.path,
      env: { PATH, HOME, TSX_TSCONFIG_PATH: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)) },
    });
    return stdout.includes('</engram-memory>') || tries === 1 ? stdout : run(tries - 1);
  };

  it('puts what was said into the prompt, and only what matters to the question', async () => {
    const stdout = await run();
    expect(stdout).toContain('Is vegetarian</engram-memory>');
    expect(stdout).toContain('You are a helpful assistant.');
    expect(stdout).not.toContain('Fly.io');
  });

  it('remembers once what it is told twice', async () => {
    expect((await run()).match(/Is vegetarian/g)).toHaveLength(1);
  });

  it('is the first example of the README, word for word', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    expect(/```ts\n([\s\S]*?)```/.exec(readme)?.[1]).toBe(await readFile(EXAMPLE, 'utf8'));
  });

  it('stays the length of a README example', async () => {
    const lines = (await readFile(EXAMPLE, 'utf8')).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(22);
  });
});
