import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from './app-process.js';
import { builtScript } from './built-app.js';

const SLOW = 600_000;

/** What is printed from `start` up to the next blank line, without the label column. */
function passage(output: string, start: string): string[] {
  const lines = output.split('\n');
  const from = lines.findIndex((line) => line.includes(start));
  if (from === -1) throw new Error(`The demo does not say "${start}":\n${output}`);
  const length = lines.slice(from).findIndex((line) => line.trim() === '');
  return lines.slice(from, from + length);
}

function recalled(output: string, question: string): string[] {
  return passage(output, question).filter((line) => line.trim().startsWith('recalled'));
}

describe('the demo', () => {
  const temporary = temporaryFolder();
  let output: string;

  beforeAll(async () => {
    const { PATH = '', HOME = '' } = process.env;
    const ran = await promisify(execFile)(process.execPath, [await builtScript('server/demo.js')], {
      env: { PATH, HOME, TMPDIR: temporary.path },
    });
    output = ran.stdout;
    expect(ran.stderr).toBe('');
  }, SLOW);
  afterAll(() => temporary.remove());

  it('lives each day in a process of its own', () => {
    const processes = [...output.matchAll(/^Day (\d), \d{4}-\d\d-\d\d, process (\d+)$/gm)];
    expect(processes.map(([, day]) => day)).toEqual(['1', '5', '6']);
    expect(new Set(processes.map(([, , pid]) => pid)).size).toBe(3);
  });

  it('extracts and stores on day 1 what was said', () => {
    const stored = passage(output, "I'm on the Pro plan").concat(passage(output, 'I deploy on Fly.io')).join('\n');
    for (const word of ['Pro plan', 'short', 'Fly.io', 'vegetarian', 'Ledgerly']) {
      expect(stored).toMatch(new RegExp(`extracted .*${word}`));
      expect(stored).toMatch(new RegExp(`stored .*${word}`));
    }
  });

  it('recalls on day 5 the fact that each question is about', () => {
    expect(recalled(output, 'Which hosting provider')[0]).toContain('Fly.io');
    expect(recalled(output, 'What should I cook')[0]).toContain('egetarian');
    expect(recalled(output, 'rate limited').slice(0, 3).join('\n')).toContain('Pro plan');
    expect(passage(output, 'What should I cook').join('\n')).toMatch(
      /<engram-memories>[\s\S]*vegetarian[\s\S]*<\/engram-memories>/,
    );
  });

  it('shows a score between 0 and 1 with each', () => {
    const scores = [...output.matchAll(/recalled +(\d\.\d\d) /g)].map(([, score]) => Number(score));
    expect(scores.length).toBeGreaterThan(3);
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  });

  it.each(['What is the capital of France?', 'hi there'])('recalls nothing for %j', (question) => {
    expect(recalled(output, question)).toEqual([expect.stringMatching(/recalled +nothing$/)]);
  });

  it('updates the plan on day 6 instead of adding one beside it', () => {
    const switched = passage(output, 'I switched from the Pro plan').join('\n');
    expect(switched).toMatch(/updated +.*Pro plan {2}-> {2}.*Enterprise.*version 2/);
    expect(switched).not.toContain('stored');
  });

  it('leaves no folder behind', () => {
    expect(readdirSync(temporary.path)).toEqual([]);
  });
});
