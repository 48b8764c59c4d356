import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name).sort();

describe('docs/events.md', () => {
  const page = read('docs/events.md');
  /** First cells of the rows of the table that begins with this heading. */
  const rows = (heading: string): string[] =>
    page
      .split('\n\n')
      .filter((block) => new RegExp(`^\\| ${heading} `).test(block))
      .flatMap((block) => matches(block, /^\| `([a-z_.-]+)`/gm))
      .sort();

  it('lists the events that there are, each once', () => {
    const map = matches(read('src/events/event-map.ts'), /^ {2}'([a-z.-]+)':/gm);
    expect(map.length).toBeGreaterThan(20);
    expect(rows('event')).toEqual(map);
  });

  it('names every field of their payloads', () => {
    for (const field of matches(read('src/events/event-map.ts'), /^ +readonly (\w+)\??:/gm))
      expect(page).toContain(`\`${field}\``);
  });

  it('lists the metrics that there are, each once', () => {
    const created = matches(read('src/events/telemetry/open-telemetry-metrics.ts'), /meter\.create\w+\(\s*'([^']+)'/g);
    expect(created).toHaveLength(10);
    expect(rows('metric')).toEqual(created);
  });
});
