import { InvalidOptionsError } from '../errors/invalid-options-error.js';

/**
 * An option of a queue that is a whole number.
 * @param queue how a message names the queue
 * @throws InvalidOptionsError
 */
export function wholeOption(
  queue: string,
  option: string,
  value: number | undefined,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  if (value === undefined) return fallback;
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InvalidOptionsError(
      `queue.${option}`,
      `Option ${option} of the ${queue} must be a whole number from ${min} to ${max}. Leave it out for ${fallback}.`,
    );
  }
  return value;
}
