import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, 'telemetry-process.ts');
const without = join(import.meta.dirname, 'without-open-telemetry.mjs');

// Real: a Node process of its own, where the package can or cannot be resolved.
describe('an app', () => {
  it.each([
    ['without OpenTelemetry', ['--import', without], false],
    ['with its API and no SDK', [], true],
  ])(
    '%s remembers and recalls, and says nothing of it',
    async (_, flags, api) => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, '--import', 'tsx', program]);
      expect(JSON.parse(stdout)).toEqual({
        found: 1,
        events: ['engram.embed', 'memory.added', 'engram.add', 'engram.embed', 'engram.recall'],
        api,
      });
      expect(stderr).toBe('');
    },
    600_000,
  );
});
