import { unlessAborted } from '../provider/unless-aborted.js';

/** Thrown by `withDeadline` when the time is up. */
export class DeadlineError extends Error {}

/**
 * Runs `work` with a signal that aborts after `ms`, or with the caller's, and stops waiting then, whether or not `work`
 * heeds the signal.
 * @throws DeadlineError when the time is up; the reason of the caller's signal when that aborts
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  caller?: AbortSignal,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlineError(`No answer within ${ms} ms.`)), ms);
  const follow = (): void => controller.abort(caller?.reason);
  caller?.addEventListener('abort', follow, { once: true });
  try {
    const { signal } = controller;
    // `async`: an adapter may give back what is no promise.
    return await unlessAborted((async () => work(signal))(), signal);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', follow);
  }
}
