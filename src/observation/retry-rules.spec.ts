import { describe, expect, it } from '@jest/globals';
import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';
import { judgeFailure, OPERATOR_TRIES } from './retry-rules.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LIMITS = { maxFailures: 5, retryDelayMs: 2 * SECOND };

interface Turn {
  failures: number;
  errorCode: string | null;
}

const fresh: Turn = { failures: 0, errorCode: null };
const fault = (name: ProviderFault, retryAfterMs?: number, retryable = true): ProviderError =>
  new ProviderError('p', name, retryable, 'It fails.', retryAfterMs === undefined ? {} : { retryAfterMs });
const quota = (): ProviderError => fault('quota', undefined, false);
const after = (name: ProviderFault, failures: number): Turn => ({ failures, errorCode: `PROVIDER_FAILED:${name}` });

/** A turn that fails in one way until it is dead: its tries, and the waits between them. */
function life(error: unknown, limits = LIMITS): { tries: number; waits: number[] } {
  const waits: number[] = [];
  let turn = fresh;
  for (let tries = 1; tries <= 1_000; tries += 1) {
    const { dead, failures, delayMs } = judgeFailure(limits, [turn], error);
    if (dead) return { tries, waits };
    waits.push(delayMs);
    const errorCode = error instanceof ProviderError ? `PROVIDER_FAILED:${error.fault}` : 'INTERNAL';
    turn = { failures, errorCode };
  }
  throw new Error('it never dies');
}

describe('a turn that fails', () => {
  it.each([fault('timeout'), fault('rate-limited'), fault('malformed'), new Error('of the app')])(
    'waits twice as long each time, spread, and is dead after maxFailures: %s',
    (error) => {
      const { tries, waits } = life(error);
      expect(tries).toBe(5);
      for (const [n, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(1 * SECOND * 2 ** n);
        expect(wait).toBeLessThanOrEqual(2 * SECOND * 2 ** n);
      }
      expect(new Set(Array.from({ length: 20 }, () => judgeFailure(LIMITS, [fresh], error).delayMs)).size).toBe(20);
    },
  );

  it('never waits longer than ten minutes of its own accord', () => {
    const { waits } = life(fault('timeout'), { maxFailures: 100, retryDelayMs: 2 * SECOND });
    expect(Math.max(...waits)).toBeLessThanOrEqual(10 * MINUTE);
    expect(Math.min(...waits.slice(-50))).toBeGreaterThanOrEqual(5 * MINUTE);
  });

  it('is dead at once where trying again cannot help', () => {
    expect(judgeFailure(LIMITS, [fresh], fault('refused', undefined, false)).dead).toBe(true);
    expect(judgeFailure(LIMITS, [fresh], fault('refused')).dead).toBe(false);
  });

  it.each([
    [90 * SECOND, 90 * SECOND],
    [2 * HOUR, 2 * HOUR],
    [1_000 * HOUR, 24 * HOUR],
    [NaN, 0],
    [-1, 0],
  ])('comes back after what the provider asked for (%d ms), a day at most', (retryAfterMs, least) => {
    for (let n = 0; n < 50; n += 1) {
      const { delayMs } = judgeFailure(LIMITS, [fresh], fault('rate-limited', retryAfterMs));
      expect(delayMs).toBeGreaterThanOrEqual(Math.max(least, SECOND));
      expect(delayMs).toBeLessThanOrEqual(Math.max(least * 1.25, 2 * SECOND));
    }
  });

  it('is not counted where the provider was not asked', () => {
    for (let n = 0; n < 5; n += 1) {
      expect(judgeFailure(LIMITS, [after('timeout', n)], fault('circuit-open'))).toMatchObject({
        dead: false,
        failures: n,
      });
    }
  });

  it('is neither dead nor counted where others failed with it, whatever the fault', () => {
    for (const error of [fault('malformed'), fault('refused', undefined, false), quota(), new Error('of the app')])
      expect(judgeFailure({ ...LIMITS, maxFailures: 1 }, [fresh, fresh], error)).toMatchObject({
        dead: false,
        failures: 0,
      });
  });
});

describe.each(['quota', 'unauthorized', 'misconfigured'] as const)(
  'a turn that waits for a person to act (%s)',
  (name) => {
    const error = (): ProviderError => fault(name, undefined, false);

    it('is tried once an hour at most, for about a day', () => {
      const { tries, waits } = life(error());
      expect(tries).toBe(OPERATOR_TRIES);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(30 * SECOND);
      expect(Math.max(...waits)).toBeLessThanOrEqual(HOUR);
      expect(Math.min(...waits.slice(10))).toBeGreaterThanOrEqual(HOUR / 2);
      const total = waits.reduce((sum, wait) => sum + wait, 0);
      expect(total).toBeGreaterThan(16 * HOUR);
      expect(total).toBeLessThan(36 * HOUR);
    });

    it('has all of its tries left when the account works again', () => {
      const { dead, failures } = judgeFailure(LIMITS, [after(name, 20)], fault('timeout'));
      expect({ dead, failures }).toEqual({ dead: false, failures: 1 });
      expect(judgeFailure(LIMITS, [after(name, 20)], fault('circuit-open')).failures).toBe(0);
      expect(judgeFailure(LIMITS, [after('timeout', 4)], error())).toMatchObject({ dead: false, failures: 1 });
    });

    it('waits as long where the app allows more failures', () => {
      expect(life(error(), { ...LIMITS, maxFailures: 50 }).tries).toBe(50);
      expect(life(error(), { ...LIMITS, maxFailures: 1 }).tries).toBe(OPERATOR_TRIES);
    });
  },
);
