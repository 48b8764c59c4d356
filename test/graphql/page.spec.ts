import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);
const EXAMPLE = /(?:<!-- (\S+) -->\n\n)?```ts\n([\s\S]*?)```/g;

/** How far a line is indented is the page's. */
function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

const page = await readFile(new URL('docs/graphql.md', ROOT), 'utf8');
const examples = [...page.matchAll(EXAMPLE)].map(([, file, code = '']) => ({ file, code }));

describe('docs/graphql.md', () => {
  it('names the file of each example', () => {
    expect(examples.length).toBeGreaterThan(5);
    expect(examples.filter(({ file }) => file === undefined)).toEqual([]);
  });

  it.each(examples)('shows what runs in $file', async ({ file = '', code }) => {
    const source = lines(await readFile(new URL(file, ROOT), 'utf8'));
    for (const part of code.split(/^\s*\/\/ \.\.\.$/m)) expect(source).toContain(lines(part));
  });
});
