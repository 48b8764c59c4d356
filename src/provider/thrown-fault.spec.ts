import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { ProviderError } from '../errors/provider-error.js';
import { thrownFault } from './thrown-fault.js';

const SAID = 'my very private words';
const withFields = (fields: object): Error => Object.assign(new Error(SAID), fields);

describe('what an adapter throws', () => {
  it.each([
    new ProviderError('other', 'quota', false, 'empty'),
    new InvalidInputError('texts[0]', 'Text 0 is blank. Leave it out.'),
  ])('stays as it is where it is ours', (error) => {
    expect(thrownFault('p', error)).toBe(error);
  });

  it.each([
    ['an error', new Error(SAID), 'unknown', true],
    ['undefined', undefined, 'unknown', true],
    ['null', null, 'unknown', true],
    ['a text', SAID, 'unknown', true],
    ['an object', { message: SAID }, 'unknown', true],
    ['a programming error with a code', withFields({ code: 'ERR_INVALID_ARG_TYPE' }), 'unknown', true],
    ['a bad request', withFields({ status: 400 }), 'unknown', true],
    ['a 401', withFields({ status: 401 }), 'unauthorized', false],
    ['a 402', withFields({ statusCode: 402 }), 'quota', false],
    ['a 404', withFields({ status: 404 }), 'misconfigured', false],
    ['a 408', withFields({ status: 408 }), 'timeout', true],
    ['a 429', withFields({ statusCode: 429 }), 'rate-limited', true],
    ['a 503', withFields({ status: 503 }), 'unavailable', true],
    ['a refused connection', withFields({ code: 'ECONNREFUSED' }), 'unavailable', true],
    [
      "fetch's own",
      new TypeError('fetch failed', { cause: withFields({ code: 'UND_ERR_SOCKET' }) }),
      'unavailable',
      true,
    ],
    ['a connection time-out', withFields({ cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } }), 'timeout', true],
    ['an abort by its own clock', new DOMException(SAID, 'TimeoutError'), 'timeout', true],
    ['a circle of causes', circle(), 'unknown', true],
  ])('is %s, told by its class and in no words of its own', (_, thrown, fault, retryable) => {
    const error = thrownFault('p', thrown);
    expect(error).toMatchObject({ code: 'PROVIDER_FAILED', provider: 'p', fault, retryable });
    expect(inspect(error, { depth: 9 })).not.toContain('private');
  });

  it('names the class of an error that says nothing else, but not one that was set by hand', () => {
    expect(thrownFault('p', new RangeError(SAID)).message).toContain('RangeError');
    expect(thrownFault('p', withFields({ name: SAID })).message).not.toContain('private');
  });
});

function circle(): Error {
  const error = new Error(SAID);
  error.cause = error;
  return error;
}
