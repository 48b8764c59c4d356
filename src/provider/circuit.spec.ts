import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';
import { ProviderCircuit } from './circuit.js';
import type { CircuitRules } from './circuit.js';

const error = (fault: ProviderFault, retryAfterMs?: number): ProviderError =>
  new ProviderError('p', fault, true, fault, retryAfterMs === undefined ? {} : { retryAfterMs });
const fails = (fault: ProviderFault, retryAfterMs?: number) => () => Promise.reject(error(fault, retryAfterMs));
const answers = (): Promise<string> => Promise.resolve('yes');

const verdict: CircuitRules['verdict'] = (thrown) => {
  if (!(thrown instanceof ProviderError)) return 'nothing';
  return thrown.fault === 'refused' ? 'answer' : 'fault';
};

describe('the circuit of a provider', () => {
  let now: number;
  let states: string[];
  let probe: () => Promise<unknown>;
  let probed: number;
  let circuit: ProviderCircuit;
  const build = (rules: Partial<CircuitRules> = {}): ProviderCircuit =>
    new ProviderCircuit(
      'p',
      'all',
      { failures: 3, openMs: 1_000, maxOpenMs: 3_000 },
      {
        verdict,
        probe: () => {
          probed += 1;
          return probe();
        },
        onChange: (state) => states.push(state),
        ...rules,
      },
    );
  const open = async (by = fails('timeout')): Promise<void> => {
    for (let n = 0; n < 3; n += 1) await expect(circuit.call(by)).rejects.toBeInstanceOf(ProviderError);
  };
  const refused = { fault: 'circuit-open', retryable: true, provider: 'p' };

  beforeEach(() => {
    now = Date.UTC(2026, 2, 5);
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    states = [];
    probed = 0;
    probe = answers;
    circuit = build();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lets calls through and their errors out, until so many faults have come in a row', async () => {
    expect(await circuit.call(answers)).toBe('yes');
    await expect(circuit.call(fails('timeout'))).rejects.toMatchObject({ fault: 'timeout' });
    await expect(circuit.call(fails('unavailable'))).rejects.toMatchObject({ fault: 'unavailable' });
    expect(circuit.report()).toEqual({ provider: 'p', calls: 'all', state: 'closed', retryAt: null });
    await expect(circuit.call(fails('timeout'))).rejects.toMatchObject({ fault: 'timeout' });
    expect(circuit.report()).toMatchObject({ state: 'open', retryAt: new Date(now + 1_000) });
  });

  it('makes no call while it is open, and says when to come back', async () => {
    await open();
    const work = jest.fn(answers);
    now += 400;
    await expect(circuit.call(work)).rejects.toMatchObject({ ...refused, retryAfterMs: 600 });
    now += 599;
    await expect(circuit.call(work)).rejects.toMatchObject(refused);
    expect(work).not.toHaveBeenCalled();
    expect(probed).toBe(0);
  });

  it.each<[string, () => Promise<string>]>([
    ['a value', answers],
    ['an error that only a provider that is there can give', fails('refused')],
  ])('begins to count anew after %s', async (_, work) => {
    for (let round = 0; round < 3; round += 1) {
      await circuit.call(fails('timeout')).catch(() => undefined);
      await circuit.call(fails('timeout')).catch(() => undefined);
      await circuit.call(work).catch(() => undefined);
    }
    expect(states).toEqual([]);
  });

  it('learns nothing from what is no fault of the provider', async () => {
    for (let n = 0; n < 5; n += 1) {
      await expect(circuit.call(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
    }
    await circuit.call(fails('timeout')).catch(() => undefined);
    await circuit.call(fails('timeout')).catch(() => undefined);
    await circuit.call(() => Promise.reject(new TypeError('x'))).catch(() => undefined);
    expect(states).toEqual([]);
    await circuit.call(fails('timeout')).catch(() => undefined);
    expect(states).toEqual(['open']);
  });

  it('probes after the wait, and lets the caller through who came then', async () => {
    await open();
    now += 1_000;
    expect(await circuit.call(answers)).toBe('yes');
    expect(probed).toBe(1);
    expect(states).toEqual(['open', 'half-open', 'closed']);
    await circuit.call(fails('timeout')).catch(() => undefined);
    expect(circuit.report().state).toBe('closed');
  });

  it('makes no call of the caller where the probe fails, and waits twice as long for the next, up to a limit', async () => {
    await open();
    probe = fails('unavailable');
    const work = jest.fn(answers);
    for (const wait of [1_000, 2_000, 3_000, 3_000]) {
      now += wait - 1;
      await expect(circuit.call(work)).rejects.toMatchObject(refused);
      const before = probed;
      now += 1;
      await expect(circuit.call(work)).rejects.toMatchObject(refused);
      expect(probed).toBe(before + 1);
    }
    expect(work).not.toHaveBeenCalled();
    probe = answers;
    now += 3_000;
    expect(await circuit.call(work)).toBe('yes');
    await open();
    expect(circuit.report().retryAt).toEqual(new Date(now + 1_000));
  });

  it('takes a probe for failed that ends in an error which says nothing, and for answered by one that was answered', async () => {
    await open();
    probe = () => Promise.reject(new TypeError('x'));
    now += 1_000;
    await expect(circuit.call(answers)).rejects.toMatchObject(refused);
    probe = fails('refused');
    now += 2_000;
    expect(await circuit.call(answers)).toBe('yes');
  });

  it('probes once, however many come, and lets none of the others wait', async () => {
    await open();
    let settle = (): void => undefined;
    probe = () => new Promise<void>((resolve) => (settle = resolve));
    now += 1_000;
    const first = circuit.call(answers);
    await expect(circuit.call(answers)).rejects.toMatchObject(refused);
    await expect(circuit.call(answers)).rejects.toMatchObject(refused);
    expect(circuit.report().state).toBe('half-open');
    settle();
    expect(await first).toBe('yes');
    expect(probed).toBe(1);
  });

  it('lets a caller go who gives up while it is probed, and goes on for the others', async () => {
    await open();
    let settle = (): void => undefined;
    probe = () => new Promise<void>((resolve) => (settle = resolve));
    now += 1_000;
    const caller = new AbortController();
    const work = jest.fn(answers);
    const waiting = circuit.call(work, caller.signal);
    const reason = new Error('enough');
    caller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    settle();
    await new Promise(setImmediate);
    expect(circuit.report().state).toBe('closed');
    expect(work).not.toHaveBeenCalled();
  });

  it.each([
    [7_000, 7_000],
    [100, 1_000],
    [86_400_000, 3_600_000],
    [Number.POSITIVE_INFINITY, 3_600_000],
  ])('obeys a Retry-After of %d ms by waiting %d', async (asked, wait) => {
    await open(fails('rate-limited', asked));
    expect(circuit.report().retryAt).toEqual(new Date(now + wait));
  });

  it('lets the caller be the probe where it has none of its own', async () => {
    circuit = build({ probe: undefined } as never);
    await open();
    now += 1_000;
    await expect(circuit.call(fails('timeout'))).rejects.toMatchObject({ fault: 'timeout' });
    await expect(circuit.call(answers)).rejects.toMatchObject(refused);
    now += 2_000;
    expect(await circuit.call(answers)).toBe('yes');
    expect(states).toEqual(['open', 'half-open', 'open', 'half-open', 'closed']);
  });

  it('is not confused by calls that began before it opened', async () => {
    let finish = (): void => undefined;
    const slow = circuit.call(() => new Promise<string>((resolve) => (finish = () => resolve('late'))));
    await open();
    finish();
    expect(await slow).toBe('late');
    await expect(circuit.call(answers)).rejects.toMatchObject(refused);
    expect(states).toEqual(['open']);
  });
});
