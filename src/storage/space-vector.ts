import { ProviderError } from '../errors/provider-error.js';
import type { SpaceVector } from './memory-store.js';

/** From here on a number rounds to infinity in float16: half a step past the largest one, 65504 (IEEE 754 binary16). */
const OVERFLOW = 65_520;
/** Up to here a number rounds to zero in float16: half of the smallest subnormal, 2^-24. */
const UNDERFLOW = 2 ** -25;

/**
 * Checks a vector as it will be after rounding to float16, because one wrong row would break every distance in its scope.
 *
 * @throws ProviderError `malformed` for a wrong count, a number that is not finite, or a vector of length zero
 */
export function checkSpaceVector({ space, values }: SpaceVector): void {
  const dimensions = Number(/[0-9]+$/.exec(space)?.[0]);
  if (values.length !== dimensions) {
    throw malformed(space, `has ${values.length} numbers where the space says ${dimensions}`);
  }
  let zero = true;
  for (const value of values) {
    // Typed as a number, but another's data: `Math.abs(null)` is 0, and a database has no such number.
    const size = typeof value === 'number' ? Math.abs(value) : Number.NaN;
    // Not `>=`: NaN compares false with everything.
    if (!(size < OVERFLOW)) throw malformed(space, 'holds a number that is not finite in float16');
    if (size > UNDERFLOW) zero = false;
  }
  if (zero) throw malformed(space, 'is zero after rounding to float16, so it has no direction');
}

function malformed(space: string, fault: string): ProviderError {
  return new ProviderError(
    space,
    'malformed',
    false,
    `A vector of ${space} ${fault}. Check the embedder's model and dimensions; nothing was stored.`,
  );
}
