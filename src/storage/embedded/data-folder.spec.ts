import { describe, expect, it } from '@jest/globals';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { openFolder } from './data-folder.js';

describe('the data folder', () => {
  it.each([[''], ['  '], [undefined]])('takes no database into the working directory for the name %j', (dataDir) => {
    expect(() => openFolder(dataDir as string)).toThrow(InvalidOptionsError);
  });
});
