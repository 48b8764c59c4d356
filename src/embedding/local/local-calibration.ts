import type { EmbedderCalibration } from '../embedder.js';

/**
 * Measured by `npm run eval`, which prints the curve that `maxDistance` was read from: past 0.665, more than one in ten
 * questions about what the person never told is answered with something. `minCoverage` lets in what shares a rare word,
 * `minScore` what has some words and some meaning in common. `denseWeight` is the best of one half of LoCoMo's
 * conversations on turns, and within 0.3 points of the best on facts; see `docs/decisions/local-embedder.md`.
 */
export const LOCAL_CALIBRATION: EmbedderCalibration = {
  maxDistance: 0.665,
  minCoverage: 0.3,
  minScore: 0.25,
  denseWeight: 0.5,
};
