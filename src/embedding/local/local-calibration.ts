import type { EmbedderCalibration } from '../embedder.js';

/**
 * Measured by `npm run eval`, which prints the curve that `maxDistance` was read from: the last point at which 9 of 10
 * negatives of each sort are silent. `minScore` lets in what has some words and some meaning in common.
 * `denseWeight` is the best of one half of LoCoMo's conversations, on turns and on facts alike (0.4 and 0.6 lose 0.3).
 */
export const LOCAL_CALIBRATION: EmbedderCalibration = {
  maxDistance: 0.665,
  minCoverage: 0.3,
  minScore: 0.25,
  denseWeight: 0.5,
};
