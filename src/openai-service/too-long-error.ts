import { ProviderError } from '../errors/provider-error.js';

/** A request that was refused for its length: a shorter one may be taken. */
export class TooLongError extends ProviderError {}
