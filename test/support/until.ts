import { setTimeout as sleep } from 'node:timers/promises';

/** Looks, of a hundredth of a second each: a minute at the least, and as much longer as the machine stands still. */
const LOOKS = 6_000;

/**
 * Resolves when the condition is met.
 * @param what is waited for, for the message
 * @throws Error when it is not for so long that it never will be
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string) = 'What was waited for',
): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    if (await condition()) return;
    await sleep(10);
  }
  throw new Error(`${typeof what === 'string' ? what : what()} did not happen.`);
}
