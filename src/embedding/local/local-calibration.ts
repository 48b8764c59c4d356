import type { EmbedderCalibration } from '../embedder.js';

/** Measured by `npm run eval` (persona set and half of LoCoMo); see the curve that it prints. */
export const LOCAL_CALIBRATION: EmbedderCalibration = {
  maxDistance: 0.78,
  minCoverage: 0.3,
  minScore: null,
  denseWeight: 0.5,
};
