import { EngramError } from './engram-error.js';

/** A module option is missing or wrong. Thrown at boot; the message names the option and the way out. */
export class InvalidOptionsError extends EngramError {
  readonly code = 'INVALID_OPTIONS';

  constructor(
    readonly option: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
