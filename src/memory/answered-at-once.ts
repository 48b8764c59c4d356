import { InvalidOptionsError } from '../errors/invalid-options-error.js';

/**
 * What a function of the host answered, which nobody waits for.
 * @param rule what it has to return, as a sentence without its end
 * @throws InvalidOptionsError for a promise: it is always true, and where it rejects, the process would end
 */
export function answeredAtOnce<T>(answer: T, option: string, rule: string): T {
  if (typeof answer !== 'object' || answer === null || !('then' in answer)) return answer;
  Promise.resolve(answer).catch(() => undefined);
  throw new InvalidOptionsError(option, `${rule} at once, and it returned a promise.`);
}
