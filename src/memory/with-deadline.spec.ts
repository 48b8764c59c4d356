import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DeadlineError, withDeadline } from './with-deadline.js';

const never = (): Promise<never> => new Promise(() => undefined);
const LONG_MS = 60_000;

describe('work with a deadline', () => {
  it('gives what the work gives', async () => {
    await expect(withDeadline(LONG_MS, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it.each<[string, () => Promise<never>]>([
    ['rejects with', () => Promise.reject(new Error('broken'))],
    [
      'throws at once',
      () => {
        throw new Error('broken');
      },
    ],
  ])('fails with what the work %s', async (_, work) => {
    await expect(withDeadline(LONG_MS, work)).rejects.toThrow('broken');
  });

  it('stops waiting when the time is up, and tells the work', async () => {
    let told: AbortSignal | undefined;
    const late = withDeadline(5, (signal) => ((told = signal), never()));
    await expect(late).rejects.toThrow(DeadlineError);
    expect(told?.reason).toBeInstanceOf(DeadlineError);
  });

  it("stops waiting with the caller's reason, and tells the work", async () => {
    const caller = new AbortController();
    let told: AbortSignal | undefined;
    const work = withDeadline(LONG_MS, (signal) => ((told = signal), never()), caller.signal);
    const reason = new Error('enough');
    caller.abort(reason);
    await expect(work).rejects.toBe(reason);
    expect(told?.reason).toBe(reason);
  });

  it('does not begin for a caller who has gone', async () => {
    let begun = false;
    const reason = new Error('enough');
    const work = withDeadline(LONG_MS, () => ((begun = true), never()), AbortSignal.abort(reason));
    await expect(work).rejects.toBe(reason);
    expect(begun).toBe(false);
  });

  it('leaves the signal alone once the work has ended', async () => {
    const caller = new AbortController();
    let told: AbortSignal | undefined;
    await withDeadline(20, (signal) => Promise.resolve((told = signal)), caller.signal);
    caller.abort();
    await sleep(40);
    expect(told?.aborted).toBe(false);
  });

  it('keeps a failure that comes too late to itself', async () => {
    let fail = (_error: Error): void => undefined;
    const late = withDeadline(5, () => new Promise((_, reject) => (fail = reject)));
    await expect(late).rejects.toThrow(DeadlineError);
    fail(new Error('too late'));
    await sleep(5);
  });
});
