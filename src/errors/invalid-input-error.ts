import { EngramError } from './engram-error.js';

/** An argument is not of the form that the contract asks for. Nothing was stored. */
export class InvalidInputError extends EngramError {
  readonly code = 'INVALID_INPUT';

  /** @param field the argument at fault, in dot notation (`metadata.tags`) */
  constructor(
    readonly field: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
